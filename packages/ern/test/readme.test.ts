import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const packageFolder = join(import.meta.dirname, '..');

const blocksOf = (text: string, kind: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  );

test('the examples of the README run and print what it says', () => {
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
  const examples = blocksOf(readme, 'ts');
  assert.equal(examples.length, 5);
  // In the folder of the package, its own name resolves to its sources.
  const output = execFileSync(
    process.execPath,
    ['--input-type=module-typescript', '--eval', examples.join('\n')],
    { cwd: packageFolder, encoding: 'utf8' },
  );
  assert.equal(output, blocksOf(readme, 'output').join(''));
});

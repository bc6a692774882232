import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildNewRelease } from '../src/index.ts';
import { exampleAlbum } from './example-album.ts';

const packageFolder = join(import.meta.dirname, '..');

/** The programs say what is wrong in their output, which belongs into the message of a failed test. */
function run(program: string, ...parameters: string[]): string {
  try {
    return execFileSync(program, parameters, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${program} ${parameters.join(' ')}: ${stdout}${stderr}`, { cause: error });
  }
}

test('the published package passes publint and attw, and a strict project compiles and runs with it', () => {
  const target = join(packageFolder, '.package');
  run(process.execPath, join(packageFolder, '../../scripts/pack.ts'), 'ern', target);
  const consumer = join(target, 'consumer.ts');
  writeFileSync(
    consumer,
    `import { buildNewRelease, type BuiltMessage, type NewReleaseMessage } from '@tonearm/ern';
const message: NewReleaseMessage = ${JSON.stringify(exampleAlbum)};
const built: BuiltMessage = buildNewRelease(message);
process.stdout.write(built.xml);
`,
  );
  run(
    join(packageFolder, '../../node_modules/.bin/tsc'),
    ...'--ignoreConfig --noEmit --strict --module nodenext --target es2024 --types node'.split(' '),
    consumer,
  );
  assert.equal(run(process.execPath, consumer), buildNewRelease(exampleAlbum).xml);
});

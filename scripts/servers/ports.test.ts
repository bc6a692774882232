/**
 * `npm test` runs its files in several processes at once: two files with the same port would start their servers side by
 * side whenever the processes happen to reach them at the same time.
 */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './server.ts';

const testFiles = globSync(
  ['apps/service/{src,test}/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
  {
    cwd: root,
  },
);

/** The port that a server is opened at, or a constant with the name of one. */
const portPattern = /(?:open(?:FullStack|ServiceWithEngine)\(|\b\w*[pP]ort = )(\d\d_\d{3})\b/g;

test('no two test files open servers at the same port', () => {
  const used = testFiles.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(portPattern)].map(([, port]) => ({
      file,
      port,
    })),
  );
  assert.ok(used.length >= 20, `only ${used.length} ports found`);
  const twice = [...Map.groupBy(used, ({ port }) => port)].filter(
    ([, uses]) => new Set(uses.map(({ file }) => file)).size > 1,
  );
  assert.deepEqual(twice, []);
});

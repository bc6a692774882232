/**
 * `npm run openapi:diff [-- --release | OLD NEW]`: compares openapi/openapi.json with openapi/released.json, the document
 * that partners rely on, or any two documents. Prints each breaking change, and exits with 1 if one is not covered by a
 * deprecated feature (`apps/service/src/kernel/deprecation.ts`). `--release` then makes the new document the released one.
 */

import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deprecatedFeatures } from '../apps/service/src/kernel/deprecation.ts';
import { refuseBreach } from './openapi-diff/allowed.ts';
import { compareDocuments, type Document } from './openapi-diff/document.ts';
import { isStatedRule } from './openapi-diff/stated-rules.ts';
import { root } from './servers/server.ts';

const { values, positionals } = parseArgs({
  options: { release: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [
  released = join(root, 'openapi/released.json'),
  current = join(root, 'openapi/openapi.json'),
] = positionals;
const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Document;

const breaches = compareDocuments(await read(released), await read(current));
let refusedCount = 0;
for (const breach of breaches) {
  const isStated = isStatedRule(breach);
  const refusal = refuseBreach(breach, Object.values(deprecatedFeatures), new Date());
  if (refusal !== undefined && !isStated) refusedCount++;
  const verdict = isStated ? 'enforced before it was documented' : refusal;
  console.log(`${breach.kind}: ${breach.at} ${breach.issue} (${verdict ?? 'deprecated in time'})`);
}
console.log(`openapi: ${breaches.length} breaking changes, ${refusedCount} of them not allowed`);
if (refusedCount > 0) process.exit(1);
if (values.release) await copyFile(current, released);

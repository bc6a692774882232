/**
 * `npm run codegen:sdk`: writes the types and the methods of the SDK from `openapi/openapi.json`. Needs
 * `npm ci --prefix tools/codegen` once. `npm run codegen` fails if they are stale.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from './codegen/sdk/document.ts';
import { writeSdk } from './codegen/sdk/files.ts';
import { root } from './servers/server.ts';

const text = await readFile(join(root, 'openapi/openapi.json'), 'utf8');
const count = await writeSdk(JSON.parse(text) as Document);
console.log(`packages/sdk/src/generated: ${count} files`);

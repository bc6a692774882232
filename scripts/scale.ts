/** `npm run scale`: rewrites the tables of docs/unit-costs.md and docs/scale.md from the results of `bench unit`. */

import { writeFileSync } from 'node:fs';
import { writtenDocuments } from './scale/documents.ts';

for (const { path, written } of writtenDocuments()) {
  writeFileSync(path, written);
  console.log(`${path} written; npm run format aligns its tables`);
}

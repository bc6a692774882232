/** DDEX's samples, which may not be published, and the messages that were written for tests. They lie beside the schemas. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaDirectory } from './schema-directory.ts';

const directory = join(schemaDirectory, '..');

export const readDdexFile = (...path: readonly string[]): string =>
  readFileSync(join(directory, ...path), 'utf8');

export const listDdexFiles = (...path: readonly string[]): string[] =>
  readdirSync(join(directory, ...path)).filter((name) => name.endsWith('.xml'));

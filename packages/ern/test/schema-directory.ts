/**
 * The XSD files of DDEX. Its licence forbids to publish them, so they lie outside of the repository: in the folder that
 * `DDEX_SCHEMA_DIR` names, else beside the repository's own.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const schemaDirectory =
  process.env['DDEX_SCHEMA_DIR'] ?? join(import.meta.dirname, '../../../../shared/ddex/xsd');

/** For `describe`: why its tests cannot run. */
export const withoutSchemas = existsSync(schemaDirectory)
  ? false
  : `there are no schemas in ${schemaDirectory}`;

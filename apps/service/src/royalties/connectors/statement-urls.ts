/** Signed URLs of the files of a statement: the bytes do not pass through the api. They are signed for each answer. */

import { addMs } from '../../kernel/duration.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { StatementFile } from '../domain/statement-proof.ts';

/** Long enough for a slow download of the first file to leave time for the others. */
const urlSeconds = 900;

export const urlExpiry = (realNow: Date): string =>
  addMs(realNow, urlSeconds * 1_000).toISOString();

/** `fileName`: the name under which a browser saves it. */
export const presignFile = (
  storage: Storage,
  { objectKey }: StatementFile,
  fileName: string,
): Promise<string> => storage.presignGet(objectKey, fileName, urlSeconds);

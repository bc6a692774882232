/** A file of this machine. Only a source that is a path loads this module, so that the SDK needs no Node elsewhere. */

import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';

/** The file is read when its bytes are sent, not now. Reading fails if it has changed meanwhile. */
export async function blobOfFile(path: string): Promise<{ blob: Blob; name: string }> {
  return { blob: await openAsBlob(path), name: basename(path) };
}

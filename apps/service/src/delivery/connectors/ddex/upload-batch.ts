/**
 * Writes a batch to a store: the files, then the message, then the manifest. A repeated upload sends only what is not
 * there yet: a file has its name only once it is whole.
 */

import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { FileContent, Transport } from '../../../platform/transport/transport.ts';

export type FileToSend = {
  readonly path: string;
  /** In our own storage. */
  readonly objectKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
};

export const contentOfText = (text: string): FileContent => {
  const bytes = Buffer.from(text);
  return {
    open: async () => Readable.from([bytes]),
    sizeBytes: bytes.length,
    sha256: hash('sha256', bytes),
  };
};

export async function uploadFiles(
  transport: Transport,
  storage: Pick<Storage, 'read'>,
  files: readonly FileToSend[],
): Promise<void> {
  for (const { path, objectKey, sha256, sizeBytes } of files) {
    if ((await transport.find(path))?.sizeBytes === sizeBytes) continue;
    await transport.put(path, { open: () => storage.read(objectKey), sizeBytes, sha256 });
  }
}

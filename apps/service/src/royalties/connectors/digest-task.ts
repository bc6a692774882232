import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Task } from '../../platform/process/child-task.ts';
import { uncompress } from './uncompress.ts';

export type DigestInput = {
  readonly files: readonly { readonly name: string; readonly path: string }[];
};

export type FileDigest = {
  /** As stored, perhaps compressed. */
  readonly sizeBytes: number;
  /** Of the uncompressed bytes, as hex. */
  readonly sha256: string;
};

export const run: Task<DigestInput, readonly FileDigest[]> = async ({ files }) => {
  const digests: FileDigest[] = [];
  for (const { name, path } of files) {
    const hash = createHash('sha256');
    for await (const chunk of uncompress(path, name)) hash.update(chunk);
    const { size: sizeBytes } = await stat(path);
    digests.push({ sizeBytes, sha256: hash.digest('hex') });
  }
  return digests;
};

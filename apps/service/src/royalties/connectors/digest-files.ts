/**
 * The digests of report files. A store may send the same file again under another name, or compressed in another way:
 * digests are those of the uncompressed bytes, and the digest of a set does not depend on the order of its files.
 */

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hourMs } from '../../kernel/duration.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { download } from '../../platform/storage/transfer.ts';
import type { DigestInput, FileDigest } from './digest-task.ts';
import { runReportTask } from './report-task.ts';

export type NamedFile = { readonly name: string; readonly path: string };
type StoredReportFile = { readonly name: string; readonly objectKey: string };

export type SetDigest = {
  /** In the order of the files given. */
  readonly files: readonly FileDigest[];
  /** SHA-256 over the sorted digests of the files, as hex. */
  readonly setDigest: string;
};

const timeoutMs = 2 * hourMs;
const task = new URL('./digest-task.ts', import.meta.url);

/** Throws `ReportRejected` for a file that cannot be uncompressed. */
export async function digestFiles(
  files: readonly NamedFile[],
  signal: AbortSignal,
): Promise<SetDigest> {
  const input: DigestInput = { files };
  const digests = await runReportTask<readonly FileDigest[]>(task, input, { signal, timeoutMs });
  return { files: digests, setDigest: digestOfSet(digests.map(({ sha256 }) => sha256)) };
}

type StoredFilesDeps = {
  readonly storage: Storage;
  /** An existing folder that only this process uses. */
  readonly scratchFolder: string;
};

/** The same, for files on the storage. */
export async function digestStoredFiles(
  { storage, scratchFolder }: StoredFilesDeps,
  files: readonly StoredReportFile[],
  signal: AbortSignal,
): Promise<SetDigest> {
  const folder = await mkdtemp(join(scratchFolder, 'digest-'));
  try {
    const local = files.map(({ name }, i) => ({ name, path: join(folder, String(i)) }));
    for (const [i, { objectKey }] of files.entries()) {
      await download(storage, objectKey, join(folder, String(i)), signal);
    }
    return await digestFiles(local, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const digestOfSet = (digests: readonly string[]): string =>
  createHash('sha256').update(digests.toSorted().join('\n')).digest('hex');

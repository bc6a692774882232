import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '../../platform/storage/storage.ts';
import { uploadWithDigest } from '../../platform/storage/transfer.ts';
import { filesOfReport } from '../domain/report-files.ts';
import type { ReportId } from '../domain/report.ts';
import type { ReportFile } from '../domain/store-report.ts';
import { digestOfSet } from './digest-files.ts';

type StoreContentDeps = {
  readonly storage: Storage;
  /** An existing folder that only this process uses. */
  readonly scratchFolder: string;
};

export type StoredContent = { readonly setDigest: string; readonly files: readonly ReportFile[] };

/** Puts a report of one file, which this process has made, on the object store, to be registered. Safe to repeat. */
export async function storeContent(
  { storage, scratchFolder }: StoreContentDeps,
  { id, name, content }: { readonly id: ReportId; readonly name: string; readonly content: string },
  signal: AbortSignal,
): Promise<StoredContent> {
  const folder = await mkdtemp(join(scratchFolder, 'content-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, content);
    const unstored = { name, sizeBytes: 0, sha256: '' };
    const [{ objectKey } = { objectKey: '' }] = filesOfReport(id, [unstored]);
    const { sizeBytes, sha256 } = await uploadWithDigest(storage, path, objectKey, signal);
    const files = filesOfReport(id, [{ name, sizeBytes, sha256 }]);
    return { setDigest: digestOfSet([sha256]), files };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

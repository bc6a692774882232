/** Puts local files of a report on the object store, before the transaction that registers the report. */

import { basename } from 'node:path';
import type { NewId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { upload } from '../../platform/storage/transfer.ts';
import { digestFiles } from '../connectors/digest-files.ts';
import { removeKeys } from '../connectors/incoming-batches.ts';
import { filesOfReport, fileSetProblem } from '../domain/report-files.ts';
import { ReportRejected } from '../domain/report-rejected.ts';
import type { ReportId } from '../domain/report.ts';
import type { ReportFile } from '../domain/store-report.ts';

type LocalFile = ReportFile & { readonly path: string };

export type LocalFiles = {
  /** Of the report, if it is a new one. */
  readonly id: ReportId;
  readonly setDigest: string;
  readonly files: readonly LocalFile[];
};

/** By name: the parts of a report are named in their order. */
export async function digestLocalFiles(
  newId: NewId,
  paths: readonly string[],
): Promise<LocalFiles> {
  const named = paths
    .map((path) => ({ path, name: basename(path) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const { files, setDigest } = await readDigests(named);
  const digested = files.map((file, i) => ({ ...file, name: named[i]?.name ?? '' }));
  const problem = fileSetProblem(digested);
  if (problem !== undefined) throw new Problem('invalid_field', problem);
  const id = newId('rpt');
  return {
    id,
    setDigest,
    files: filesOfReport(id, digested).map((file, i) => ({ ...file, path: named[i]?.path ?? '' })),
  };
}

async function readDigests(named: Parameters<typeof digestFiles>[0]) {
  try {
    return await digestFiles(named, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof ReportRejected)) throw error;
    throw new Problem('invalid_field', `${error.rejection.file}: ${error.message}`);
  }
}

export async function uploadFiles(storage: Storage, { files }: LocalFiles): Promise<void> {
  for (const { path, objectKey } of files) {
    await upload(storage, path, objectKey, new AbortController().signal);
  }
}

/** Another command has registered the same files first. */
export const removeUploads = (storage: Storage, { files }: LocalFiles): Promise<void> =>
  removeKeys(
    storage,
    files.map(({ objectKey }) => objectKey),
  );

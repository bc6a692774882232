/** Files of a run between the object store and a folder of this worker. */

import { randomUUID } from 'node:crypto';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { concurrently } from '../../kernel/concurrently.ts';
import { removeFirstBelow } from '../../platform/storage/remove-below.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { download, upload, uploadWithDigest } from '../../platform/storage/transfer.ts';
import type { PartFile } from '../domain/calculated-part.ts';
import type { RunId } from '../domain/run-plan.ts';
import { runFolder } from '../domain/run.ts';

export type RunFileDeps = { readonly storage: Storage; readonly scratchFolder: string };

const cacheOf = ({ scratchFolder }: RunFileDeps): string => join(scratchFolder, 'run-cache');

/** Several buckets read the same part of a report: it is downloaded once. The name of the file is its digest. */
export async function fetchCached(
  deps: RunFileDeps,
  { objectKey, sha256 }: { readonly objectKey: string; readonly sha256: string },
  signal: AbortSignal,
): Promise<string> {
  const path = join(cacheOf(deps), `${sha256}.parquet`);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  await mkdir(cacheOf(deps), { recursive: true });
  const incomplete = `${path}.${randomUUID()}`;
  await download(deps.storage, objectKey, incomplete, signal);
  await rename(incomplete, path);
  return path;
}

/** When no bucket is left to calculate. */
export const emptyCache = (deps: RunFileDeps): Promise<void> =>
  rm(cacheOf(deps), { recursive: true, force: true });

/** A folder for one attempt, removed after it. */
export async function withFolder<T>(
  { scratchFolder }: RunFileDeps,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(scratchFolder, `run-${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const uploadsAtOnce = 8;

/** Several at a time: a bucket has thousands of small files, and most of an upload is waiting. */
export const storeEach = <Item, Stored>(
  items: readonly Item[],
  store: (item: Item) => Promise<Stored>,
): Promise<Stored[]> => concurrently(items, uploadsAtOnce, store);

/** The file of a part with its key in place of its path. */
export async function storePartFile(
  { storage }: RunFileDeps,
  file: PartFile,
  key: string,
  signal: AbortSignal,
): Promise<PartFile> {
  const { sha256 } = await uploadWithDigest(storage, file.path, key, signal);
  if (sha256 !== file.sha256) throw new Error(`${key} differs from the file that was calculated`);
  return { ...file, path: key };
}

export const storeFile = async (
  { storage }: RunFileDeps,
  path: string,
  key: string,
  signal: AbortSignal,
): Promise<string> => {
  await upload(storage, path, key, signal);
  return key;
};

export async function fetchFile(
  { storage }: RunFileDeps,
  key: string,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  await download(storage, key, path, signal);
  return path;
}

export async function readLines(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** Files between the two passes. */
export const workFolder = (id: RunId): string => `${runFolder(id)}work/`;

/** Below a prefix that ends with a slash. Safe to repeat. */
export async function removeFiles(
  { storage }: Pick<RunFileDeps, 'storage'>,
  prefix: string,
): Promise<void> {
  while (await removeFirstBelow(storage, prefix));
}

/** The files of an import: each becomes one asset, however often the import runs. */

import { randomUUID } from 'node:crypto';
import { ApiError, type Asset, AssetFailedError, type UploadResume } from '@tonearm/sdk';
import { eachOf } from '../each-of.ts';
import { type ImportRun, keep } from './import-run.ts';
import { stepKey } from './import-state.ts';
import { type LocalFile, sha256Of } from './local-file.ts';

/** Each sends several parts at once already. */
const filesAtOnce = 2;

/** An upload that has expired, or was removed, must start over. */
const isLost = (error: unknown): boolean =>
  (error instanceof ApiError && error.status === 404) ||
  (error instanceof AssetFailedError && error.asset.failure_code === 'upload_expired');

/** The asset of an earlier run, or a new one. Its id is on the disk before its bytes are sent. */
async function openAsset(
  run: ImportRun,
  file: LocalFile,
  sha256: string,
  isNew: boolean,
): Promise<UploadResume> {
  const known = isNew ? undefined : run.state.assets[sha256];
  if (known !== undefined) return known;
  const { id } = await run.client.assets.create(
    {
      type: file.type,
      file_name: file.name,
      content_type: file.contentType,
      size_bytes: file.sizeBytes,
      sha256,
    },
    {
      signal: run.signal,
      idempotencyKey: isNew ? randomUUID() : stepKey(run.state, 'asset', sha256),
    },
  );
  return keepAsset(run, sha256, { assetId: id, parts: [] });
}

function keepAsset(run: ImportRun, sha256: string, resume: UploadResume): UploadResume {
  keep(run, { assets: { ...run.state.assets, [sha256]: resume } });
  return resume;
}

async function uploadOnce(
  run: ImportRun,
  file: LocalFile,
  sha256: string,
  isNew: boolean,
): Promise<Asset> {
  const { client, view, signal } = run;
  const resume = await openAsset(run, file, sha256, isNew);
  let partsKept = resume.parts.length;
  return client.assets.upload(file.path, {
    type: file.type,
    resume,
    signal,
    onProgress: (progress) => {
      view.progress(file.name, progress);
      if (progress.resume.parts.length <= partsKept) return;
      partsKept = progress.resume.parts.length;
      keepAsset(run, sha256, progress.resume);
    },
  });
}

async function bringFile(run: ImportRun, file: LocalFile, sha256: string): Promise<Asset> {
  try {
    return await uploadOnce(run, file, sha256, false);
  } catch (error) {
    if (!isLost(error)) throw error;
    return uploadOnce(run, file, sha256, true);
  }
}

/** Files with the same bytes are one asset. Returns the id of the asset of each file, by its path. */
export async function bringFiles(run: ImportRun): Promise<Map<string, string>> {
  const { cover, tracks } = run.plan;
  const files = [
    ...tracks.flatMap(({ file }) => file ?? []),
    ...(cover === undefined ? [] : [cover]),
  ];
  const bySha = new Map<string, LocalFile[]>();
  for (const file of files) {
    const sha256 = await sha256Of(file.path);
    bySha.set(sha256, [...(bySha.get(sha256) ?? []), file]);
  }
  const ids = new Map<string, string>();
  await eachOf([...bySha], filesAtOnce, async ([sha256, same]) => {
    const [first] = same;
    if (first === undefined) return;
    const asset = await bringFile(run, first, sha256);
    for (const file of same) {
      ids.set(file.path, asset.id);
      run.view.done(file.name, asset);
    }
  });
  return ids;
}

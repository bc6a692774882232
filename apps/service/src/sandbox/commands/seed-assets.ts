/** The files of the fictional catalogue go through the partners' asset commands: create, upload, complete, examine. */

import {
  type Asset,
  type AssetId,
  completeAsset,
  createAsset,
  findAssetsByName,
  presentAsset,
} from '../../assets/face.ts';
import { sandboxQuotas } from '../../identity/face.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type SeedFile, seedFiles } from '../domain/seed-files.ts';

/** Creates the asset of a file, unless an earlier run did. */
export async function createSeedAsset(
  tx: Tx,
  { type, fileName, contentType }: SeedFile,
  sizeBytes: number,
): Promise<{ readonly id: AssetId; readonly needsUpload: boolean }> {
  const [known] = await findAssetsByName(tx, [fileName]);
  if (known !== undefined) return { id: known.id, needsUpload: known.status === 'pending_upload' };
  const fields = { type, fileName, contentType, sizeBytes, sha256: null };
  const asset = await createAsset(tx, fields, sandboxQuotas);
  const { id } = asset;
  const after = presentAsset(asset);
  appendAudit(tx, { action: 'asset.create', auditedId: id, before: undefined, after });
  return { id, needsUpload: true };
}

export async function completeSeedAsset(tx: Tx, id: AssetId): Promise<void> {
  const { before, after } = await completeAsset(tx, id, undefined, sandboxQuotas);
  appendAudit(tx, {
    action: 'asset.complete',
    auditedId: id,
    before: presentAsset(before),
    after: presentAsset(after),
  });
}

/** By file name. */
export async function seededAssets(tx: Tx): Promise<ReadonlyMap<string, Asset>> {
  const found = await findAssetsByName(
    tx,
    seedFiles.map(({ fileName }) => fileName),
  );
  return new Map(found.map((asset) => [asset.fileName, asset]));
}

/** Names the files whose examination failed; null: all are ready. */
export async function describeUnreadyFiles(tx: Tx): Promise<string | null> {
  const assets = await seededAssets(tx);
  const unready = seedFiles.filter(({ fileName }) => assets.get(fileName)?.status !== 'ready');
  if (unready.length === 0) return null;
  const names = unready.map(({ fileName }) => fileName).join(', ');
  return `Files of the seed catalogue could not be examined: ${names}. If they are audio files, ffmpeg may be missing on the worker.`;
}

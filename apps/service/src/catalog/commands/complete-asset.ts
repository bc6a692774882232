import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { assignInRealTime } from '../../platform/engine/timers.ts';
import {
  type Asset,
  type AssetId,
  refuseComplete,
  refuseParts,
  type UploadedPart,
} from '../domain/asset.ts';
import { processAsset } from '../events.ts';
import { lockAsset, updateAsset } from '../store/assets.ts';
import { assetNotFound } from './asset-not-found.ts';

/** The file is there: `pending_upload` → `processing`. Said again, it changes nothing. */
export async function completeAsset(
  tx: Tx,
  id: AssetId,
  parts: readonly UploadedPart[] | undefined,
): Promise<Asset> {
  const asset = await lockAsset(tx, id);
  if (asset === undefined) throw assetNotFound();
  enforce(refuseComplete(asset));
  if (asset.status !== 'pending_upload') return asset;
  enforce(refuseParts(asset, parts));
  const next: Asset = {
    ...asset,
    status: 'processing',
    uploadParts: parts ?? null,
    updatedAt: tx.now,
  };
  updateAsset(tx, next);
  assignInRealTime(tx, processAsset(tx.orgId, asset));
  return next;
}

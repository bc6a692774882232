import type { Changed } from '../../kernel/changed.ts';
import { enforce } from '../../kernel/problem.ts';
import { type QuotaPolicy, refuseBeyond } from '../../kernel/quota.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import {
  type Asset,
  type AssetId,
  assetNotFound,
  refuseComplete,
  type UploadedPart,
} from '../domain/asset.ts';
import { refuseUploadParts } from '../domain/upload-parts.ts';
import { processAsset } from '../messages.ts';
import { enforceAssetQuotas, findAssetUsage } from '../store/asset-usage.ts';
import { lockAsset, updateAsset } from '../store/assets.ts';

/** `pending_upload` → `processing`. A repeated call changes nothing. */
export async function completeAsset(
  tx: Tx,
  id: AssetId,
  uploadParts: readonly UploadedPart[] | undefined,
  quotas: QuotaPolicy,
): Promise<Changed<Asset>> {
  const [asset, { filesInExamination }] = await Promise.all([
    lockAsset(tx, id),
    findAssetUsage(tx),
  ]);
  if (asset === undefined) throw assetNotFound();
  enforce(refuseComplete(asset));
  if (asset.status !== 'pending_upload') return { before: asset, after: asset };
  enforce(refuseUploadParts(asset, uploadParts));
  enforce(refuseBeyond(quotas, 'files_in_examination', filesInExamination + 1));
  const next: Asset = {
    ...asset,
    status: 'processing',
    uploadParts: uploadParts ?? null,
    updatedAt: tx.now,
  };
  updateAsset(tx, next);
  enforceAssetQuotas(tx, { filesInExamination: quotas.files_in_examination });
  enqueueDurablyInRealTime(tx, processAsset(tx.orgId, asset));
  return { before: asset, after: next };
}

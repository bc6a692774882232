import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import {
  type Asset,
  type AssetId,
  type AssetStatus,
  uploadExpired,
  type ExaminationResult,
} from '../domain/asset.ts';
import { presentAsset } from '../domain/present-asset.ts';
import { assetStatusChanged } from '../events.ts';
import { lockAsset, updateAsset } from '../store/assets.ts';

/** `processing` → `ready` or `failed`. An asset with another status does not change. */
export const recordExaminationResult = (
  tx: Tx,
  id: AssetId,
  result: ExaminationResult,
): Promise<void> => finishAsset(tx, id, 'processing', result);

/** `pending_upload` → `failed`. An asset with another status does not change. */
export const expireUpload = (tx: Tx, id: AssetId): Promise<void> =>
  finishAsset(tx, id, 'pending_upload', { isReady: false, failure: uploadExpired });

async function finishAsset(
  tx: Tx,
  id: AssetId,
  from: AssetStatus,
  result: ExaminationResult,
): Promise<void> {
  const asset = await lockAsset(tx, id);
  if (asset?.status !== from) return;
  const next: Asset = result.isReady
    ? { ...asset, ...readyFields(result), status: 'ready', updatedAt: tx.now }
    : { ...asset, status: 'failed', failure: result.failure, updatedAt: tx.now };
  updateAsset(tx, next);
  appendEvent(tx, assetStatusChanged(next));
  appendAudit(tx, {
    action: `asset.${next.status}`,
    auditedId: id,
    before: presentAsset(asset),
    after: presentAsset(next),
  });
}

const readyFields = ({
  sha256,
  facts,
  objectKey,
}: ExaminationResult & { readonly isReady: true }) => ({
  sha256,
  facts,
  objectKey,
});

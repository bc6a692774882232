import { addMs } from '../../kernel/duration.ts';
import { enforce } from '../../kernel/problem.ts';
import { type QuotaPolicy, refuseBeyond } from '../../kernel/quota.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setRealTimer } from '../../platform/engine/timers.ts';
import { type Asset, refuseDeclaredFile, uploadExpiresAfterMs } from '../domain/asset.ts';
import { expireAsset } from '../messages.ts';
import { enforceAssetQuotas, findAssetUsage } from '../store/asset-usage.ts';
import { insertAsset } from '../store/assets.ts';

export type NewAsset = Pick<Asset, 'type' | 'fileName' | 'contentType' | 'sizeBytes' | 'sha256'>;

/** Creates an asset in `pending_upload`. A timer fails it after a day without a completed upload. */
export async function createAsset(tx: Tx, declared: NewAsset, quotas: QuotaPolicy): Promise<Asset> {
  enforce(refuseDeclaredFile(declared));
  const { openUploads, storedBytes } = await findAssetUsage(tx);
  enforce(refuseBeyond(quotas, 'open_uploads', openUploads + 1));
  enforce(refuseBeyond(quotas, 'stored_bytes', storedBytes + declared.sizeBytes));
  const asset: Asset = {
    ...declared,
    id: tx.newId('ast'),
    status: 'pending_upload',
    facts: null,
    failure: null,
    uploadId: null,
    uploadParts: null,
    objectKey: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  insertAsset(tx, asset);
  enforceAssetQuotas(tx, { openUploads: quotas.open_uploads, storedBytes: quotas.stored_bytes });
  const expiresAt = addMs(tx.realNow, uploadExpiresAfterMs);
  setRealTimer(tx, expiresAt, expireAsset(tx.orgId, asset.id));
  return asset;
}

import type { Tx } from '../../platform/db/database.ts';
import type { Asset, AssetId } from '../domain/asset.ts';
import { lockAsset, updateAsset } from '../store/assets.ts';

/** Records the multipart upload of a pending asset. If another request was first, its upload id stays. */
export async function recordUploadId(
  tx: Tx,
  id: AssetId,
  uploadId: string,
): Promise<Asset | undefined> {
  const asset = await lockAsset(tx, id);
  if (asset?.status !== 'pending_upload' || asset.uploadId !== null) return asset;
  const next = { ...asset, uploadId };
  updateAsset(tx, next);
  return next;
}

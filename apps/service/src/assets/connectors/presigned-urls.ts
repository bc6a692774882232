/** The presigned URLs of an asset: for the upload while it is pending, for the download once it is ready. */

import { addMs } from '../../kernel/duration.ts';
import type { OrgId } from '../../kernel/ids.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { type Asset, isMultipart, uploadPartBytes, uploadPartSizes } from '../domain/asset.ts';
import { uploadKey } from './examine-file.ts';

const expiresInSeconds = 3_600; // contract §4

export async function presignUrls(
  storage: Storage,
  orgId: OrgId,
  asset: Asset,
  realNow: Date,
  mayUpload: boolean,
) {
  const expiry: Expiry = {
    expires_at: addMs(realNow, expiresInSeconds * 1_000).toISOString(),
    expires_in_seconds: expiresInSeconds,
  };
  return {
    upload:
      mayUpload && asset.status === 'pending_upload'
        ? await presignUpload(storage, orgId, asset, expiry)
        : null,
    download:
      asset.objectKey === null
        ? null
        : {
            url: await storage.presignGet(asset.objectKey, asset.fileName, expiresInSeconds),
            ...expiry,
          },
  };
}

/** As on the wire. */
type Expiry = { readonly expires_at: string; readonly expires_in_seconds: number };

async function presignUpload(storage: Storage, orgId: OrgId, asset: Asset, expiry: Expiry) {
  const key = uploadKey(orgId, asset.id);
  const { contentType, sizeBytes, uploadId } = asset;
  if (!isMultipart(asset)) {
    return {
      url: await storage.presignPut(key, { contentType, sizeBytes, expiresInSeconds }),
      method: 'PUT',
      headers: { 'Content-Type': contentType },
      ...expiry,
    };
  }
  if (uploadId === null) throw new Error(`the upload in parts of ${asset.id} was not opened`);
  const uploadParts = uploadPartSizes(asset).map(async (bytes, i) => ({
    part_number: i + 1,
    url: await storage.presignPart(key, {
      uploadId,
      partNumber: i + 1,
      sizeBytes: bytes,
      expiresInSeconds,
    }),
  }));
  return {
    parts: await Promise.all(uploadParts),
    part_size: uploadPartBytes,
    ...expiry,
  };
}

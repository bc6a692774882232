/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  Asset,
  AssetPage,
  AssetSummary,
  CompleteAsset,
  CreateAsset,
  ListAssetsQuery,
} from '../schema.ts';

/** Assets. */
export class AssetsResource extends Resource {
  /**
   * Create an asset.
   *
   * Creates an asset for one file and returns where to upload it. PUT the file to `upload.url` with exactly the headers of `upload.headers`, then complete the asset. A file above 100 MB is uploaded in parts. Open uploads and stored bytes have quotas: 429 `quota_exceeded`.
   *
   * Scope: `assets:write`.
   *
   * @see operation `createAsset`
   */
  create(body: CreateAsset, options?: WriteOptions): ApiCall<Asset> {
    return this.client.call({ method: 'POST', path: '/v1/assets', body, takesKey: true, options });
  }

  /**
   * List assets.
   *
   * Returns a page of assets, newest first, without presigned URLs.
   *
   * Scope: `assets:read`.
   *
   * @see operation `listAssets`
   */
  list(query?: ListAssetsQuery, options?: RequestOptions): Pager<AssetSummary, AssetPage> {
    return this.client.list({ method: 'GET', path: '/v1/assets', query, options });
  }

  /**
   * Complete an upload.
   *
   * Starts the examination of the uploaded file: its size, checksum, real type, and every sample or pixel. It ends with the event `asset.ready` or `asset.failed`. If the file or a part of it is missing, the answer is 409 `invalid_state`, or 422 `invalid_field` with details that name each part that was not uploaded or has another size or ETag (`parts[2].etag`). The upload stays open: correct it and complete it again, with the same `Idempotency-Key` if you like. An audio file must have one stream of PCM (WAV), FLAC or ALAC, and apart from it only attached covers (JPEG or PNG); otherwise `failure_code` is `unsupported_codec`. It must last at most 12 hours, and its samples at 16 bits (seconds × sample rate × channels × 2 bytes) must take at most 256 MiB plus 20 times the size of the file; otherwise `failure_code` is `too_long`. Up to four files of an organization, three of them audio, are examined at once; the others wait in `processing`. If as many files wait as the quota allows, the answer is 429 `quota_exceeded`, and the uploaded file is kept.
   *
   * Scope: `assets:write`.
   *
   * @see operation `completeAsset`
   */
  complete(assetId: string, body?: CompleteAsset, options?: WriteOptions): ApiCall<Asset> {
    return this.client.call({
      method: 'POST',
      path: `/v1/assets/${segment(assetId, 'asset_id')}/complete`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Get an asset.
   *
   * Returns the asset with presigned URLs to upload its file or to download it. The URLs work for one hour.
   *
   * Scope: `assets:read`.
   *
   * @see operation `getAsset`
   */
  get(assetId: string, options?: ReadOptions): ApiCall<Asset> {
    return this.client.call({
      method: 'GET',
      path: `/v1/assets/${segment(assetId, 'asset_id')}`,
      options,
    });
  }
}

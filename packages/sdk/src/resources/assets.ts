import { TonearmError } from '../core/errors.ts';
import { AssetsResource } from '../generated/resources/assets.ts';
import type { Asset } from '../generated/schema.ts';
import type { UploadOptions } from '../uploads/options.ts';
import type { UploadSource } from '../uploads/source.ts';
import { upload } from '../uploads/upload.ts';
import type { WaitOptions } from '../waiters/wait-for.ts';

/** The file was examined and cannot be used. */
export class AssetFailedError extends TonearmError {
  readonly asset: Asset;

  constructor(asset: Asset) {
    super(`${asset.file_name}: ${asset.failure_reason ?? 'The asset failed.'}`);
    this.asset = asset;
  }
}

export class Assets extends AssetsResource {
  /**
   * Uploads a file and waits until it is `ready`. `source` is the path of a file (Node, Deno and Bun), a `Blob` or `File`,
   * bytes, or a stream. Large files go in parts, several at once. An upload that was cut rejects with `UploadError`;
   * give its `resume` to the next call, and only what is missing is sent. Rejects with `AssetFailedError` if the file
   * cannot be used.
   */
  async upload(source: UploadSource, options: UploadOptions): Promise<Asset> {
    const asset = await upload(this, this.client.fetch, source, options);
    if (options.waitUntilReady === false) return asset;
    return this.waitFor(asset.id, { signal: options.signal, timeoutMs: options.readyTimeoutMs });
  }

  /** Waits until the asset is `ready`. Rejects with `AssetFailedError` if it has failed. */
  async waitFor(assetId: string, options: WaitOptions<Asset> = {}): Promise<Asset> {
    const asset = await this.client.wait(
      {
        what: `the examination of asset ${assetId}`,
        read: (read) => this.get(assetId, read),
        isDone: ({ status }) => status === 'ready' || status === 'failed',
        concerns: (event) =>
          (event.type === 'asset.ready' || event.type === 'asset.failed') &&
          event.data.id === assetId,
      },
      options,
    );
    if (asset.status === 'failed' && options.until === undefined) throw new AssetFailedError(asset);
    return asset;
  }
}

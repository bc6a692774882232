/** Where to send a file: presigned URLs, which expire. */

import { TonearmError } from '../core/errors.ts';
import type { AssetsResource } from '../generated/resources/assets.ts';
import type { Asset, SingleUpload, UploadInParts } from '../generated/schema.ts';

type Upload = SingleUpload | UploadInParts;

/** Replaced this long before they expire. */
const renewalMs = 60_000;

export class UploadUrls {
  readonly #assets: AssetsResource;
  readonly #assetId: string;
  #upload: Upload;
  #expiresAt: number;
  #renewal: Promise<void> | undefined;

  constructor(assets: AssetsResource, asset: Asset) {
    this.#assets = assets;
    this.#assetId = asset.id;
    this.#upload = uploadOf(asset);
    this.#expiresAt = expiryOf(this.#upload);
  }

  /** The size of a part. `undefined`: the file is sent as a whole. */
  get partSize(): number | undefined {
    return 'parts' in this.#upload ? this.#upload.part_size : undefined;
  }

  get headers(): Readonly<Record<string, string>> {
    return 'headers' in this.#upload ? this.#upload.headers : {};
  }

  /** Part 1 of a file that is sent as a whole is the file. */
  urlOf(partNumber: number): string {
    if ('url' in this.#upload) return this.#upload.url;
    const part = this.#upload.parts.find((each) => each.part_number === partNumber);
    if (part === undefined) throw new TonearmError(`The upload has no part ${partNumber}.`);
    return part.url;
  }

  async renewIfDue(signal: AbortSignal | undefined): Promise<void> {
    if (Date.now() > this.#expiresAt - renewalMs) await this.renew(signal);
  }

  /** However many parts ask, the asset is read once. */
  renew(signal: AbortSignal | undefined): Promise<void> {
    this.#renewal ??= this.#read(signal).finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #read(signal: AbortSignal | undefined): Promise<void> {
    this.#upload = uploadOf(await this.#assets.get(this.#assetId, { signal }));
    this.#expiresAt = expiryOf(this.#upload);
  }
}

const expiryOf = ({ expires_in_seconds: seconds }: Upload): number => Date.now() + seconds * 1000;

function uploadOf({ id, status, upload }: Asset): Upload {
  if (upload !== null) return upload;
  throw new TonearmError(
    status === 'pending_upload'
      ? `Asset ${id} cannot be uploaded with this key: it needs the scope assets:write.`
      : `Asset ${id} is ${status}: it takes no upload.`,
  );
}

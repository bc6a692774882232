/** The bytes of one asset on their way. */

import { UnprocessableError } from '../core/errors.ts';
import type { Fetch } from '../core/settings.ts';
import type { AssetsResource } from '../generated/resources/assets.ts';
import type { Asset } from '../generated/schema.ts';
import type { UploadOptions, UploadProgress, UploadResume } from './options.ts';
import { put } from './put.ts';
import type { PartReader } from './source.ts';
import { UploadUrls } from './upload-urls.ts';

const concurrencyDefault = 4;
/** How often parts that the storage does not have, or has otherwise, are sent again. */
const repairsMax = 2;

export class Sending {
  readonly #assets: AssetsResource;
  readonly #fetch: Fetch;
  readonly #reader: PartReader;
  readonly #asset: Asset;
  readonly #options: UploadOptions;
  readonly #urls: UploadUrls;
  /** By the number of the part. A file that is sent as a whole is part 1. */
  readonly #etags = new Map<number, string>();
  /** The bytes of parts that are on their way. */
  readonly #sent = new Map<number, number>();

  constructor(
    assets: AssetsResource,
    fetch: Fetch,
    reader: PartReader,
    asset: Asset,
    options: UploadOptions,
  ) {
    this.#assets = assets;
    this.#fetch = fetch;
    this.#reader = reader;
    this.#asset = asset;
    this.#options = options;
    this.#urls = new UploadUrls(assets, asset);
    if (typeof options.resume === 'object') {
      for (const { part_number: number, etag } of options.resume.parts)
        this.#etags.set(number, etag);
    }
  }

  get resume(): UploadResume {
    const parts = [...this.#etags].map(([part_number, etag]) => ({ part_number, etag }));
    return {
      assetId: this.#asset.id,
      parts: parts.toSorted((one, other) => one.part_number - other.part_number),
    };
  }

  async run(): Promise<Asset> {
    this.#report('uploading');
    for (let repairs = 0; ; repairs++) {
      await this.#sendMissing();
      try {
        const asset = await this.#complete();
        this.#report('examining');
        return asset;
      } catch (error) {
        const wrong = wrongParts(error);
        if (wrong.length === 0 || repairs === repairsMax) throw error;
        // The storage knows better than a `resume`, which may be older than what it has.
        for (const number of wrong) this.#etags.delete(number);
      }
    }
  }

  #complete(): PromiseLike<Asset> {
    const { signal } = this.#options;
    const isWhole = this.#urls.partSize === undefined;
    const body = isWhole ? {} : { parts: [...this.resume.parts] };
    return this.#assets.complete(this.#asset.id, body, { signal });
  }

  get #partSize(): number {
    return this.#urls.partSize ?? this.#reader.size;
  }

  get #partCount(): number {
    return Math.max(1, Math.ceil(this.#reader.size / this.#partSize));
  }

  /** Several parts at once. After a failure no further part begins, and those on their way end. */
  async #sendMissing(): Promise<void> {
    const missing = Array.from({ length: this.#partCount }, (_, index) => index + 1).filter(
      (number) => !this.#etags.has(number),
    );
    const failures: unknown[] = [];
    const sendParts = async () => {
      for (let number = missing.shift(); number !== undefined; number = missing.shift()) {
        await this.#sendPart(number).catch((error: unknown) => {
          failures.push(error);
          missing.length = 0;
        });
      }
    };
    const concurrency = Math.max(1, this.#options.concurrency ?? concurrencyDefault);
    await Promise.all(Array.from({ length: concurrency }, sendParts));
    if (failures.length > 0) throw failures[0];
  }

  async #sendPart(number: number): Promise<void> {
    const { signal } = this.#options;
    const body = await this.#reader.read(this.#startOf(number), this.#endOf(number));
    await this.#urls.renewIfDue(signal);
    const etag = await put({
      fetch: this.#fetch,
      url: () => this.#urls.urlOf(number),
      renewUrl: () => this.#urls.renew(signal),
      headers: this.#urls.headers,
      body,
      signal,
      onSent: (bytes) => {
        this.#sent.set(number, bytes);
        if (bytes > 0) this.#report('uploading');
      },
    });
    this.#etags.set(number, etag);
    this.#sent.delete(number);
    this.#report('uploading');
  }

  #report(phase: UploadProgress['phase']): void {
    this.#options.onProgress?.({
      phase,
      sentBytes: this.#sentBytes(),
      totalBytes: this.#reader.size,
      resume: this.resume,
    });
  }

  #sentBytes(): number {
    const sent = [...this.#etags.keys()].map(
      (number) => this.#endOf(number) - this.#startOf(number),
    );
    return [...sent, ...this.#sent.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  #startOf(number: number): number {
    return (number - 1) * this.#partSize;
  }

  #endOf(number: number): number {
    return Math.min(number * this.#partSize, this.#reader.size);
  }
}

/** `parts[2].etag`: the third part. They were sent in their order, without a gap. */
function wrongParts(error: unknown): readonly number[] {
  if (!(error instanceof UnprocessableError)) return [];
  return error.details.flatMap(({ field }) => {
    const index = /^parts\[(\d+)\]/.exec(field)?.[1];
    return index === undefined ? [] : [Number(index) + 1];
  });
}

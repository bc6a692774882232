/** What an upload takes and tells. */

import type { Asset, CreateAsset, UploadedPart } from '../generated/schema.ts';

/** Enough to continue an upload that was cut, also in another process: it is plain JSON. */
export type UploadResume = {
  readonly assetId: string;
  /** The parts that the storage has. */
  readonly parts: readonly UploadedPart[];
};

export type UploadProgress = {
  readonly phase: 'uploading' | 'examining';
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly resume: UploadResume;
};

export type UploadOptions = {
  /** The audio of a track, or the artwork of a release. */
  readonly type: CreateAsset['type'];
  /** If you omit it, the name of the file, or `audio` or `artwork`. */
  readonly fileName?: string | undefined;
  /** If you omit it, what the source or the end of its name says. */
  readonly contentType?: CreateAsset['content_type'] | undefined;
  /** The SHA-256 of the file, 64 lowercase hexadecimal digits: a file that was damaged on its way fails. */
  readonly sha256?: string | undefined;
  /** The exact size of a stream in bytes. Without it, the stream is held in memory as a whole. */
  readonly size?: number | undefined;
  /** How many parts are sent at once. If you omit it, 4. */
  readonly concurrency?: number | undefined;
  /** `resume` of an `UploadError` or of the last progress; or the id of an asset, whose file is then sent as a whole. */
  readonly resume?: UploadResume | string | undefined;
  /** For the asset's creation. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets the asset before the bytes are sent. */
  readonly onCreated?: ((asset: Asset) => void | Promise<void>) | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** `false`: resolve once the file is complete, without waiting for its examination. */
  readonly waitUntilReady?: boolean | undefined;
  /** How long to wait for the examination, in milliseconds. */
  readonly readyTimeoutMs?: number | undefined;
};

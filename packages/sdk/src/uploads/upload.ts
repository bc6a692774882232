/** Uploads a file: creates its asset, sends the bytes, and completes it. */

import { TonearmError } from '../core/errors.ts';
import type { Fetch } from '../core/settings.ts';
import type { AssetsResource } from '../generated/resources/assets.ts';
import type { Asset, CreateAsset } from '../generated/schema.ts';
import { contentTypeOf } from './content-type.ts';
import type { UploadOptions, UploadResume } from './options.ts';
import { Sending } from './sending.ts';
import { type PartReader, readerOf, type UploadSource } from './source.ts';

/** The upload was cut. Upload again with its `resume`. */
export class UploadError extends TonearmError {
  readonly resume: UploadResume;

  constructor(message: string, resume: UploadResume, cause: unknown) {
    super(message, { cause });
    this.resume = resume;
  }
}

export async function upload(
  assets: AssetsResource,
  fetch: Fetch,
  source: UploadSource,
  options: UploadOptions,
): Promise<Asset> {
  const reader = await readerOf(source, options.size);
  const asset = await openAsset(assets, reader, options);
  await options.onCreated?.(asset);
  if (asset.status !== 'pending_upload') return asset;
  const sending = new Sending(assets, fetch, reader, asset, options);
  try {
    return await sending.run();
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new UploadError(`The upload of ${asset.id} was cut: ${reason}`, sending.resume, error);
  }
}

async function openAsset(
  assets: AssetsResource,
  reader: PartReader,
  options: UploadOptions,
): Promise<Asset> {
  const { resume, signal, sha256, type } = options;
  if (resume === undefined) {
    const name = options.fileName ?? reader.name ?? type;
    const body: CreateAsset = {
      type,
      file_name: name,
      content_type: options.contentType ?? contentTypeOf(reader.contentType, name),
      size_bytes: reader.size,
      ...(sha256 !== undefined && { sha256 }),
    };
    return assets.create(body, { signal, idempotencyKey: options.idempotencyKey });
  }
  const asset = await assets.get(typeof resume === 'string' ? resume : resume.assetId, { signal });
  if (asset.size_bytes !== reader.size) {
    throw new TonearmError(
      `Asset ${asset.id} is for a file of ${asset.size_bytes} bytes, not ${reader.size}.`,
    );
  }
  return asset;
}

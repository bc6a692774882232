/**
 * An asset (spec §2.3, §3.3; contract §2, §3): a file a partner uploads.
 *
 *   pending_upload → processing → ready | failed
 *   pending_upload → failed                        not uploaded within 24 hours
 *
 * `ready` and `failed` are final. The facts of a ready asset never change.
 */

import { dayMs } from '../../kernel/duration.ts';
import type { Id } from '../../kernel/ids.ts';
import { Problem, type Refusal, type Violation } from '../../kernel/problem.ts';

export const assetTypes = ['audio', 'artwork'] as const;
export type AssetType = (typeof assetTypes)[number];

export const assetStatuses = ['pending_upload', 'processing', 'ready', 'failed'] as const;
export type AssetStatus = (typeof assetStatuses)[number];

export type AssetId = Id<'ast'>;

export type AudioFormat = 'wav' | 'flac' | 'alac';
export type ArtworkFormat = 'jpeg' | 'png';

type FileFacts = {
  /** Of the bytes, for stores that compare it. Files examined before it was measured have none. */
  readonly md5?: string;
};

/** Measured from the file, not declared by the partner. */
export type AudioFacts = FileFacts & {
  readonly format: AudioFormat;
  /** As the decoder names it: `pcm_s16le`, `flac`, `alac`. */
  readonly codec: string;
  readonly bitDepth: number;
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly durationMs: number;
  /** The WAVE format tag: 1 for PCM, 65534 for extensible; null for other formats. */
  readonly formatTag: number | null;
  /** SHA-256 of the decoded samples, the same for WAV, FLAC and ALAC. Files examined before it was measured have none. */
  readonly pcmSha256?: string;
};

export type ArtworkFacts = FileFacts & {
  readonly format: ArtworkFormat;
  readonly width: number;
  readonly height: number;
  /** `rgb`, `cmyk`, `grey`, or another name of the decoder. */
  readonly colourSpace: string;
  /** Bits per channel. */
  readonly bitDepth: number;
  readonly channels: number;
};

/** Why an asset failed. The code is stable; `Failure.reason` says what to do. */
export const failureCodes = [
  'upload_expired',
  'upload_incomplete',
  'size_mismatch',
  'checksum_mismatch',
  'type_mismatch',
  'unsupported_codec',
  'damaged',
  'empty',
  'too_large',
  'too_long',
  'trailing_data',
] as const;
export type FailureCode = (typeof failureCodes)[number];

export type Failure = { readonly code: FailureCode; readonly reason: string };

export type Facts = AudioFacts | ArtworkFacts;

export type Asset = {
  readonly id: AssetId;
  readonly type: AssetType;
  readonly status: AssetStatus;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** As declared; once the asset is ready, as measured. */
  readonly sha256: string | null;
  readonly facts: Facts | null;
  readonly failure: Failure | null;
  /** Of a multipart upload, once it is open. */
  readonly uploadId: string | null;
  readonly uploadParts: readonly UploadedPart[] | null;
  readonly objectKey: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** In ms; null until the audio is measured. */
export function durationOf(asset: Pick<Asset, 'facts'> | undefined): number | null {
  const facts = asset?.facts ?? null;
  return facts !== null && 'durationMs' in facts ? facts.durationMs : null;
}

export type UploadedPart = { readonly partNumber: number; readonly etag: string };

export type ExaminationResult =
  | {
      readonly isReady: true;
      readonly sha256: string;
      readonly facts: Facts;
      readonly objectKey: string;
    }
  | { readonly isReady: false; readonly failure: Failure };

const mebibyte = 1024 * 1024;
export const sizeBytesMax: Record<AssetType, number> = {
  audio: 2_048 * mebibyte,
  artwork: 50 * mebibyte,
};

/** Contract §4: above this a file is uploaded in parts. */
const singleUploadBytesMax = 100_000_000;
export const uploadPartBytes = 32 * mebibyte;

/** After this the timer of the upload fails the asset. */
export const uploadExpiresAfterMs = dayMs;

export const isMultipart = ({ sizeBytes }: Pick<Asset, 'sizeBytes'>): boolean =>
  sizeBytes > singleUploadBytesMax;

/** The bytes of each part, in order. */
export function uploadPartSizes({ sizeBytes }: Pick<Asset, 'sizeBytes'>): readonly number[] {
  return Array.from({ length: Math.ceil(sizeBytes / uploadPartBytes) }, (_, i) =>
    Math.min(uploadPartBytes, sizeBytes - i * uploadPartBytes),
  );
}

/** The format that a content type declares. */
const formats: Readonly<Record<AssetType, Readonly<Record<string, AudioFormat | ArtworkFormat>>>> =
  {
    audio: {
      'audio/wav': 'wav',
      'audio/x-wav': 'wav',
      'audio/wave': 'wav',
      'audio/vnd.wave': 'wav',
      'audio/flac': 'flac',
      'audio/x-flac': 'flac',
      'audio/mp4': 'alac',
      'audio/m4a': 'alac',
      'audio/x-m4a': 'alac',
    },
    artwork: { 'image/jpeg': 'jpeg', 'image/png': 'png' },
  };

export const contentTypesOf = (type: AssetType): readonly string[] => Object.keys(formats[type]);

export function declaredFormat({
  type,
  contentType,
}: Pick<Asset, 'type' | 'contentType'>): AudioFormat | ArtworkFormat | undefined {
  return Object.hasOwn(formats[type], contentType) ? formats[type][contentType] : undefined;
}

export function refuseDeclaredFile({
  type,
  contentType,
  sizeBytes,
}: Pick<Asset, 'type' | 'contentType' | 'sizeBytes'>): Refusal | undefined {
  const details: Violation[] = [];
  if (declaredFormat({ type, contentType }) === undefined) {
    const issue = `must be one of: ${contentTypesOf(type).join(', ')}`;
    details.push({ field: 'content_type', issue });
  }
  if (sizeBytes > sizeBytesMax[type]) {
    const issue = `must be at most ${sizeBytesMax[type]} bytes for ${type}; send a smaller file`;
    details.push({ field: 'size_bytes', issue });
  }
  if (details.length === 0) return undefined;
  const [first] = details;
  return { code: 'invalid_field', message: `${first?.field} ${first?.issue}.`, details };
}

/** Only a failed asset is refused: completing it again while it is processing or ready changes nothing. */
export function refuseComplete({
  status,
  failure,
}: Pick<Asset, 'status' | 'failure'>): Refusal | undefined {
  if (status !== 'failed') return undefined;
  return {
    code: 'invalid_state',
    message: `The asset has failed: ${failure?.reason ?? ''} Create a new asset and upload the file again.`,
  };
}

/** Spec §2.1: the artwork of a release is a `ready` artwork asset of the same organization. */
export function refuseArtwork(
  asset: Pick<Asset, 'id' | 'type' | 'status'> | undefined,
): Refusal | undefined {
  const field = 'artwork_asset_id';
  if (asset === undefined) return notAnAsset(field);
  if (asset.type !== 'artwork') return notOfType(field, 'artwork');
  return asset.status === 'ready' ? undefined : notReady(field, asset);
}

/** Spec §2.3: audio need not be ready before the release is submitted. */
export function refuseAudio(
  asset: Pick<Asset, 'type'> | undefined,
  field: string,
): Refusal | undefined {
  if (asset === undefined) return notAnAsset(field);
  return asset.type === 'audio' ? undefined : notOfType(field, 'audio');
}

/** Contract §1: an id in a body that names nothing is a bad field, not a missing resource. */
const notAnAsset = (field: string): Refusal => ({
  code: 'invalid_field',
  message: `${field} must be the id of an asset of yours.`,
  details: [{ field, issue: 'must be the id of an asset of yours' }],
});

const notOfType = (field: string, type: AssetType): Refusal => ({
  code: 'invalid_field',
  message: `${field} must be the id of an asset of type ${type}.`,
  details: [{ field, issue: `must be the id of an asset of type ${type}` }],
});

const notReady = (field: string, { id, status }: Pick<Asset, 'id' | 'status'>): Refusal => ({
  code: 'asset_not_ready',
  message: `${field} names ${id}, which is ${status}. Wait until it is ready.`,
  details: [{ field, issue: `names ${id}, which is ${status}; wait until it is ready` }],
});

export const uploadExpired: Failure = {
  code: 'upload_expired',
  reason: 'The file was not uploaded and completed within 24 hours. Create a new asset.',
};

/** The same message for an unknown id, a malformed id and an id of another organization (contract §5). */
export const assetNotFound = (): Problem =>
  new Problem('resource_not_found', 'No asset of your organization has this id.');

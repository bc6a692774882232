/** The files of a message. Where they lie beside it is the layout of the store's batches. */

import type { AudioFile, CoverImage, File } from '@tonearm/ern';
import type { Snapshot } from '../../../catalog/face.ts';
import type { Dialect, HashAlgorithm } from './dialect.ts';
import { withoutNulls } from './without-nulls.ts';

export type MessageAsset = Snapshot['assets'][number];

export type Files = {
  /** Relative to the message. */
  readonly uriOf: (asset: MessageAsset) => string;
  /** False if the store got the file with an earlier message. */
  readonly isProvided: (asset: MessageAsset) => boolean;
};

const extensions = { wav: 'wav', flac: 'flac', alac: 'm4a', jpeg: 'jpg', png: 'png' } as const;
/** DDEX has no word for ALAC. */
const audioCodecs = { wav: 'PCM', flac: 'FLAC', alac: null } as const;
const imageCodecs = { jpeg: 'JPEG', png: 'PNG' } as const;

/** The name of a file in a batch: it never changes, because the id of an asset stands for its bytes. */
const fileNameOf = ({ id, facts }: MessageAsset): string =>
  facts === null ? id : `${id}.${extensions[facts.format]}`;

/** In a folder beside the message, all of them. */
export const usualFiles: Files = {
  uriOf: (asset) => `resources/${fileNameOf(asset)}`,
  isProvided: () => true,
};

export type FileContext = {
  readonly files: Files;
  readonly dialect: Pick<Dialect, 'hashAlgorithm'>;
};

const fileOf = (asset: MessageAsset, { files, dialect }: FileContext): File =>
  withoutNulls<File>({
    uri: files.uriOf(asset),
    hash: hashOf(asset, dialect.hashAlgorithm),
    sizeBytes: asset.sizeBytes,
  });

function hashOf({ sha256, facts }: MessageAsset, algorithm: HashAlgorithm): File['hash'] | null {
  const value = algorithm === 'MD5' ? facts?.md5 : sha256;
  return value === undefined || value === null ? null : { algorithm, value };
}

export function toAudioFile(asset: MessageAsset, context: FileContext): AudioFile {
  const { facts } = asset;
  const measured = facts !== null && 'durationMs' in facts ? facts : undefined;
  return withoutNulls<AudioFile>({
    codec: measured && audioCodecs[measured.format],
    channels: measured?.channels,
    sampleRateHz: measured?.sampleRateHz,
    bitsPerSample: measured?.bitDepth,
    file: fileOf(asset, context),
    isProvided: context.files.isProvided(asset) ? null : false,
  });
}

type MeasuredCover = Pick<CoverImage, 'codec' | 'widthPx' | 'heightPx' | 'file' | 'isProvided'>;

export function toCoverFile(asset: MessageAsset, context: FileContext): MeasuredCover {
  const { facts } = asset;
  const measured = facts !== null && 'width' in facts ? facts : undefined;
  return withoutNulls<MeasuredCover>({
    codec: measured && imageCodecs[measured.format],
    widthPx: measured?.width,
    heightPx: measured?.height,
    file: fileOf(asset, context),
    isProvided: context.files.isProvided(asset) ? null : false,
  });
}

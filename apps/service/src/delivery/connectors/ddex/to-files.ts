/** The files of a message. Where they lie beside it is the layout of the store's batches. */

import type { AudioFile, CoverImage, File } from '@tonearm/ern';
import type { Snapshot } from '../../../catalog/face.ts';
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

const fileOf = (asset: MessageAsset, { uriOf }: Files): File =>
  withoutNulls<File>({
    uri: uriOf(asset),
    hash: asset.sha256 === null ? null : { algorithm: 'SHA-256', value: asset.sha256 },
    sizeBytes: asset.sizeBytes,
  });

export function toAudioFile(asset: MessageAsset, files: Files): AudioFile {
  const { facts } = asset;
  const measured = facts !== null && 'durationMs' in facts ? facts : undefined;
  return withoutNulls<AudioFile>({
    codec: measured && audioCodecs[measured.format],
    channels: measured?.channels,
    sampleRateHz: measured?.sampleRateHz,
    bitsPerSample: measured?.bitDepth,
    file: fileOf(asset, files),
    isProvided: files.isProvided(asset) ? null : false,
  });
}

type MeasuredCover = Pick<CoverImage, 'codec' | 'widthPx' | 'heightPx' | 'file' | 'isProvided'>;

export function toCoverFile(asset: MessageAsset, files: Files): MeasuredCover {
  const { facts } = asset;
  const measured = facts !== null && 'width' in facts ? facts : undefined;
  return withoutNulls<MeasuredCover>({
    codec: measured && imageCodecs[measured.format],
    widthPx: measured?.width,
    heightPx: measured?.height,
    file: fileOf(asset, files),
    isProvided: files.isProvided(asset) ? null : false,
  });
}

/** Recognizes the type of a file by its first bytes; its name does not matter. */

import type { ArtworkFormat, AudioFormat } from './asset.ts';

type FileType = { readonly description: string; readonly format?: AudioFormat | ArtworkFormat };

export const sniffedByteCount = 16;

const asciiAt = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));

const startsWithBytes = (bytes: Uint8Array, ...first: readonly number[]): boolean =>
  first.every((byte, i) => bytes[i] === byte);

const riffType = (bytes: Uint8Array): FileType | undefined => {
  if (asciiAt(bytes, 0, 4) !== 'RIFF') return undefined;
  const kind = asciiAt(bytes, 8, 12);
  if (kind === 'WAVE') return { description: 'a WAVE file', format: 'wav' };
  return kind === 'WEBP' ? { description: 'a WebP image' } : { description: 'another RIFF file' };
};

/** Checked in this order. */
const signatures: readonly ((bytes: Uint8Array) => FileType | undefined)[] = [
  riffType,
  (bytes) =>
    asciiAt(bytes, 0, 4) === 'fLaC' ? { description: 'a FLAC file', format: 'flac' } : undefined,
  (bytes) =>
    asciiAt(bytes, 4, 8) === 'ftyp' ? { description: 'an MP4 file', format: 'alac' } : undefined,
  (bytes) =>
    startsWithBytes(bytes, 0xff, 0xd8, 0xff)
      ? { description: 'a JPEG image', format: 'jpeg' }
      : undefined,
  (bytes) =>
    startsWithBytes(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
      ? { description: 'a PNG image', format: 'png' }
      : undefined,
  (bytes) =>
    asciiAt(bytes, 0, 3) === 'ID3'
      ? { description: 'a file that begins with an ID3 tag' }
      : undefined,
  (bytes) => (asciiAt(bytes, 0, 4) === 'RF64' ? { description: 'an RF64 file' } : undefined),
  (bytes) => (asciiAt(bytes, 0, 4) === 'FORM' ? { description: 'an AIFF file' } : undefined),
  (bytes) => (asciiAt(bytes, 0, 4) === 'OggS' ? { description: 'an Ogg file' } : undefined),
  (bytes) => (asciiAt(bytes, 0, 4) === 'GIF8' ? { description: 'a GIF image' } : undefined),
  (bytes) => (asciiAt(bytes, 0, 4) === '%PDF' ? { description: 'a PDF document' } : undefined),
  (bytes) => (asciiAt(bytes, 0, 2) === 'PK' ? { description: 'a ZIP archive' } : undefined),
];

export function sniffFileType(bytes: Uint8Array): FileType {
  for (const signature of signatures) {
    const type = signature(bytes);
    if (type !== undefined) return type;
  }
  return { description: 'a file of an unknown kind' };
}

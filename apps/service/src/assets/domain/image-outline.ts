/** Reads the size of an image and where it ends, without decoding it. Bytes after the end are not part of the image. */

import type { ArtworkFormat } from './asset.ts';

const pngSignatureBytes = 8;
const pngChunkFrameBytes = 12;
/** Width and height, in the first chunk. */
const pngSizeAt = 16;

type ImageOutline = {
  readonly width: number;
  readonly height: number;
  /** Undefined when the image is truncated. */
  readonly end: number | undefined;
};

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Chunks of length, type, content and checksum; the first has the size, the last is IEND. */
function pngOutline(bytes: Uint8Array): ImageOutline {
  const view = viewOf(bytes);
  const hasSize = bytes.length >= pngSizeAt + 8;
  const size = {
    width: hasSize ? view.getUint32(pngSizeAt) : 0,
    height: hasSize ? view.getUint32(pngSizeAt + 4) : 0,
  };
  for (let at = pngSignatureBytes; at + pngChunkFrameBytes <= bytes.length;) {
    const isLast = String.fromCharCode(...bytes.subarray(at + 4, at + 8)) === 'IEND';
    at += pngChunkFrameBytes + view.getUint32(at);
    if (isLast) return { ...size, end: at };
  }
  return { ...size, end: undefined };
}

const marker = 0xff;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** Markers without a length: TEM, the restarts, and the start of the image. */
const isStandaloneMarker = (code: number): boolean =>
  code === 0x01 || (code >= 0xd0 && code <= 0xd8);

/** The frame headers, which have the size: SOF0 to SOF15 without DHT, JPG and DAC, whose codes lie between them. */
const isFrameHeader = (code: number): boolean =>
  code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;

/** Segments with their lengths; after a start of scan, compressed data up to the next real marker. */
function jpegOutline(bytes: Uint8Array): ImageOutline {
  const view = viewOf(bytes);
  let size = { width: 0, height: 0 };
  let at = 0;
  while (at + 1 < bytes.length) {
    const code = bytes[at + 1] ?? 0;
    if (bytes[at] !== marker || code === marker) {
      at++;
      continue;
    }
    if (code === endOfImage) return { ...size, end: at + 2 };
    if (isFrameHeader(code) && at + 9 <= bytes.length) {
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at = isStandaloneMarker(code) ? at + 2 : segmentEnd(bytes, at, code);
  }
  return { ...size, end: undefined };
}

function segmentEnd(bytes: Uint8Array, at: number, code: number): number {
  const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
  const end = at + 2 + Math.max(2, length);
  return code === startOfScan ? scanEnd(bytes, end) : end;
}

/** In compressed data a marker byte is followed by zero, or by a restart. */
function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(marker, from); at !== -1; at = bytes.indexOf(marker, at + 1)) {
    const code = bytes[at + 1] ?? 0;
    const isData = code === 0 || (code >= 0xd0 && code <= 0xd7);
    if (!isData) return at;
  }
  return bytes.length;
}

export const outlineOf: Record<ArtworkFormat, (bytes: Uint8Array) => ImageOutline> = {
  png: pngOutline,
  jpeg: jpegOutline,
};

/**
 * Edits JPEG files: the start marker, then segments of marker, length and body up to the scan, then compressed data and
 * the end marker.
 */

export const markers = {
  end: 0xd9,
  frame: 0xc0,
  lossless: 0xc3,
  huffman: 0xc4,
  quantization: 0xdb,
  scan: 0xda,
  app5: 0xe5,
  comment: 0xfe,
} as const;

export function segmentAt(jpeg: Buffer, marker: number): number {
  let at = 2;
  while (jpeg.readUInt8(at + 1) !== marker) {
    if (jpeg.readUInt8(at + 1) === markers.scan) throw new Error(`no segment ${marker}`);
    at += 2 + jpeg.readUInt16BE(at + 2);
  }
  return at;
}

export function withSegment(jpeg: Buffer, marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

export function withSize(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = segmentAt(copy, markers.frame);
  copy.writeUInt16BE(height, frame + 5);
  copy.writeUInt16BE(width, frame + 7);
  return copy;
}

/** Changes the marker of a segment and keeps its body. */
export function renamed(jpeg: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.from(jpeg);
  copy.writeUInt8(to, segmentAt(copy, from) + 1);
  return copy;
}

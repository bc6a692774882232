/**
 * Writes FLAC: `fLaC`, the STREAMINFO block, then frames of silence, 15 bytes each for 65,535 samples. So a file of 13
 * hours has 84 kB and correct checksums, and is generated in milliseconds.
 */

const blockSamples = 65_535;
const bits = 16;
/** So low that twelve hours of it are within what the service accepts from so small a file. */
export const silenceRateHz = 3000;

/** The offset after the signature, the block's header, and ten bytes of block and frame sizes. */
const ratesAt = 4 + 4 + 10;

/** `total` is the number that the header claims; 0 means unknown, as encoders leave it that write into a pipe. */
export function withTotalSamples(flac: Buffer, total: number): Buffer {
  const copy = Buffer.from(flac);
  // 36 bits, of which the four highest share a byte with the sample size.
  copy.writeUInt8((copy.readUInt8(ratesAt + 3) & 0xf0) | Math.floor(total / 2 ** 32), ratesAt + 3);
  copy.writeUInt32BE(total % 2 ** 32, ratesAt + 4);
  return copy;
}

/** The MD5 stays zero, which means unknown. */
function streamInfo(rateHz: number): Buffer {
  const block = Buffer.alloc(42);
  block.write('fLaC', 0, 'latin1');
  block.writeUInt8(0x80, 4);
  block.writeUInt8(34, 7);
  block.writeUInt16BE(blockSamples, 8);
  block.writeUInt16BE(blockSamples, 10);
  // 20 bits of rate, 3 of channels less one, 5 of sample size less one; then the total.
  block.writeUInt32BE((rateHz << 12) | ((bits - 1) << 4), ratesAt);
  return block;
}

function crc(bytes: Buffer, width: 8 | 16, polynomial: number): number {
  const top = 2 ** (width - 1);
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit += 1) {
      value = (value & top) === 0 ? value << 1 : (value << 1) ^ polynomial;
    }
    value &= 2 ** width - 1;
  }
  return value;
}

/** One constant subframe of value zero. */
function silentFrame(index: number, length: number, rateHz: number): Buffer {
  // FLAC encodes frame numbers like UTF-8; these stay below the surrogates.
  const number = Buffer.from(String.fromCodePoint(index));
  // A length and a rate of 16 bits each, mono, 16 bit. Frames may leave rate and size to STREAMINFO, but then
  // ffmpeg 5.1 counts two frames too many, and twelve hours are no longer exact.
  const head = Buffer.concat([Buffer.from([0xff, 0xf8, 0x7d, 0x08]), number, Buffer.alloc(4)]);
  head.writeUInt16BE(length - 1, head.length - 4);
  head.writeUInt16BE(rateHz, head.length - 2);
  const frame = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07), 0, 0, 0])]);
  const check = Buffer.alloc(2);
  check.writeUInt16BE(crc(frame, 16, 0x8005));
  return Buffer.concat([frame, check]);
}

export function silentFlac(seconds: number, rateHz = silenceRateHz): Buffer {
  const total = seconds * rateHz;
  const frames = Array.from({ length: Math.ceil(total / blockSamples) }, (_, index) =>
    silentFrame(index, Math.min(blockSamples, total - index * blockSamples), rateHz),
  );
  return withTotalSamples(Buffer.concat([streamInfo(rateHz), ...frames]), total);
}

/** The offset of the audio, after the metadata block that is marked as the last. */
export function firstFrameAt(flac: Buffer): number {
  let at = 4;
  for (;;) {
    const last = flac.readUInt8(at) >= 0x80;
    at += 4 + flac.readUIntBE(at + 1, 3);
    if (last) return at;
  }
}

/** The offset of a late frame. All frames but the shorter last one start with the same three bytes. */
export function lateFrameAt(flac: Buffer): number {
  const first = firstFrameAt(flac);
  return flac.lastIndexOf(flac.subarray(first, first + 3));
}

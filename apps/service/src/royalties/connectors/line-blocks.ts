import { growBuffer } from './grow-buffer.ts';

export const newline = 0x0a;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

type LineLimit = { readonly bytesMax: number; readonly onLong: () => Error };

const firstBytes = 2 ** 21;

/**
 * Blocks of whole lines: each ends with a line break, also the last. A byte order mark is left out. A block is valid until
 * the next one: memory that is used again costs less than new memory.
 */
export async function* lineBlocks(
  chunks: AsyncIterable<Buffer>,
  { bytesMax, onLong }: LineLimit,
): AsyncGenerator<Buffer> {
  let bytes: Buffer = Buffer.allocUnsafeSlow(firstBytes);
  let length = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    // One more for the line break that the last line may lack.
    if (length + chunk.length + 1 > bytes.length)
      bytes = growBuffer(bytes, length + chunk.length + 1);
    const isEnded = chunk.includes(newline);
    length += chunk.copy(bytes, length);
    if (!isEnded && length > bytesMax) throw onLong();
    if (!isEnded) continue;
    const end = bytes.lastIndexOf(newline, length - 1) + 1;
    if (length - end > bytesMax) throw onLong();
    yield blockOf(bytes, end, isFirst);
    isFirst = false;
    bytes.copyWithin(0, end, length);
    length -= end;
  }
  if (length === 0) return;
  bytes[length] = newline;
  yield blockOf(bytes, length + 1, isFirst);
}

function blockOf(bytes: Buffer, end: number, isFirst: boolean): Buffer {
  const hasMark =
    isFirst &&
    bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) &&
    end > byteOrderMark.length;
  return bytes.subarray(hasMark ? byteOrderMark.length : 0, end);
}

export const newline = 0x0a;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

type LineLimit = { readonly bytesMax: number; readonly onLong: () => Error };

const noLimit: LineLimit = { bytesMax: Infinity, onLong: () => new Error('unreachable') };

/** Blocks of whole lines: each ends with a line break, also the last. A byte order mark is left out. */
export async function* lineBlocks(
  chunks: AsyncIterable<Buffer>,
  { bytesMax, onLong }: LineLimit = noLimit,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(newline) + 1;
    rest = bytes.subarray(end);
    if (rest.length > bytesMax) throw onLong();
    if (end === 0) continue;
    yield isFirst ? withoutMark(bytes.subarray(0, end)) : bytes.subarray(0, end);
    isFirst = false;
  }
  if (rest.length > 0) yield withoutMark(Buffer.concat([rest, Buffer.from('\n')]));
}

const withoutMark = (block: Buffer): Buffer =>
  block.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    ? block.subarray(byteOrderMark.length)
    : block;

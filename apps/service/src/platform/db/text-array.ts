const textOid = 25;
const nullLength = -1;

/**
 * UTF-8 texts as a `text[]` in PostgreSQL's binary format: the driver sends bytes as they are. As text, every quote and
 * backslash would be escaped here and read back there.
 */
export function toTextArray(texts: readonly (Buffer | null)[]): Buffer {
  const head = Buffer.alloc(20);
  head.writeInt32BE(1, 0); // dimensions
  head.writeInt32BE(1, 4); // there may be nulls
  head.writeInt32BE(textOid, 8);
  head.writeInt32BE(texts.length, 12);
  head.writeInt32BE(1, 16); // index of the first element
  return Buffer.concat([
    head,
    ...texts.flatMap((text) =>
      text === null ? [lengthBytes(nullLength)] : [lengthBytes(text.length), text],
    ),
  ]);
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(length);
  return bytes;
}

/** Bytes that grow, with the integers and structures of Thrift's compact protocol, in which Parquet describes a file. */

export type ByteWriter = {
  readonly length: () => number;
  readonly byte: (value: number) => void;
  readonly bytes: (source: Uint8Array) => void;
  readonly range: (source: Buffer, from: number, to: number) => void;
  readonly uint32: (value: number) => void;
  /** Seven bits in each byte, the lowest first. */
  readonly varint: (value: number) => void;
  /** Numbers of a width in bits, the lowest bits first, in units of eight numbers. */
  readonly bits: (values: Int32Array, count: number, width: number) => void;
  /** So many bytes of zero, to be filled before the next write. */
  readonly zeros: (count: number) => Buffer;
  /** Of what is written so far: valid until the next write. */
  readonly view: () => Buffer;
  /** To this length. */
  readonly cut: (to: number) => void;
  readonly clear: () => void;
};

export function createByteWriter(size = 4_096): ByteWriter {
  let buffer = Buffer.allocUnsafe(size);
  let length = 0;
  const reserve = (count: number) => {
    if (length + count <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + count));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  return {
    length: () => length,
    byte: (value) => {
      reserve(1);
      buffer[length++] = value;
    },
    bytes: (source) => {
      reserve(source.length);
      buffer.set(source, length);
      length += source.length;
    },
    range: (source, from, to) => {
      reserve(to - from);
      source.copy(buffer, length, from, to);
      length += to - from;
    },
    uint32: (value) => {
      reserve(4);
      length = buffer.writeUInt32LE(value, length);
    },
    bits: (values, count, width) => {
      const units = Math.ceil(count / 8);
      reserve(units * width);
      let [held, bits] = [0, 0];
      for (let index = 0; index < units * 8; index++) {
        held |= (index < count ? (values[index] ?? 0) : 0) << bits;
        bits += width;
        while (bits >= 8) {
          buffer[length++] = held & 0xff;
          held >>>= 8;
          bits -= 8;
        }
      }
    },
    zeros: (count) => {
      reserve(count);
      const begin = length;
      length += count;
      return buffer.subarray(begin, length).fill(0);
    },
    varint: (value) => {
      reserve(9);
      let rest = value;
      while (rest > 127) {
        buffer[length++] = (rest % 128) + 128;
        rest = Math.floor(rest / 128);
      }
      buffer[length++] = rest;
    },
    view: () => buffer.subarray(0, length),
    cut: (to) => {
      length = to;
    },
    clear: () => {
      length = 0;
    },
  };
}

/** A value of a structure. Fields are in the order of their ids. */
export type ThriftValue =
  | { readonly int32: number }
  | { readonly int64: number }
  | { readonly text: string }
  | { readonly list: readonly ThriftValue[] }
  | { readonly struct: ThriftStruct };
export type ThriftStruct = readonly (readonly [id: number, value: ThriftValue])[];

const types = { int32: 5, int64: 6, text: 8, list: 9, struct: 12 } as const;

const typeOf = (value: ThriftValue): number => types[Object.keys(value)[0] as keyof typeof types];

export function writeStruct(out: ByteWriter, fields: ThriftStruct): void {
  let last = 0;
  for (const [id, value] of fields) {
    out.byte(((id - last) << 4) | typeOf(value));
    last = id;
    writeValue(out, value);
  }
  out.byte(0);
}

const listSizeInHeader = 15;

function writeValue(out: ByteWriter, value: ThriftValue): void {
  // All integers here are not negative: zigzag doubles them.
  if ('int32' in value) out.varint(value.int32 * 2);
  else if ('int64' in value) out.varint(value.int64 * 2);
  else if ('struct' in value) writeStruct(out, value.struct);
  else if ('text' in value) {
    const bytes = Buffer.from(value.text);
    out.varint(bytes.length);
    out.bytes(bytes);
  } else {
    const { list } = value;
    const type = list[0] === undefined ? types.int32 : typeOf(list[0]);
    if (list.length < listSizeInHeader) out.byte((list.length << 4) | type);
    else {
      out.byte(0xf0 | type);
      out.varint(list.length);
    }
    for (const item of list) writeValue(out, item);
  }
}

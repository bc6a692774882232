/** One column of a group of rows in a Parquet file: its pages, and what describes them. */

import { constants, zstdCompressSync } from 'node:zlib';
import {
  type ByteWriter,
  type ThriftStruct,
  type ThriftValue,
  writeStruct,
} from './byte-writer.ts';
import { columnTypes, type FileColumn } from './parquet-columns.ts';

export const encodings = { plain: 0, rle: 3, dictionary: 8 } as const;
const codecs = { none: 0, zstd: 6 } as const;
const pageTypes = { data: 0, dictionary: 2 } as const;
/** To compress a small page takes longer than to store it. */
const compressedMin = 8_192;
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

type DataPage = { readonly data: ByteWriter; readonly encoding: number };
type DictionaryPage = { readonly bytes: ByteWriter; readonly count: number };

/** One or two pages; returns their description. */
export function writeChunk(
  out: ByteWriter,
  column: FileColumn,
  rows: number,
  { data, encoding }: DataPage,
  dictionary?: DictionaryPage,
): ThriftValue {
  const size = data.length() + (dictionary?.bytes.length() ?? 0);
  // Ids are random.
  const isCompressed = size >= compressedMin && column.type !== columnTypes.uuid;
  const codec = isCompressed ? codecs.zstd : codecs.none;
  const begin = out.length();
  let uncompressed = 0;
  if (dictionary !== undefined) {
    const header: ThriftStruct = [
      [1, { int32: dictionary.count }],
      [2, { int32: encodings.plain }],
    ];
    const description = [7, { struct: header }] as const;
    uncompressed += writePage(out, dictionary.bytes, codec, pageTypes.dictionary, description);
  }
  const dataOffset = out.length();
  const header: ThriftStruct = [
    [1, { int32: rows }],
    [2, { int32: encoding }],
    [3, { int32: encodings.rle }],
    [4, { int32: encodings.rle }],
  ];
  uncompressed += writePage(out, data, codec, pageTypes.data, [5, { struct: header }]);
  const used = dictionary === undefined ? [encoding] : [encodings.plain, encoding];
  const description: ThriftStruct = [
    [1, { int32: column.type.physical }],
    [2, { list: used.map((int32) => ({ int32 })) }],
    [3, { list: [{ text: column.name }] }],
    [4, { int32: codec }],
    [5, { int64: rows }],
    [6, { int64: uncompressed }],
    [7, { int64: out.length() - begin }],
    [9, { int64: dataOffset }],
    ...(dictionary === undefined ? [] : ([[11, { int64: begin }]] as const)),
  ];
  return {
    struct: [
      [2, { int64: begin }],
      [3, { struct: description }],
    ],
  };
}

/** Returns its size without compression. */
function writePage(
  out: ByteWriter,
  content: ByteWriter,
  codec: number,
  type: number,
  header: ThriftStruct[number],
): number {
  const bytes = content.view();
  const stored = codec === codecs.none ? bytes : zstdCompressSync(bytes, zstdOptions);
  const begin = out.length();
  writeStruct(out, [
    [1, { int32: type }],
    [2, { int32: bytes.length }],
    [3, { int32: stored.length }],
    header,
  ]);
  const headerLength = out.length() - begin;
  out.bytes(stored);
  return headerLength + bytes.length;
}

/**
 * Writes small Parquet files. DuckDB takes four milliseconds for each, of which the rows are a tenth: a run has two for
 * each statement. The same rows make the same bytes.
 */

import { type ByteWriter, createByteWriter, type ThriftValue, writeStruct } from './byte-writer.ts';
import { encodings, writeChunk } from './parquet-chunk.ts';
import {
  type CodedColumn,
  columnTypes,
  type FileColumn,
  type NumberColumn,
} from './parquet-columns.ts';

export type ParquetWriter = {
  /** Writes the first rows of the columns as a group. */
  readonly writeGroup: (rows: number) => void;
  /** The whole file. The next group begins another one. */
  readonly endFile: () => Buffer;
};

const magic = Buffer.from('PAR1');
export function createParquetWriter(columns: readonly FileColumn[]): ParquetWriter {
  const out = createByteWriter(1_048_576);
  const encoders = columns.map(createEncoder);
  let groups: ThriftValue[] = [];
  let rowCount = 0;
  out.bytes(magic);
  return {
    writeGroup: (rows) => {
      const begin = out.length();
      const chunks = encoders.map((encode) => encode(out, rows));
      groups.push({
        struct: [
          [1, { list: chunks }],
          [2, { int64: out.length() - begin }],
          [3, { int64: rows }],
        ],
      });
      rowCount += rows;
    },
    endFile: () => {
      const begin = out.length();
      writeStruct(out, [
        [1, { int32: 1 }],
        [2, { list: schemaOf(columns) }],
        [3, { int64: rowCount }],
        [4, { list: groups }],
        [6, { text: 'tonearm' }],
      ]);
      out.uint32(out.length() - begin);
      out.bytes(magic);
      const file = Buffer.from(out.view());
      out.clear();
      out.bytes(magic);
      [groups, rowCount] = [[], 0];
      return file;
    },
  };
}

const schemaOf = (columns: readonly FileColumn[]): ThriftValue[] => [
  {
    struct: [
      [4, { text: 'schema' }],
      [5, { int32: columns.length }],
    ],
  },
  ...columns.map((column): ThriftValue => {
    const { name, type } = column;
    const isFixed = type.length !== undefined && type !== columnTypes.bigint;
    return {
      struct: [
        [1, { int32: type.physical }],
        ...(isFixed ? ([[2, { int32: type.length }]] as const) : []),
        [3, { int32: isOptional(column) ? 1 : 0 }],
        [4, { text: name }],
        ...type.schema,
      ],
    };
  }),
];

const isOptional = (column: FileColumn): boolean => 'numbers' in column && column.isOptional;

type Encoder = (out: ByteWriter, rows: number) => ThriftValue;

function createEncoder(column: FileColumn): Encoder {
  const page = createByteWriter();
  if ('numbers' in column) {
    const levels = new Int32Array(column.numbers.length);
    return (out, rows) => writeNumbers(out, page, column, levels, rows);
  }
  if (column.type === columnTypes.boolean)
    return (out, rows) => {
      page.clear();
      page.bits(column.codes, rows, 1);
      page.cut(Math.ceil(rows / 8));
      return writeChunk(out, column, rows, { data: page, encoding: encodings.plain });
    };
  const count = column.dictionary.offsets.length;
  const places = {
    place: new Int32Array(count),
    group: new Int32Array(count),
    groupNumber: 0,
    ofRows: new Int32Array(column.codes.length),
    values: createByteWriter(),
  };
  return (out, rows) => writeCodes(out, page, column, places, rows);
}

function writeNumbers(
  out: ByteWriter,
  page: ByteWriter,
  column: NumberColumn,
  levels: Int32Array,
  rows: number,
): ThriftValue {
  page.clear();
  const { numbers, large, type } = column;
  if (column.isOptional) {
    for (let row = 0; row < rows; row++)
      levels[row] = Number.isNaN(numbers[row]) && !large.has(row) ? 0 : 1;
    writeLevels(page, levels, rows);
  }
  const width = type.length ?? 8;
  const begin = page.length();
  const bytes = page.zeros(rows * width);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const value = numbers[row] ?? 0;
    if (Number.isNaN(value)) {
      const big = large.get(row);
      if (big === undefined) continue;
      writeLarge(bytes, at, width, big);
    } else if (type === columnTypes.bigint) writeLittleEndian(bytes, at, value);
    else writeBigEndian(bytes, at, width, value);
    at += width;
  }
  large.clear();
  page.cut(begin + at);
  return writeChunk(out, column, rows, { data: page, encoding: encodings.plain });
}

const word = 2 ** 32;

function writeLittleEndian(bytes: Buffer, at: number, value: number): void {
  const high = Math.floor(value / word);
  bytes.writeUInt32LE(value - high * word, at);
  bytes.writeInt32LE(high, at + 4);
}

function writeBigEndian(bytes: Buffer, at: number, width: number, value: number): void {
  const high = Math.floor(value / word);
  if (high < 0) bytes.fill(0xff, at, at + width - 8);
  bytes.writeInt32BE(high, at + width - 8);
  bytes.writeUInt32BE(value - high * word, at + width - 4);
}

function writeLarge(bytes: Buffer, at: number, width: number, value: bigint): void {
  if (width === 8) {
    bytes.writeBigInt64LE(value, at);
    return;
  }
  const text = BigInt.asUintN(width * 8, value).toString(16);
  bytes.write(text.padStart(width * 2, '0'), at, 'hex');
}

/** Which rows have a value: one run of bits, after its length. */
function writeLevels(page: ByteWriter, levels: Int32Array, rows: number): void {
  const units = Math.ceil(rows / 8);
  const header = createByteWriter(8);
  header.varint(units * 2 + 1);
  page.uint32(header.length() + units);
  page.bytes(header.view());
  page.bits(levels, rows, 1);
}

type Places = {
  readonly place: Int32Array;
  readonly group: Int32Array;
  readonly ofRows: Int32Array;
  readonly values: ByteWriter;
  groupNumber: number;
};

/** A group has a dictionary of its own, in the order in which the values appear. */
function writeCodes(
  out: ByteWriter,
  page: ByteWriter,
  column: CodedColumn,
  places: Places,
  rows: number,
): ThriftValue {
  const { place, group, ofRows, values } = places;
  const { bytes, offsets } = column.dictionary;
  const groupNumber = ++places.groupNumber;
  let [count, runs, last] = [0, 0, -1];
  values.clear();
  for (let row = 0; row < rows; row++) {
    const code = column.codes[row] ?? 0;
    if (group[code] !== groupNumber) {
      group[code] = groupNumber;
      place[code] = count++;
      values.range(bytes, offsets[code] ?? 0, offsets[code + 1] ?? 0);
    }
    const own = place[code] ?? 0;
    ofRows[row] = own;
    if (own !== last) runs++;
    last = own;
  }
  page.clear();
  const width = Math.max(1, 32 - Math.clz32(count - 1));
  page.byte(width);
  if (runs * rowsPerRunMin <= rows) writeRuns(page, ofRows, rows, width);
  else {
    page.varint(Math.ceil(rows / 8) * 2 + 1);
    page.bits(ofRows, rows, width);
  }
  const data = { data: page, encoding: encodings.dictionary };
  return writeChunk(out, column, rows, data, { bytes: values, count });
}

/** Columns that the rows are sorted by have long runs of a value. */
const rowsPerRunMin = 16;

function writeRuns(page: ByteWriter, values: Int32Array, rows: number, width: number): void {
  for (let begin = 0; begin < rows;) {
    const value = values[begin] ?? 0;
    let end = begin + 1;
    while (end < rows && values[end] === value) end++;
    page.varint((end - begin) * 2);
    page.byte(value & 0xff);
    if (width > 8) page.byte(value >> 8);
    begin = end;
  }
}

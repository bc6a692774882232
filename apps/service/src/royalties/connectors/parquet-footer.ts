/**
 * The metadata of a Parquet file of integers without nulls, one plain page for each column of a row group, in Thrift's
 * compact protocol. Names and numbers of fields are those of parquet.thrift.
 */

import {
  createByteWriter,
  type ThriftStruct,
  type ThriftValue,
  writeStruct,
} from './byte-writer.ts';

export type IntegerColumn = {
  readonly name: string;
  readonly bytes: 4 | 8;
  /** Digits of a decimal, and those after its point. */
  readonly decimal?: { readonly precision: number; readonly scale: number };
};

export type WrittenGroup = {
  readonly rows: number;
  /** Where the page of each column begins, and its size with its header. */
  readonly chunks: readonly { readonly offset: number; readonly sizeBytes: number }[];
};

const physicalType = ({ bytes }: IntegerColumn): number => (bytes === 4 ? 1 : 2);
const plain = 0;
const runLength = 3;
const required = 0;
const decimalType = 5;
const uncompressed = 0;

/** Before the values of a page. */
export const pageHeader = (rows: number, sizeBytes: number): Buffer =>
  structBytes([
    [1, { int32: 0 }],
    [2, { int32: sizeBytes }],
    [3, { int32: sizeBytes }],
    [
      5,
      {
        struct: [
          [1, { int32: rows }],
          [2, { int32: plain }],
          [3, { int32: runLength }],
          [4, { int32: runLength }],
        ],
      },
    ],
  ]);

export function fileFooter(
  columns: readonly IntegerColumn[],
  groups: readonly WrittenGroup[],
): Buffer {
  const root: ThriftValue = {
    struct: [
      [4, { text: 'rows' }],
      [5, { int32: columns.length }],
    ],
  };
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  return structBytes([
    [1, { int32: 1 }],
    [2, { list: [root, ...columns.map(schemaOf)] }],
    [3, { int64: rows }],
    [4, { list: groups.map((group) => groupOf(columns, group)) }],
  ]);
}

const schemaOf = (column: IntegerColumn): ThriftValue => ({
  struct: [
    [1, { int32: physicalType(column) }],
    [3, { int32: required }],
    [4, { text: column.name }],
    ...decimalFields(column),
  ],
});

const decimalFields = ({ decimal }: IntegerColumn): ThriftStruct =>
  decimal === undefined
    ? []
    : [
        [6, { int32: decimalType }],
        [7, { int32: decimal.scale }],
        [8, { int32: decimal.precision }],
      ];

const groupOf = (
  columns: readonly IntegerColumn[],
  { rows, chunks }: WrittenGroup,
): ThriftValue => ({
  struct: [
    [
      1,
      {
        list: chunks.flatMap(({ offset, sizeBytes }, i) => {
          const column = columns[i];
          return column === undefined ? [] : [chunkOf(column, rows, offset, sizeBytes)];
        }),
      },
    ],
    [2, { int64: chunks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }],
    [3, { int64: rows }],
  ],
});

const chunkOf = (
  column: IntegerColumn,
  rows: number,
  offset: number,
  sizeBytes: number,
): ThriftValue => ({
  struct: [
    [2, { int64: offset }],
    [
      3,
      {
        struct: [
          [1, { int32: physicalType(column) }],
          [2, { list: [{ int32: plain }, { int32: runLength }] }],
          [3, { list: [{ text: column.name }] }],
          [4, { int32: uncompressed }],
          [5, { int64: rows }],
          [6, { int64: sizeBytes }],
          [7, { int64: sizeBytes }],
          [9, { int64: offset }],
        ],
      },
    ],
  ],
});

function structBytes(fields: ThriftStruct): Buffer {
  const out = createByteWriter();
  writeStruct(out, fields);
  return out.view();
}

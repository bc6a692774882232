/** The columns of a Parquet file: their types, and the rows of the group that is being written. */

import { createExactList, type ExactList } from '../domain/exact-number.ts';
import { type ByteWriter, createByteWriter, type ThriftStruct } from './byte-writer.ts';

/** A page of 100 rows of a statement reads one group. */
export const rowsPerGroup = 2_048;

/** Values by number, each in the bytes that Parquet has for its type. */
export type Dictionary = { readonly bytes: Buffer; readonly offsets: Uint32Array };

export type ColumnType = {
  readonly physical: number;
  /** Of each value in bytes, where it is fixed. */
  readonly length?: number;
  readonly schema: ThriftStruct;
};

const fixedLength = 7;
const decimal = (precision: number, scale: number, length: number) => ({
  physical: fixedLength,
  length,
  schema: [
    [6, { int32: 5 }],
    [7, { int32: scale }],
    [8, { int32: precision }],
  ] satisfies ThriftStruct,
});

export const columnTypes = {
  boolean: { physical: 0, schema: [] },
  date: { physical: 1, schema: [[6, { int32: 6 }]] },
  bigint: { physical: 2, length: 8, schema: [] },
  text: { physical: 6, schema: [[6, { int32: 0 }]] },
  uuid: {
    physical: fixedLength,
    length: 16,
    schema: [[10, { struct: [[14, { struct: [] }]] }]],
  },
  /** DECIMAL(24,6). */
  amount: decimal(24, 6, 11),
  /** DECIMAL(28,10). */
  sourceAmount: decimal(28, 10, 12),
  /** DECIMAL(20,10). */
  rate: decimal(20, 10, 9),
} as const satisfies Record<string, ColumnType>;

/** Of few values: rows have their numbers in a dictionary. */
export type CodedColumn = {
  readonly name: string;
  readonly type: ColumnType;
  readonly dictionary: Dictionary;
  readonly codes: Int32Array;
};

/** Of values that differ from row to row. */
export type NumberColumn = ExactList & {
  readonly name: string;
  readonly type: ColumnType;
  readonly isOptional: boolean;
};

export type FileColumn = CodedColumn | NumberColumn;

export const codedColumn = (
  name: string,
  type: ColumnType,
  dictionary: Dictionary,
): CodedColumn => ({ name, type, dictionary, codes: new Int32Array(rowsPerGroup) });

export const numberColumn = (name: string, type: ColumnType, isOptional = false): NumberColumn => ({
  name,
  type,
  isOptional,
  ...createExactList(rowsPerGroup),
});

export const textDictionary = (values: Iterable<string>): Dictionary =>
  dictionaryOf(values, (out, value) => {
    const bytes = Buffer.from(value);
    out.bytes(littleEndian(bytes.length));
    out.bytes(bytes);
  });

export const uuidDictionary = (values: Iterable<string>): Dictionary =>
  dictionaryOf(values, (out, uuid) => out.bytes(Buffer.from(uuid.replaceAll('-', ''), 'hex')));

const dayMs = 86_400_000;

/** A date and the days after it. */
export const dateDictionary = (first: string, dayCount: number): Dictionary => {
  const firstDay = Date.parse(first) / dayMs;
  const days = Array.from({ length: dayCount }, (_, day) => firstDay + day);
  return dictionaryOf(days, (out, day) => out.bytes(littleEndian(day)));
};

/** Rates in units of 10^-10. */
export const rateDictionary = (rates: Iterable<bigint>): Dictionary =>
  dictionaryOf(rates, (out, units) =>
    out.bytes(Buffer.from(units.toString(16).padStart(2 * columnTypes.rate.length, '0'), 'hex')),
  );

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function dictionaryOf<T>(
  values: Iterable<T>,
  write: (out: ByteWriter, value: T) => void,
): Dictionary {
  const out = createByteWriter();
  const offsets = [0];
  for (const value of values) {
    write(out, value);
    offsets.push(out.length());
  }
  return { bytes: Buffer.from(out.view()), offsets: Uint32Array.from(offsets) };
}

/** The values of Parquet files that our writer writes, as texts and numbers that lose no digit. */

import type { SchemaElement } from 'hyparquet';

/** What a reader expects of a column. */
export type ColumnKind =
  | 'text'
  | 'uuid'
  | 'date'
  | 'boolean'
  | 'integer'
  | 'decimal'
  | 'optional decimal';

type ValueOf = {
  readonly text: string;
  readonly uuid: string;
  /** Such as `2026-10-31`. */
  readonly date: string;
  readonly boolean: boolean;
  readonly integer: bigint;
  /** With the decimals of its column, such as `-0.000001`. */
  readonly decimal: string;
  readonly 'optional decimal': string | null;
};

export type ColumnKinds = Readonly<Record<string, ColumnKind>>;

export type RowOf<Columns extends ColumnKinds> = {
  readonly [Name in keyof Columns]: ValueOf[Columns[Name]];
};

/** Undefined for a column that our writer does not write. */
export function kindOf(element: SchemaElement): ColumnKind | undefined {
  const { type, converted_type: converted, logical_type: logical } = element;
  const isOptional = element.repetition_type === 'OPTIONAL';
  if (converted === 'DECIMAL') return isOptional ? 'optional decimal' : 'decimal';
  if (isOptional) return undefined;
  if (converted === 'UTF8') return 'text';
  if (converted === 'DATE') return 'date';
  if (logical?.type === 'UUID') return 'uuid';
  if (type === 'BOOLEAN') return 'boolean';
  return type === 'INT64' ? 'integer' : undefined;
}

const dayMs = 86_400_000;
const isoDateLength = 10;

export const dateText = (days: number): string =>
  new Date(days * dayMs).toISOString().slice(0, isoDateLength);

export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Two's complement, the highest byte first. */
export function decimalText(bytes: Uint8Array, scale: number): string {
  const sign = (bytes[0] ?? 0) >= 0x80 ? -1 : 0;
  let value = sign;
  for (const byte of bytes) value = value * 256 + byte;
  // Above the limit the number is rounded, but never to one below it.
  if (!Number.isSafeInteger(value)) return scaledText(largeValue(bytes), scale);
  return scaledText(value, scale);
}

function largeValue(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}

function scaledText(value: number | bigint, scale: number): string {
  const isNegative = value < 0;
  const digits = String(isNegative ? -value : value).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${isNegative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

import type { Column } from '../../platform/db/columns.ts';

/** The driver returns a bigint as text. Rows and bytes of a report are below 2^53. */
export const bigintColumn: Column<number> = {
  read: (stored: string) => Number(stored),
  write: (value) => value,
};

/** A SHA-256 as hex, stored as bytes. */
export const digestColumn = {
  read: (stored: Buffer) => stored.toString('hex'),
  write: (hex: string) => Buffer.from(hex, 'hex'),
  toJson: (hex: string) => `\\x${hex}`,
} satisfies Column<string>;

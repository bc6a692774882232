/**
 * Writes the rows of a report as a Parquet file of numbers, for the process that matches them. By hand, because rows reach
 * DuckDB through its interface for Node.js one value at a time, which takes longer than everything else about a row.
 */

import { closeSync, openSync, writeSync } from 'node:fs';
import { fileFooter, type IntegerColumn, pageHeader, type WrittenGroup } from './parquet-footer.ts';

/** As DuckDB. */
const rowsPerGroup = 122_880;
const magic = Buffer.from('PAR1');

/** For a count that cannot be read, and for an amount that does not fit, which is in a file of its own. */
export const missingNumber = -(2n ** 63n);

const columns = [
  { name: 'entity_id', bytes: 4 },
  { name: 'context_id', bytes: 4 },
  { name: 'units', bytes: 8 },
  { name: 'amount', bytes: 8, decimal: { precision: 18, scale: 10 } },
] as const satisfies readonly IntegerColumn[];

export type RowWriter = {
  /** Numbers of at most 64 bits. The row has the next number, from 0. */
  readonly add: (
    entity: number,
    context: number,
    units: number | bigint,
    amount: number | bigint,
  ) => void;
  readonly finish: () => void;
  /** Without effect after `finish`. */
  readonly close: () => void;
};

export function createRowWriter(path: string): RowWriter {
  const file = openSync(path, 'w');
  const entities = new Int32Array(rowsPerGroup);
  const contexts = new Int32Array(rowsPerGroup);
  const [units, amounts] = [longColumn(), longColumn()];
  const groups: WrittenGroup[] = [];
  let [rows, offset, isOpen] = [0, 0, true];

  const write = (...parts: readonly Uint8Array[]): number => {
    const before = offset;
    for (const part of parts) {
      for (let at = 0; at < part.length;) at += writeSync(file, part, at);
      offset += part.length;
    }
    return offset - before;
  };
  const writeGroup = () => {
    const pages = [entities, contexts, units.values, amounts.values].map(
      (values, i) => new Uint8Array(values.buffer, 0, rows * (columns[i]?.bytes ?? 0)),
    );
    const chunks = pages.map((page) => ({
      offset,
      sizeBytes: write(pageHeader(rows, page.length), page),
    }));
    groups.push({ rows, chunks });
    rows = 0;
  };
  write(magic);
  return {
    add: (entity, context, unit, amount) => {
      entities[rows] = entity;
      contexts[rows] = context;
      units.set(rows, unit);
      amounts.set(rows, amount);
      rows += 1;
      if (rows === rowsPerGroup) writeGroup();
    },
    finish: () => {
      if (rows > 0) writeGroup();
      const footer = fileFooter(columns, groups);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(footer.length);
      write(footer, length, magic);
    },
    close: () => {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}

const wordSize = 2 ** 32;

/** 64-bit numbers. Two words are stored instead of a BigInt, which would be allocated for each value. */
function longColumn() {
  const values = new BigInt64Array(rowsPerGroup);
  const words = new Int32Array(values.buffer);
  const set = (row: number, value: number | bigint) => {
    if (typeof value === 'bigint') values[row] = value;
    else {
      const high = Math.floor(value / wordSize);
      words[2 * row] = value - high * wordSize;
      words[2 * row + 1] = high;
    }
  };
  return { values, set };
}

/**
 * Adds up the amounts in a Parquet file of a statement, with Node 24 alone: node examples/parquet-amounts.ts FILE
 * Any library for Parquet finds the same: these columns are DECIMAL(24,6), plain pages of 11 bytes a row, some of them
 * compressed. `verify-statement.ts` uses it.
 */

import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';

// oxlint-disable-next-line typescript/no-explicit-any -- parquet.thrift says what each field is
type Fields = any;
type Struct = { readonly fields: Fields; readonly end: number };

/** A struct of Thrift's compact protocol, by the numbers of its fields. Parquet's numbers are not negative. */
function readStruct(file: Buffer, start: number): Struct {
  let at = start;
  const varint = (scale = 1, byte = file[at++] ?? 0): number =>
    byte < 128 ? byte * scale : (byte - 128) * scale + varint(scale * 128);
  const readText = (length = varint()) => file.toString('utf8', at, (at += length));
  const readList = (head = file[at++] ?? 0): Fields =>
    Array.from({ length: head < 240 ? head >> 4 : varint() }, () => readValue(head & 15));
  const readFields = (fields: Fields = {}): Fields => {
    let number = 0;
    for (let head = file[at++] ?? 0; head !== 0; head = file[at++] ?? 0) {
      number = head < 16 ? varint() / 2 : number + (head >> 4);
      fields[number] = readValue(head & 15);
    }
    return fields;
  };
  const readers: Record<number, () => Fields> = { 8: readText, 9: readList, 12: readFields };
  const readValue = (type: number): Fields => (readers[type] ?? (() => varint() / 2))();
  return { fields: readFields(), end: at };
}

const amountBytes = 11;
const zstd = 6;

/** The number of rows, and the sum of each column with amounts in micros. */
export function sumAmounts(file: Buffer): Record<string, bigint> & { rows: bigint } {
  const sums: Record<string, bigint> & { rows: bigint } = { rows: 0n };
  const footer = readStruct(file, file.length - 8 - file.readUInt32LE(file.length - 8)).fields;
  const amounts: string[] = footer[2]
    .filter((column: Fields) => column[2] === amountBytes)
    .map((column: Fields) => column[4]);
  for (const chunk of footer[4].flatMap((group: Fields) => group[1])) {
    const { 3: path, 4: codec, 9: offset } = chunk[3];
    const name: string = path[0];
    if (!amounts.includes(name)) continue;
    const { fields: page, end: begin } = readStruct(file, offset);
    const stored = file.subarray(begin, begin + page[3]);
    const values = codec === zstd ? zstdDecompressSync(stored) : stored;
    if (name === amounts[0]) sums.rows += BigInt(values.length / amountBytes);
    for (let at = 0; at < values.length; at += amountBytes) {
      const bits = BigInt(`0x${values.toString('hex', at, at + amountBytes)}`);
      sums[name] = (sums[name] ?? 0n) + BigInt.asIntN(8 * amountBytes, bits);
    }
  }
  return sums;
}

if (import.meta.main) console.log(sumAmounts(readFileSync(process.argv[2] ?? '')));

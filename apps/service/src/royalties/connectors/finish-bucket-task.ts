/** The second pass over a bucket, in a process of its own: royalty records with their taxes. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../../platform/process/child-task.ts';
import type { FinishedPart } from '../domain/calculated-part.ts';
import { getExact, setExact, subtract } from '../domain/exact-number.ts';
import { amountOf, headOf } from './bucket-summary.ts';
import type { FinishedBucket, FinishInput } from './finish-bucket.ts';
import { divideTaxes, type RecordTaxes } from './finish-taxes.ts';
import { addTo, createTotals, noSums, type Sums } from './finish-totals.ts';
import { codedColumn, columnTypes, numberColumn, textDictionary } from './parquet-columns.ts';
import { createPartFiles, type WrittenFile } from './part-files.ts';
import { readRecordFile, type RecordFile } from './record-file.ts';

export const run: Task<FinishInput, FinishedBucket> = async (input) => {
  const { bucket, folder, recordsPath } = input;
  const file = readRecordFile(recordsPath);
  const taxes = divideTaxes(input, file);
  const { columns, fill } = createRoyaltyColumns(file);
  const files = createPartFiles(columns, 'royalties', bucket, folder);
  const totals = createTotals(bucket, file);
  const sums = bucket.statements.map(() => ({ count: 0, values: noSums() }));
  for (let record = 0; record < file.records.head.length; record++) {
    const head = headOf(file.records, record);
    const values = valuesOf(file, taxes, record);
    fill(files.nextRow(head.statement), record, values);
    totals.add(head, file.release[file.records.track[record] ?? 0] ?? 0, values);
    const sum = sums[head.statement];
    if (sum === undefined) throw new Error(`statement ${head.statement} is not in the bucket`);
    sum.count++;
    addTo(sum.values, values);
  }
  const parts = files.end().map((written, statement) => partOf(input, statement, written, sums));
  const lines = totals.end();
  const totalsPath = join(folder, `totals-${bucket.number}.csv`);
  writeFileSync(totalsPath, lines.map((line) => `${line}\n`).join(''));
  return { parts, totalsPath, totalsCount: lines.length };
};

function valuesOf({ records }: RecordFile, taxes: RecordTaxes, record: number): Sums {
  const gross = getExact(records.gross, record);
  const fee = getExact(records.fee, record);
  const sourceTax = getExact(taxes.sourceTax, record);
  const payeeTax = getExact(taxes.payeeTax, record);
  const net = subtract(subtract(subtract(gross, fee), sourceTax), payeeTax);
  return [getExact(records.plays, record), gross, fee, sourceTax, payeeTax, net];
}

/** The columns of a file with royalty records, and how they are filled. */
function createRoyaltyColumns(file: RecordFile) {
  const { records, codes } = file;
  const { text, uuid, bigint, amount } = columnTypes;
  const releaseId = codedColumn('release_id', uuid, file.releaseIds);
  const trackId = codedColumn('track_id', uuid, file.trackIds);
  const isrc = codedColumn('isrc', text, file.isrcs);
  const storeId = codedColumn('store_id', text, textDictionary(codes.storeIds));
  const territory = codedColumn('territory', text, textDictionary(codes.territories));
  const usageMonth = codedColumn('usage_month', text, textDictionary(codes.usageMonths));
  const numbers = [
    numberColumn('play_count', bigint),
    numberColumn('gross_amount', amount),
    numberColumn('fee_amount', amount),
    numberColumn('source_tax_amount', amount),
    numberColumn('payee_tax_amount', amount),
    numberColumn('net_amount', amount),
  ];
  const fill = (row: number, record: number, values: Readonly<Sums>): void => {
    const head = headOf(records, record);
    const track = records.track[record] ?? 0;
    releaseId.codes[row] = file.release[track] ?? 0;
    trackId.codes[row] = track;
    isrc.codes[row] = file.isrc[track] ?? 0;
    storeId.codes[row] = head.store;
    territory.codes[row] = head.territory;
    usageMonth.codes[row] = head.usageMonth;
    for (const [index, column] of numbers.entries()) setExact(column, row, values[index] ?? 0);
  };
  return { columns: [releaseId, trackId, isrc, storeId, territory, usageMonth, ...numbers], fill };
}

function partOf(
  { bucket }: FinishInput,
  statement: number,
  file: WrittenFile,
  sums: readonly { readonly count: number; readonly values: Sums }[],
): FinishedPart {
  const of = bucket.statements[statement];
  const sum = sums[statement];
  if (of === undefined || sum === undefined)
    throw new Error(`statement ${statement} is not in the bucket`);
  const [gross = '', fee = '', sourceTax = '', payeeTax = '', net = ''] = sum.values
    .slice(1)
    .map(amountOf);
  return {
    statementId: of.statementId,
    part: of.part,
    royalties: { ...file, rowCount: sum.count, amount: net },
    grossAmount: gross,
    feeAmount: fee,
    sourceTaxAmount: sourceTax,
    payeeTaxAmount: payeeTax,
    netAmount: net,
  };
}

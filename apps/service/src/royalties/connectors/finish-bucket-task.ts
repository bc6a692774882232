/** The second pass over a bucket, in a process of its own: royalty records with their taxes. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../../platform/process/child-task.ts';
import type { FinishedPart } from '../domain/calculated-part.ts';
import { incomeTypeOf } from '../domain/calculation.ts';
import { divideRecord, type RecordDeductions } from '../domain/divide-record.ts';
import { add, type Exact, getExact, setExact, subtract } from '../domain/exact-number.ts';
import { grainNames, type TotalsOf } from '../domain/totals.ts';
import { sortedUseTypes } from './bucket-codes.ts';
import type { ItemHead } from './bucket-items.ts';
import { amountOf, headOf } from './bucket-summary.ts';
import type { FinishedBucket, FinishInput } from './finish-bucket.ts';
import { divideTaxes, type RecordTaxes } from './finish-taxes.ts';
import { addTo, createTotals, noSums, type RecordValues, type Sums } from './finish-totals.ts';
import { codedColumn, columnTypes, numberColumn, textDictionary } from './parquet-columns.ts';
import { createPartFiles, type WrittenFile } from './part-files.ts';
import { readRecordFile, type RecordFile } from './record-file.ts';
import { createUseReader, severalUses, type UsePart } from './record-uses.ts';

export const run: Task<FinishInput, FinishedBucket> = async (input) => {
  const { bucket, folder, recordsPath } = input;
  const file = readRecordFile(recordsPath);
  const taxes = divideTaxes(input, file);
  const { columns, fill } = createRoyaltyColumns(file);
  const files = createPartFiles(columns, 'royalties', bucket, folder);
  const totals = createTotals(bucket, file);
  const valuesOf = createValues(file, taxes);
  const sums: StatementSums[] = bucket.statements.map(() => ({
    count: 0,
    values: noSums(),
    sections: [],
  }));
  let last: ItemHead | undefined;
  for (let record = 0; record < file.records.head.length; record++) {
    const head = headOf(file.records, record);
    const found = valuesOf(record);
    const { values } = found;
    fill(files.nextRow(head.statement), record, values);
    totals.add(head, found);
    const sum = sums[head.statement];
    if (sum === undefined) throw new Error(`statement ${head.statement} is not in the bucket`);
    sum.count++;
    addTo(sum.values, values);
    if (head !== last) sum.sections.push({ head, count: 0 });
    last = head;
    const section = sum.sections.at(-1);
    if (section !== undefined) section.count++;
  }
  const parts = files
    .end()
    .map((written, statement) => partOf(input, file, statement, written, sums));
  return { parts, totals: writeTotals(input, totals.end()) };
};

type StatementSums = {
  count: number;
  readonly values: Sums;
  readonly sections: { readonly head: ItemHead; count: number }[];
};

function writeTotals(
  { bucket, folder }: FinishInput,
  lines: TotalsOf<string>,
): FinishedBucket['totals'] {
  const files = grainNames.map((grain) => {
    const path = join(folder, `totals-${grain}-${bucket.number}.csv`);
    writeFileSync(path, lines[grain].map((line) => `${line}\n`).join(''));
    return [grain, { path, count: lines[grain].length }] as const;
  });
  // Of all grains.
  return Object.fromEntries(files) as FinishedBucket['totals'];
}

/** Of each record, in their order. */
function createValues(
  { records, codes }: RecordFile,
  taxes: RecordTaxes,
): (record: number) => RecordValues {
  const partsOf = createUseReader(records.useParts);
  const usesPerType = codes.accountingMonths.length;
  return (record) => {
    const [plays, gross] = [getExact(records.plays, record), getExact(records.gross, record)];
    const deductions = deductionsOf(records.fee, taxes, record);
    const values = sumsOf(plays, gross, {
      fee: deductions.fee,
      sourceTax: deductions.sourceTax,
      payeeTax: add(deductions.payeeTax.royalty, deductions.payeeTax.sale),
    });
    const use = records.use[record] ?? 0;
    const uses =
      use === severalUses
        ? divideUses(partsOf(record), deductions, usesPerType)
        : ([[use, values]] as const);
    return { track: records.track[record] ?? 0, values, uses };
  };
}

const deductionsOf = (
  fees: RecordFile['records']['fee'],
  { sourceTax, payeeTax }: RecordTaxes,
  record: number,
): RecordDeductions => ({
  fee: getExact(fees, record),
  sourceTax: getExact(sourceTax, record),
  payeeTax: {
    royalty: getExact(payeeTax.royalty, record),
    sale: getExact(payeeTax.sale, record),
  },
});

function divideUses(
  parts: readonly UsePart[],
  deductions: RecordDeductions,
  usesPerType: number,
): RecordValues['uses'] {
  const shares = divideRecord(
    parts.map(({ use, gross, feeNumerator }) => {
      const useType = sortedUseTypes[Math.floor(use / usesPerType)];
      if (useType === undefined) throw new Error(`use ${use} has no use type`);
      return { incomeType: incomeTypeOf(useType), gross, feeNumerator };
    }),
    deductions,
  );
  return parts.map(({ use, plays, gross }, index) => {
    const share = shares[index] ?? { fee: 0, sourceTax: 0, payeeTax: 0 };
    return [use, sumsOf(plays, gross, share)];
  });
}

const sumsOf = (
  plays: Exact,
  gross: Exact,
  { fee, sourceTax, payeeTax }: Readonly<Record<'fee' | 'sourceTax' | 'payeeTax', Exact>>,
): Sums => {
  const net = subtract(subtract(subtract(gross, fee), sourceTax), payeeTax);
  return [plays, gross, fee, sourceTax, payeeTax, net];
};

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
  { codes }: RecordFile,
  statement: number,
  file: WrittenFile,
  sums: readonly StatementSums[],
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
    sections: sum.sections.map(({ head, count }) => [
      codes.storeIds[head.store] ?? '',
      codes.territories[head.territory] ?? '',
      codes.usageMonths[head.usageMonth] ?? '',
      count,
    ]),
    grossAmount: gross,
    feeAmount: fee,
    sourceTaxAmount: sourceTax,
    payeeTaxAmount: payeeTax,
    netAmount: net,
  };
}

/** The reports of `prove money`, written as their stores do: each in two files. */

import { dsrFile, header, sale, summary } from '../dsr-builder.ts';
import {
  formatUnits,
  makeRows,
  type Row,
  type StoreName,
  sumOf,
  territories,
} from './money-world.ts';
import type { Random } from './random.ts';

type Period = {
  readonly start: string;
  readonly end: string;
  readonly usageMonth: string;
  readonly accountingMonth: string;
};

export type MadeReport = {
  readonly store: StoreName;
  /** Of its files. */
  readonly name: string;
  readonly period: Period;
  readonly rows: readonly Row[];
  readonly files: readonly string[];
};

export type ReportWish = {
  readonly store: StoreName;
  /** Makes two reports of one store and month differ. */
  readonly name: string;
  readonly usageMonth: string;
  readonly statementMonth: string;
  readonly rowCount: number;
};

/** A report about an earlier month than that of the statement is a late one. */
export function makeReport(random: Random, wish: ReportWish): MadeReport {
  const { store, name, usageMonth } = wish;
  const rows = makeRows(random, store, wish.rowCount);
  const period = {
    start: `${usageMonth}-01`,
    end: `${usageMonth}-28`,
    usageMonth,
    // Only the second store says in which month it accounts for the usage.
    accountingMonth: store === 'fiscal' ? wish.statementMonth : usageMonth,
  };
  return { store, name, period, rows, files: writeFiles({ store, name, period, rows }) };
}

const fiscalUses: Readonly<Record<string, string>> = {
  ad_supported_stream: 'Ad-Funded',
  subscription_stream: 'Subscription',
  download: 'Song',
  ugc: 'UGC',
  penalty: 'Penalty',
};

/** As it is in the file. */
export const writtenUse = (store: StoreName, { use }: Row): string =>
  store === 'fiscal' ? (fiscalUses[use] ?? use) : use;

function writeFiles({ store, name, period, rows }: Omit<MadeReport, 'files'>): readonly string[] {
  const middle = Math.floor(rows.length / 2);
  const halves = [rows.slice(0, middle), rows.slice(middle)];
  if (store === 'plain') return halves.map((part) => plainFile(part, period));
  if (store === 'fiscal') return halves.map((part) => fiscalFile(part, period));
  return halves.map((_, file) => dsrFileOf(halves, file, period, name));
}

function plainFile(rows: readonly Row[], { start, end }: Period): string {
  const head = 'isrc,upc,title,quantity,amount,period_start,period_end,territory,use_type,currency';
  const lines = rows.map(({ isrc, upc, title, quantity, amount, territory, use, currency }) =>
    [isrc, upc, `"${title}"`, quantity, formatUnits(amount), start, end, territory, use]
      .concat(currency)
      .join(','),
  );
  return `${[head, ...lines].join('\n')}\n`;
}

const usDate = (date: string): string => date.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1');

function fiscalFile(rows: readonly Row[], { start, end, accountingMonth }: Period): string {
  const head =
    'Start Date\tEnd Date\tFiscal Month\tUPC\tISRC\tTitle\tQuantity\tExtended Partner Share\tPartner Share Currency\tCountry Of Sale\tProduct Type';
  const lines = rows.map((row) =>
    [usDate(start), usDate(end), accountingMonth, row.upc, row.isrc, row.title, row.quantity]
      .concat(formatUnits(row.amount), row.currency, row.territory, writtenUse('fiscal', row))
      .join('\t'),
  );
  const totals = [...Map.groupBy(rows, ({ currency }) => currency)].map(
    ([currency, own]) => `Total\t${currency}\t${own.length}\t${formatUnits(sumOf(own))}`,
  );
  return `${[head, ...lines, `Total_Rows\t${rows.length}`, ...totals].join('\n')}\n`;
}

/** A summary record for each territory; the use type of all rows is that of the record. */
function dsrFileOf(
  halves: readonly (readonly Row[])[],
  file: number,
  { start, end }: Period,
  name: string,
): string {
  const idOf = (territory: string) => String(territories.indexOf(territory) + 1);
  const byTerritory = Map.groupBy(halves.flat(), ({ territory }) => territory);
  const summaries = [...byTerritory].map(([territory, rows]) =>
    summary(formatUnits(sumOf(rows)), {
      SummaryRecordId: idOf(territory),
      Territory: territory,
      ReportingPeriodStartDate: start,
      ReportingPeriodEndDate: end,
      CurrencyOfTransaction: 'USD',
      CurrencyOfAccounting: 'USD',
    }),
  );
  const sales = (halves[file] ?? []).map(({ isrc, title, territory, amount, quantity }, i) =>
    sale(formatUnits(amount), {
      SalesTransactionId: String(i + 1),
      ResourceISRC: isrc,
      ResourceTitle: title,
      SummaryRecordId: idOf(territory),
      SalesTransactionDate: end,
      TotalUsages: String(quantity),
      NetUsage: String(quantity),
    }),
  );
  const head = header({
    MessageId: name,
    FileNumber: String(file + 1),
    NumberOfFiles: String(halves.length),
    UsageStartDate: start,
    UsageEndDate: end,
  });
  return dsrFile([head, ...summaries, ...sales]);
}

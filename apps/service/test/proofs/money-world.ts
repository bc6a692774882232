/**
 * The world of `prove money`: partners, what stores have of them, and reports of random rows, each with what the service
 * must make of it. A row is of a partner, of nobody, of two partners at once, a fine, or cannot be read.
 */

import { createHash } from 'node:crypto';
import { dsrFile, header, sale, summary } from '../dsr-builder.ts';
import type { Random } from './random.ts';

export type Track = {
  readonly isrc: string;
  /** Indexes of partners: two of them share its code. */
  readonly partners: readonly number[];
};

export type StoreName = 'plain' | 'fiscal' | 'dsr';

export type MadeReport = {
  readonly store: StoreName;
  readonly format: 'plain_csv' | 'fiscal_csv' | 'dsr';
  readonly files: readonly string[];
  readonly expected: ExpectedReport;
};

export type ExpectedReport = {
  readonly read: number;
  readonly matched: number;
  readonly suspense: number;
  readonly rejected: number;
  /** By partner and currency, in units of 10^-10; fines are not in it. */
  readonly shares: ReadonlyMap<string, bigint>;
};

export const partnerCount = 6;
const tracksPerPartner = 6;
const territories = ['US', 'GB', 'DE', 'JP', 'SE'];
const uses = ['ad_supported_stream', 'subscription_stream', 'download', 'ugc'];
const fiscalUses: Readonly<Record<string, string>> = {
  ad_supported_stream: 'Ad-Funded',
  subscription_stream: 'Subscription',
  download: 'Song',
  ugc: 'UGC',
  penalty: 'Penalty',
};

const isrcOf = (number: number): string => `QZMNY26${String(number).padStart(5, '0')}`;

/** The last track is of the first two partners. */
export const tracks: readonly Track[] = [
  ...Array.from({ length: partnerCount * tracksPerPartner }, (_, i) => ({
    isrc: isrcOf(i * 37 + 1),
    partners: [i % partnerCount],
  })),
  { isrc: isrcOf(90_000), partners: [0, 1] },
];

export const uuidOf = (name: string): string =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

type Row = {
  readonly isrc: string;
  readonly territory: string;
  readonly use: string;
  readonly quantity: number;
  readonly amount: bigint;
  readonly currency: string;
  readonly kind: 'matched' | 'fine' | 'suspense' | 'rejected';
  readonly partner: number | null;
};

const unit = 10_000_000_000n;

export function formatUnits(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const size = units < 0n ? -units : units;
  return `${sign}${size / unit}.${String(size % unit).padStart(10, '0')}`;
}

/** A third are ties of rounding to six decimals. */
const amountOf = (random: Random): bigint =>
  random.below(3) === 0
    ? BigInt(1 + random.below(4_000_000)) * 5_000n
    : BigInt(1 + random.below(2_000_000_000)) * 7n;

function makeRow(random: Random, currencies: readonly string[], isDsr: boolean): Row {
  const track = random.pick(tracks);
  const owned = track.partners.length === 1;
  const row = {
    isrc: track.isrc,
    territory: random.pick(territories),
    use: random.pick(uses),
    quantity: 1 + random.below(500),
    amount: amountOf(random),
    currency: random.pick(currencies),
    kind: owned ? ('matched' as const) : ('suspense' as const),
    partner: owned ? (track.partners[0] ?? null) : null,
  };
  const dice = random.below(100);
  if (dice < 5) return { ...row, isrc: `QZUNK26${dice}1234`, kind: 'suspense', partner: null };
  if (isDsr || !owned) return row;
  if (dice < 15) return { ...row, quantity: -row.quantity, amount: -row.amount };
  if (dice < 18) return { ...row, use: 'penalty', quantity: 0, amount: -row.amount, kind: 'fine' };
  if (dice < 21) return { ...row, territory: 'XX', kind: 'rejected' };
  // Some partners have more returns than sales.
  return dice < 23 ? { ...row, quantity: -row.quantity, amount: -row.amount * 30n } : row;
}

function expectedOf(rows: readonly Row[]): ExpectedReport {
  const count = (...kinds: readonly string[]) => rows.filter((r) => kinds.includes(r.kind)).length;
  const shares = new Map<string, bigint>();
  for (const { kind, partner, currency, amount } of rows) {
    if (kind !== 'matched') continue;
    const key = `${partner} ${currency}`;
    shares.set(key, (shares.get(key) ?? 0n) + amount);
  }
  return {
    read: rows.length,
    matched: count('matched', 'fine'),
    suspense: count('suspense'),
    rejected: count('rejected'),
    shares,
  };
}

const sumOf = (rows: readonly Row[]): bigint => rows.reduce((sum, { amount }) => sum + amount, 0n);

/** `name` makes two reports of one store and month differ. */
export function makeReport(
  random: Random,
  store: StoreName,
  month: string,
  name: string,
  rowCount: number,
): MadeReport {
  const currencies = { plain: ['EUR'], fiscal: ['EUR', 'USD'], dsr: ['USD'] }[store];
  const rows = Array.from({ length: rowCount }, () => makeRow(random, currencies, store === 'dsr'));
  // The store always owes something.
  for (const currency of currencies) {
    const [{ isrc }] = tracks as readonly [Track];
    const base = { isrc, territory: 'DE', use: 'download', quantity: 9, currency, partner: 0 };
    rows.push({ ...base, amount: BigInt(rowCount) * 20n * unit, kind: 'matched' });
  }
  const middle = Math.floor(rows.length / 2);
  const halves = [rows.slice(0, middle), rows.slice(middle)];
  const days = { start: `${month}-01`, end: `${month}-28` };
  const write = {
    plain: (part: readonly Row[]) => plainFile(part, days),
    fiscal: (part: readonly Row[]) => fiscalFile(part, days, month),
    dsr: (_: readonly Row[], file: number) => dsrFileOf(halves, file, days, name),
  }[store];
  const format = ({ plain: 'plain_csv', fiscal: 'fiscal_csv', dsr: 'dsr' } as const)[store];
  return { store, format, files: halves.map(write), expected: expectedOf(rows) };
}

type Days = { readonly start: string; readonly end: string };

function plainFile(rows: readonly Row[], { start, end }: Days): string {
  const head = 'isrc,upc,title,quantity,amount,period_start,period_end,territory,use_type,currency';
  const lines = rows.map(({ isrc, quantity, amount, territory, use, currency }) =>
    [isrc, '', `"Title, ${isrc}"`, quantity, formatUnits(amount), start, end, territory, use]
      .concat(currency)
      .join(','),
  );
  return `${[head, ...lines].join('\n')}\n`;
}

const usDate = (date: string): string => date.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1');

function fiscalFile(rows: readonly Row[], { start, end }: Days, month: string): string {
  const head =
    'Start Date\tEnd Date\tFiscal Month\tUPC\tISRC\tTitle\tQuantity\tExtended Partner Share\tPartner Share Currency\tCountry Of Sale\tProduct Type';
  const lines = rows.map(({ isrc, quantity, amount, territory, use, currency }) =>
    [usDate(start), usDate(end), month, '', isrc, `Title ${isrc}`, quantity, formatUnits(amount)]
      .concat(currency, territory, fiscalUses[use] ?? use)
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
  { start, end }: Days,
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
  const sales = (halves[file] ?? []).map(({ isrc, territory, amount, quantity }, i) =>
    sale(formatUnits(amount), {
      SalesTransactionId: String(i + 1),
      ResourceISRC: isrc,
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

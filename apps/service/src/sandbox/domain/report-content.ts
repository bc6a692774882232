/**
 * The file of a generated report, as plain CSV. The same store, period, kind and number give the same rows: they are
 * hashed from these and from the position of a recording, and never from ids, which differ between runs.
 */

import { type Currency, currencyDecimals } from '../../kernel/currency.ts';
import { formatMicros, toMicros } from '../../kernel/money.ts';
import { firstDayOf, lastDayOf } from '../../kernel/month.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import { hashToFraction, integerBetween } from './hash-to-fraction.ts';
import type { SandboxReport } from './sandbox-report.ts';

/** A recording that the store has, with the territories in which it is used. */
export type HeldRecording = {
  readonly isrc: string;
  readonly upc: string | null;
  readonly territories: readonly TerritoryCode[];
};

/** With `territoriesMax` and two uses, a report has at most 200 rows of usage. */
export const recordingsMax = 20;
const territoriesMax = 5;

/** The largest markets, where the recording is sold there. */
const preferredTerritories: readonly TerritoryCode[] = ['US', 'GB', 'DE', 'FR', 'JP'];

export function territoriesOfUse(held: readonly TerritoryCode[]): readonly TerritoryCode[] {
  const preferred = preferredTerritories.filter((code) => held.includes(code));
  return (preferred.length > 0 ? preferred : held).slice(0, territoriesMax);
}

type Row = {
  readonly isrc: string;
  readonly upc: string | null;
  readonly title: string;
  readonly quantity: number;
  /** Of one unit, in millionths of a dollar. */
  readonly rate: number;
  readonly territory: TerritoryCode;
  readonly use: 'subscription_stream' | 'ad_supported_stream' | 'download' | 'penalty';
};

type Content = Pick<SandboxReport, 'storeId' | 'period' | 'kind' | 'number'>;

const header = 'isrc,upc,title,quantity,amount,period_start,period_end,territory,use_type,currency';

export function reportContent(
  report: Content,
  recordings: readonly HeldRecording[],
  currency: Currency,
): string {
  const lines = rowsOf(report, recordings).map((row) =>
    [
      row.isrc,
      row.upc ?? '',
      row.title,
      row.quantity,
      amountOf(row, currency),
      firstDayOf(report.period),
      lastDayOf(report.period),
      row.territory,
      row.use,
      currency,
    ].join(','),
  );
  return [header, ...lines, ''].join('\n');
}

function rowsOf(report: Content, recordings: readonly HeldRecording[]): readonly Row[] {
  const usage = recordings.flatMap((recording, i) =>
    recording.territories.flatMap((territory) => usageOf(report, { recording, i, territory })),
  );
  switch (report.kind) {
    case 'penalty':
      return [...usage, ...fineOf(report, recordings)];
    case 'unmatched':
      return [...usage, ...unknownRows(report)];
    default:
      return usage;
  }
}

type Usage = {
  readonly recording: HeldRecording;
  /** Its position in the report. */
  readonly i: number;
  readonly territory: TerritoryCode;
};

function usageOf(report: Content, { recording, i, territory }: Usage): readonly Row[] {
  const { isrc, upc } = recording;
  const between = (min: number, max: number, what: string): number =>
    integerBetween(min, max, fractionOf(report, i, territory, what));
  const row = { isrc, upc, title: `Recording ${i + 1}`, territory };
  const streams = {
    ...row,
    use: 'subscription_stream',
    quantity: between(800, 9_000, 'streams'),
    rate: between(3_200, 4_800, 'rate'),
  } as const;
  if (report.kind === 'returns') {
    return [
      streams,
      { ...row, use: 'download', quantity: -between(1, 6, 'returns'), rate: 700_000 },
    ];
  }
  const use = 'ad_supported_stream';
  return [
    streams,
    { ...row, use, quantity: between(500, 12_000, 'ads'), rate: between(900, 1_600, 'ad rate') },
  ];
}

/** For streams that were not made by people, in the territory with the first of them. */
function fineOf(report: Content, recordings: readonly HeldRecording[]): readonly Row[] {
  const [first] = recordings;
  const [territory] = first?.territories ?? [];
  if (first === undefined || territory === undefined) return [];
  const { isrc, upc } = first;
  const rate = -integerBetween(5_000_000, 9_000_000, fractionOf(report, 0, territory, 'fine'));
  return [{ isrc, upc, title: 'Recording 1', territory, use: 'penalty', quantity: 1, rate }];
}

const unknownRecordings = 3;

/** ISRCs of a country that does not exist: no organization has them. */
const unknownRows = (report: Content): readonly Row[] =>
  Array.from({ length: unknownRecordings }, (_, i) => ({
    isrc: `ZZSBX26${String(i + 1).padStart(5, '0')}`,
    upc: null,
    title: `Unknown recording ${i + 1}`,
    territory: 'US',
    use: 'subscription_stream',
    quantity: integerBetween(800, 9_000, fractionOf(report, i, 'US', 'unknown')),
    rate: 4_000,
  }));

const fractionOf = (
  { storeId, period, kind, number }: Content,
  ...parts: readonly (string | number)[]
): number => hashToFraction('report', storeId, period, kind, number, ...parts);

/** What a dollar is worth, about, so that amounts reach the minimum of a payout in every currency. */
const unitsPerDollar = {
  0: { times: 150n, by: 1n },
  2: { times: 1n, by: 1n },
  3: { times: 3n, by: 10n },
} as const;

function amountOf({ quantity, rate }: Row, currency: Currency): string {
  const { times, by } = unitsPerDollar[currencyDecimals[currency]];
  return formatMicros(toMicros((BigInt(quantity) * BigInt(rate) * times) / by));
}

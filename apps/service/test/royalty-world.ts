/**
 * Matched rows of made-up reports, and a run over them: large and small organizations, several currencies, returns above
 * sales, ties of rounding, plays of zero, and taxes of both kinds. The rows are made by DuckDB from hashes: a seed repeats
 * them, and a million takes seconds.
 */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { Currency } from '../src/kernel/currency.ts';
import { type Id, toWire } from '../src/kernel/ids.ts';
import type { MatchedPart } from '../src/royalties/connectors/calculate-bucket.ts';
import type {
  FeeRule,
  RunRate,
  SourceTax,
  WithholdingRate,
} from '../src/royalties/domain/calculation.ts';
import type { StatementShare } from '../src/royalties/domain/plan-buckets.ts';

export type RoyaltyWorld = {
  readonly shares: readonly StatementShare[];
  readonly parts: readonly MatchedPart[];
  readonly rates: readonly RunRate[];
  readonly feeRules: readonly FeeRule[];
  readonly withholding: readonly WithholdingRate[];
  readonly sourceTaxes: readonly SourceTax[];
};

export type WorldSize = {
  readonly folder: string;
  readonly rowCount: number;
  readonly statementCount: number;
  readonly seed: number;
};

const statementCurrencies: readonly Currency[] = ['EUR', 'USD', 'JPY', 'KWD'];

/** Two reports of one store: their rows meet in the same royalty records. */
const reports: readonly { readonly storeId: string; readonly currencies: readonly Currency[] }[] = [
  { storeId: 'alpha', currencies: ['EUR', 'USD'] },
  { storeId: 'alpha', currencies: ['EUR'] },
  { storeId: 'beta', currencies: ['USD'] },
  { storeId: 'gamma', currencies: ['JPY', 'KWD'] },
];

const rateTexts: Readonly<Record<string, string>> = {
  'EUR USD': '1.1234567891',
  'EUR JPY': '163.5000000000',
  'EUR KWD': '0.3345000001',
  'USD EUR': '0.5000000000',
  'USD JPY': '145.2500000000',
  'USD KWD': '0.3071234567',
  'JPY EUR': '0.0061162079',
  'JPY USD': '0.0068846815',
  'JPY KWD': '0.0021144470',
  'KWD EUR': '2.9895366216',
  'KWD USD': '3.2560195442',
  'KWD JPY': '488.7892376681',
};

export async function withConnection<T>(
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  try {
    return await work(await instance.connect());
  } finally {
    instance.closeSync();
  }
}

export function idOf<Prefix extends string>(prefix: Prefix, name: string): Id<Prefix> {
  const hex = createHash('md5').update(`${prefix}${name}`).digest('hex');
  return toWire(prefix, hex);
}

/** The largest organization has half of the rows. */
export async function makeRoyaltyWorld(size: WorldSize): Promise<RoyaltyWorld> {
  return withConnection(async (connection) => {
    const parts: MatchedPart[] = [];
    for (const [report, { storeId }] of reports.entries()) {
      const path = join(size.folder, `matched-${report}.parquet`);
      await connection.run(rowsStatement(size, report, path));
      parts.push({ path, reportId: idOf('rpt', String(report)), storeId });
    }
    const shares = await countShares(connection, size, parts);
    return {
      shares,
      parts,
      rates: makeRates(),
      feeRules: shares.flatMap(makeFeeRules),
      withholding: shares.flatMap(makeWithholding),
      sourceTaxes: [
        { reportId: idOf('rpt', '0'), sourceCurrency: 'EUR', amount: '17.31' },
        { reportId: idOf('rpt', '2'), sourceCurrency: 'USD', amount: '12.3456785000' },
        { reportId: idOf('rpt', '3'), sourceCurrency: 'JPY', amount: '1000' },
      ],
    };
  });
}

async function countShares(
  connection: DuckDBConnection,
  { statementCount }: WorldSize,
  parts: readonly MatchedPart[],
): Promise<readonly StatementShare[]> {
  const paths = parts.map(({ path }) => `'${path}'`).join(', ');
  const found = await connection.runAndReadAll(`
    select o.org, count(*)::integer as row_count
    from read_parquet([${paths}]) m
    join (select range::integer as org, md5('org' || range)::uuid as org_id
      from range(${statementCount})) o using (org_id)
    group by 1 order by 1`);
  return found.getRowObjectsJson().map((row) => {
    const org = Number(row['org']);
    return {
      orgId: idOf('org', String(org)),
      statementId: idOf('stm', String(org)),
      currency: statementCurrencies[org % statementCurrencies.length] ?? 'EUR',
      rowCount: Number(row['row_count']),
    };
  });
}

const makeRates = (): readonly RunRate[] =>
  reports.flatMap(({ currencies }, report) =>
    currencies.flatMap((sourceCurrency) =>
      statementCurrencies
        .filter((currency) => currency !== sourceCurrency)
        .map((currency) => ({
          reportId: idOf('rpt', String(report)),
          sourceCurrency,
          currency,
          rate: rateTexts[`${sourceCurrency} ${currency}`] ?? '1',
        })),
    ),
  );

function makeFeeRules({ orgId }: StatementShare, index: number): readonly FeeRule[] {
  const rule = { orgId, storeId: null, useType: null, validFrom: '2020-01', validTo: null };
  return [
    { ...rule, basisPoints: 1_500 },
    { ...rule, basisPoints: 1_250, validFrom: '2026-09' },
    ...(index % 2 === 0 ? [{ ...rule, storeId: 'alpha', basisPoints: 1_005 }] : []),
    ...(index % 3 === 0
      ? [
          { ...rule, useType: 'download' as const, basisPoints: 2_000, validTo: '2026-08' },
          { ...rule, storeId: 'beta', useType: 'ugc' as const, basisPoints: 333 },
        ]
      : []),
  ];
}

function makeWithholding({ statementId }: StatementShare, index: number): WithholdingRate[] {
  if (index % 3 === 2) return [];
  return [
    { statementId, territory: 'US', incomeType: 'royalty', basisPoints: 3_000 },
    { statementId, territory: 'US', incomeType: 'sale', basisPoints: 1_000 },
    { statementId, territory: 'GB', incomeType: 'royalty', basisPoints: 525 },
  ];
}

/** Every eleventh row has the key of the one before, so that items add rows up. */
function rowsStatement(
  { rowCount, statementCount, seed }: WorldSize,
  report: number,
  path: string,
): string {
  const count = Math.ceil(rowCount / reports.length);
  const tracksOfLargest = Math.max(40, Math.floor(rowCount / 400));
  const tracksOfOthers = Math.max(3, Math.floor(tracksOfLargest / statementCount));
  const currencies = reports[report]?.currencies ?? [];
  const list = (texts: readonly string[]): string => `[${texts.map((t) => `'${t}'`).join(', ')}]`;
  const pick = (texts: readonly string[], from: string): string =>
    `${list(texts)}[1 + (${from} % ${texts.length})::integer]`;
  const territories = ['US', 'GB', 'DE', 'JP', 'SE', 'FR', 'BR', 'IN', 'KW', 'ZA', 'AU', 'CA'];
  const isReturn = '(h3 // 256) % 12 = 0';
  return `copy (
    with keys as (select i, (i - (i % 11 = 10)::integer) * 4 + ${report} + ${seed}::bigint * 1000003 as k
        from range(${count}) t(i)),
      hashes as (select i, hash(k) as h1, hash(k + 7919) as h2, hash(k + 104729) as h3,
        hash(i * 4 + ${report} + ${seed}) as h4 from keys),
      owners as (select *, case when h1 % 2 = 0 then 0
        else 1 + (h1 // 2) % ${Math.max(1, statementCount - 1)} end as org from hashes),
      tracks as (select *, (h2 % (case when org = 0 then ${tracksOfLargest}
        else ${tracksOfOthers} end))::integer as track from owners)
    select md5('org' || org)::uuid as org_id, (track * 7919 % 1000)::smallint as slice,
      md5('rel' || org || '-' || track // 10)::uuid as release_id,
      md5('trk' || org || '-' || track)::uuid as track_id,
      'GBTON' || lpad((org % 90 + 10)::varchar, 2, '0') || lpad((track * 7919 % 100000)::varchar, 5, '0')
        as isrc,
      'Title ' || org || ' ' || track || case when h4 % 50 = 0 then ' (Live)' else '' end as title,
      ${pick(territories, 'h3')} as territory,
      ${pick(['ad_supported_stream', 'subscription_stream', 'download', 'ugc'], '(h3 // 64)')}
        as use_type,
      case when ${isReturn} then 'return' else 'usage' end as transaction_type,
      ${pick(['2026-07', '2026-08', '2026-09'], '(h3 // 8192)')} as usage_month,
      ${pick(['2026-09', '2026-10'], '(h2 // 1000000)')} as accounting_month,
      case when h2 // 2000000 % 5 = 0 then date '2026-07-15' else date '2026-07-01' end
        as period_start,
      date '2026-09-30' as period_end, ${pick(currencies, '(h2 // 4000000)')} as currency,
      case when h4 % 20 = 0 then 0 when ${isReturn} then -1 else 1 end
        * (h4 % 500)::bigint as play_count,
      case when i = 0 then 123456789.0123456789 else
        (case when ${isReturn} then -1 else 1 end * case when track % 7 = 0 and ${isReturn}
          then 30 else 1 end * (h4 % 2000000)::bigint
          * case when h4 % 3 = 0 then 0.0000000123 else 0.0000005 end) end::decimal(28,10)
        as amount,
      h2 // 8000000 % 40 = 0 as allocated
    from tracks order by org_id, slice, i
  ) to '${path}' (format parquet, compression zstd, row_group_size 100000)`;
}

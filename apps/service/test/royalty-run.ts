/** Calculates a run over a world of matched rows, and asks the oracle in Python about every item and record. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { DuckDBConnection } from '@duckdb/node-api';
import { toUuid } from '../src/kernel/ids.ts';
import {
  calculateBucket,
  type CalculatedBucket,
} from '../src/royalties/connectors/calculate-bucket.ts';
import { finishBucket, type FinishedBucket } from '../src/royalties/connectors/finish-bucket.ts';
import { allocateTaxes } from '../src/royalties/domain/allocate-taxes.ts';
import type { Bucket } from '../src/royalties/domain/calculation.ts';
import { planBuckets } from '../src/royalties/domain/plan-buckets.ts';
import { type RoyaltyWorld, withConnection } from './royalty-world.ts';

export type RunLimits = {
  readonly folder: string;
  readonly rowsMax: number;
  readonly threads: number;
  readonly memoryMb: number;
};

export type CalculatedRun = {
  readonly buckets: readonly Bucket[];
  readonly calculated: readonly CalculatedBucket[];
  readonly finished: readonly FinishedBucket[];
};

const timeoutMs = 1_800_000;

export async function calculateRun(world: RoyaltyWorld, limits: RunLimits): Promise<CalculatedRun> {
  const { folder, rowsMax, threads, memoryMb } = limits;
  await mkdir(folder, { recursive: true });
  const options = { signal: new AbortController().signal, timeoutMs };
  const buckets = planBuckets(world.shares, rowsMax);
  const calculated: CalculatedBucket[] = [];
  for (const bucket of buckets) {
    const input = { ...world, bucket, folder, threads, memoryMb };
    calculated.push(await calculateBucket(input, options));
  }
  const { parts: taxes } = allocateTaxes(
    calculated.flatMap(({ parts }) => parts),
    world.sourceTaxes,
    world.withholding,
  );
  const finished: FinishedBucket[] = [];
  for (const [index, bucket] of buckets.entries()) {
    const { recordsPath } = calculated[index]!;
    const input = { bucket, recordsPath, taxes, folder, threads, memoryMb };
    finished.push(await finishBucket(input, options));
  }
  return { buckets, calculated, finished };
}

/** Of all files, in the order of buckets and parts. */
export const digestsOfRun = ({ calculated, finished }: Digested): string =>
  JSON.stringify([
    calculated.map(({ parts }) => parts.map(({ items }) => items.sha256)),
    finished.map(({ parts }) => parts.map(({ royalties }) => royalties.sha256)),
  ]);

type DigestedParts<Kind extends string> = {
  readonly parts: readonly { readonly [K in Kind]: { readonly sha256: string } }[];
};
type Digested = {
  readonly calculated: readonly DigestedParts<'items'>[];
  readonly finished: readonly DigestedParts<'royalties'>[];
};

export type OracleFigures = {
  readonly rows: number;
  readonly items: number;
  readonly records: number;
  readonly ties: number;
  readonly differences: readonly string[];
  readonly negative_records: number;
  readonly several_sources: number;
  readonly source_tax: number;
  readonly payee_tax: number;
  readonly statements: Readonly<Record<string, OracleStatement>>;
};

export type OracleStatement = {
  /** Gross, fee, source tax, payee tax, net. */
  readonly amounts: readonly string[];
  /** Report and amount. */
  readonly holds: readonly (readonly string[])[];
  /** Reason and gross amount. */
  readonly adjustments: readonly (readonly string[])[];
};

export async function askRoyaltyOracle(
  world: RoyaltyWorld,
  run: CalculatedRun,
  folder: string,
): Promise<OracleFigures> {
  await mkdir(folder, { recursive: true });
  const [plan, matched] = [join(folder, 'plan.json'), join(folder, 'matched.tsv')];
  await writeFile(plan, JSON.stringify(planOf(world, run)));
  const rows = world.parts.map(
    ({ path, reportId, storeId }) => `select org_id, slice, release_id, track_id, isrc, title,
      territory, use_type, transaction_type, usage_month, accounting_month, period_start,
      period_end, currency, play_count, amount, allocated, '${toUuid(reportId)}',
      '${storeId}' from read_parquet('${path}')`,
  );
  await withConnection((connection) => copyTo(connection, rows.join(' union all '), matched));
  return compareWithOracle({ plan, matched }, run, folder);
}

type PartPaths<Kind extends string> = {
  readonly parts: readonly (PartKey & { readonly [K in Kind]: { readonly path: string } })[];
};
type PartKey = { readonly statementId: string; readonly part: number };
export type RunResults = {
  readonly calculated: readonly PartPaths<'items'>[];
  readonly finished: readonly PartPaths<'royalties'>[];
};

/** `inputs`: files that `royalty-oracle.py` reads. */
export async function compareWithOracle(
  inputs: { readonly plan: string; readonly matched: string },
  run: RunResults,
  folder: string,
): Promise<OracleFigures> {
  const [items, royalties] = [join(folder, 'items.tsv'), join(folder, 'royalties.tsv')];
  await withConnection(async (connection) => {
    const parts = run.calculated.flatMap((bucket) => bucket.parts);
    const ends = run.finished.flatMap((bucket) => bucket.parts);
    const itemFiles = parts.map((part) => ({ ...part, path: part.items.path }));
    const royaltyFiles = ends.map((part) => ({ ...part, path: part.royalties.path }));
    await copyTo(connection, exportOf(itemFiles), items);
    await copyTo(connection, exportOf(royaltyFiles), royalties);
  });
  const paths = [inputs.plan, inputs.matched, items, royalties];
  return (await runPython('royalty-oracle.py', paths)) as OracleFigures;
}

const copyTo = (connection: DuckDBConnection, query: string, path: string) =>
  connection.run(
    `copy (${query}) to '${path}' (format csv, delimiter '\t', header false, quote '')`,
  );

/** Rows in the order of their files, files in the order of statements and parts. */
function exportOf(files: readonly (PartKey & { readonly path: string })[]): string {
  const sorted = files.toSorted((a, b) =>
    a.statementId === b.statementId ? a.part - b.part : a.statementId < b.statementId ? -1 : 1,
  );
  const ids = JSON.stringify(sorted.map(({ statementId }) => statementId)).replaceAll('"', "'");
  const parts = JSON.stringify(sorted.map(({ part }) => part));
  const paths = sorted.map(({ path }) => `'${path}'`).join(', ');
  return `select ${ids}[(file_index + 1)::integer], ${parts}[(file_index + 1)::integer], *
    from read_parquet([${paths}]) order by file_index, file_row_number`;
}

const planOf = (world: RoyaltyWorld, { buckets }: CalculatedRun) => ({
  statements: world.shares.map(({ orgId, statementId, currency }) => ({
    id: statementId,
    org: toUuid(orgId),
    currency,
  })),
  parts: buckets
    .flatMap(({ statements }) => statements)
    .map(({ orgId, statementId, part, sliceFrom, sliceTo }) => ({
      org: toUuid(orgId),
      statement: statementId,
      part,
      slice_from: sliceFrom,
      slice_to: sliceTo,
    })),
  rates: world.rates.map(({ reportId, sourceCurrency, currency, rate }) => ({
    report: toUuid(reportId),
    source_currency: sourceCurrency,
    currency,
    rate,
  })),
  fee_rules: Object.fromEntries(
    [...Map.groupBy(world.feeRules, ({ orgId }) => toUuid(orgId))].map(([org, rules]) => [
      org,
      rules.map((rule) => ({
        store: rule.storeId,
        use_type: rule.useType,
        basis_points: rule.basisPoints,
        from: rule.validFrom,
        to: rule.validTo,
      })),
    ]),
  ),
  withholding: world.withholding.map(({ statementId, territory, incomeType, basisPoints }) => ({
    statement: statementId,
    territory,
    income_type: incomeType,
    basis_points: basisPoints,
  })),
  source_taxes: world.sourceTaxes.map(({ reportId, sourceCurrency, amount }) => ({
    report: toUuid(reportId),
    source_currency: sourceCurrency,
    amount,
  })),
});

/** The JSON that a script beside this file prints. */
export async function runPython(script: string, args: readonly string[]): Promise<unknown> {
  const path = join(import.meta.dirname, script);
  const python = spawn('python3', [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(python, 'close');
  const output = await text(python.stdout);
  const [status] = (await closed) as [number | null];
  if (status !== 0) throw new Error(`${script} failed`);
  return JSON.parse(output);
}

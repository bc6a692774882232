/** Compares what a calculated run of `prove money` wrote with an oracle, which knows the book and nothing of the service. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import { download } from '../../src/platform/storage/transfer.ts';
import type { Json } from '../delivery-fixture.ts';
import {
  calculateRun,
  compareWithOracle,
  digestsOfRun,
  type OracleFigures,
  type OracleStatement,
  runPython,
} from '../royalty-run.ts';
import { bookFor, type OracleInputs } from './money-book.ts';
import type { MoneyOffice } from './money-operator.ts';
import { type Correction, expectCorrections, toMicros } from './money-reversals.ts';

export type RunVerdict = OracleFigures & {
  /** The reports that the run must have taken. */
  readonly payable: readonly string[];
  readonly buckets: number;
  readonly inputs: OracleInputs;
  readonly corrections: readonly Correction[];
};

type Fetch = (key: string) => Promise<string>;

/** Files of the object store in a folder of this process. */
async function openFolder({ stack }: MoneyOffice, name: string) {
  const folder = join(stack.scratch, name);
  await mkdir(folder, { recursive: true });
  let files = 0;
  const fetched: Fetch = async (key) => {
    const path = join(folder, `${++files}.parquet`);
    await download(stack.service.storage, key, path, new AbortController().signal);
    return path;
  };
  return { folder, fetched };
}

const findBuckets = ({ stack }: MoneyOffice, id: Id<'run'>): Promise<Json[]> =>
  stack.query(
    'select number, statements, calculated, finished from run_buckets where run_id = $1 order by number',
    [toUuid(id)],
  );

export async function askOracle(
  office: MoneyOffice,
  id: Id<'run'>,
  month: string,
): Promise<RunVerdict> {
  const { folder, fetched } = await openFolder(office, `${id}-${Date.now()}`);
  const buckets = await findBuckets(office, id);
  const stored = await findStatements(office, id);
  const layout = {
    month,
    statements: new Map(stored.map(({ org, statement }) => [org, statement])),
    parts: buckets.flatMap(({ statements }) => (statements as Json[]).map(partOf)),
  };
  const inputs = { plan: join(folder, 'plan.json'), matched: join(folder, 'matched.tsv') };
  const bookPath = join(folder, 'book.json');
  await writeFile(bookPath, JSON.stringify(bookFor(office.book, layout)));
  const derived = await runPython('royalty-book.py', [bookPath, inputs.plan, inputs.matched]);
  const { payable } = derived as { payable: readonly string[] };
  const run = {
    calculated: await eachPart(buckets, 'calculated', 'items', fetched),
    finished: await eachPart(buckets, 'finished', 'royalties', fetched),
  };
  const figures = await compareWithOracle(inputs, run, folder);
  const corrections = await expectCorrections(office, folder);
  const differences = [
    ...figures.differences,
    ...compareStatements(figures.statements, stored),
    ...compareCorrections(corrections, stored),
  ];
  return { ...figures, differences, payable, buckets: buckets.length, inputs, corrections };
}

const partOf = ({ orgId, statementId, part, sliceFrom, sliceTo }: Json) => ({
  org: toUuid(orgId),
  statement: statementId,
  part,
  slice_from: sliceFrom,
  slice_to: sliceTo,
});

async function eachPart(
  buckets: readonly Json[],
  pass: 'calculated' | 'finished',
  kind: 'items' | 'royalties',
  fetched: Fetch,
): Promise<readonly Json[]> {
  const results = [];
  for (const bucket of buckets) {
    const parts = [];
    const found = (pass === 'calculated' ? bucket[pass].parts : bucket[pass]) as Json[];
    for (const part of found) {
      parts.push({ ...part, [kind]: { ...part[kind], path: await fetched(part[kind].path) } });
    }
    results.push({ parts });
  }
  return results;
}

type StoredStatement = OracleStatement & {
  readonly org: string;
  readonly statement: string;
  readonly corrections: readonly Correction[];
};

async function findStatements(
  { stack }: MoneyOffice,
  id: Id<'run'>,
): Promise<readonly StoredStatement[]> {
  const rows = await stack.query(
    `select statement_id, partner_org_id, holds, adjustments,
            array[gross_amount, fee_amount, source_tax_amount, payee_tax_amount, net_amount]::text[] as amounts
       from run_statements where run_id = $1`,
    [toUuid(id)],
  );
  return rows.map(({ statement_id, partner_org_id, holds, adjustments, amounts }) => ({
    org: partner_org_id,
    statement: toWire('stm', statement_id),
    amounts,
    holds: (holds as Json[]).map(({ reportId, amount }) => [toUuid(reportId), amount]),
    adjustments: (adjustments as Json[])
      .filter(({ type }) => type !== 'correction')
      .map(({ type, reason, grossAmount, feeAmount }) =>
        type === 'penalty' && Number(feeAmount) === 0 ? [reason, grossAmount] : [type, feeAmount],
      ),
    corrections: (adjustments as Json[])
      .filter(({ type }) => type === 'correction')
      .map(({ paidStatementId, ...of }) => ({
        org: partner_org_id,
        paidStatement: paidStatementId,
        amounts: [of.grossAmount, of.feeAmount, of.sourceTaxAmount, of.payeeTaxAmount].map(
          toMicros,
        ),
      })),
  }));
}

/** Each paid statement, however many of its reports are taken back at once. */
function compareCorrections(
  expected: readonly Correction[],
  stored: readonly StoredStatement[],
): readonly string[] {
  const sums = (corrections: readonly Correction[]): readonly string[] => {
    const keyOf = ({ org, paidStatement }: Correction) => `${org} ${paidStatement}`;
    return [...Map.groupBy(corrections, keyOf)].map(([key, same]) => {
      const amounts = [0, 1, 2, 3].map((i) =>
        same.reduce((sum, each) => sum + (each.amounts[i] ?? 0n), 0n),
      );
      return `correction of ${key}: ${amounts.join(' ')}`;
    });
  };
  const right = sums(expected);
  const found = sums(stored.flatMap(({ corrections }) => corrections));
  return [
    ...found.filter((each) => !right.includes(each)),
    ...right.filter((each) => !found.includes(each)).map((each) => `missing: ${each}`),
  ];
}

function compareStatements(
  expected: Readonly<Record<string, OracleStatement>>,
  stored: readonly StoredStatement[],
): readonly string[] {
  const sorted = (lists: readonly (readonly string[])[]) =>
    lists.map((each) => each.join()).toSorted();
  const written = ({ amounts, holds, adjustments }: OracleStatement): string =>
    JSON.stringify([amounts, sorted(holds), sorted(adjustments)]);
  const known = new Set(stored.map(({ statement }) => statement));
  const missing = Object.keys(expected).filter((statement) => !known.has(statement));
  return [
    ...missing.map((statement) => `${statement} is missing`),
    ...stored.flatMap((found) => {
      const right = expected[found.statement];
      return right !== undefined && written(right) === written(found)
        ? []
        : [`${written(found)} instead of ${right && written(right)}`];
    }),
  ];
}

/** Calculates the run again, from its own plan, with each number of threads. How many times a digest differs. */
export async function countOtherThreadDigests(office: MoneyOffice, id: Id<'run'>): Promise<number> {
  const { folder, fetched } = await openFolder(office, `${id}-threads-${Date.now()}`);
  const [{ plan }] = (await office.stack.query('select plan from royalty_runs where id = $1', [
    toUuid(id),
  ])) as [Json];
  const buckets = await findBuckets(office, id);
  const inBuckets = new Set(
    buckets.flatMap(({ statements }) => (statements as Json[]).map((each) => each.statementId)),
  );
  const isInBucket = ({ statementId }: Json): boolean => inBuckets.has(statementId);
  const parts = [];
  for (const { kind, objectKey, reportId, storeId } of plan.parts as Json[]) {
    if (kind === 'matched') parts.push({ path: await fetched(objectKey), reportId, storeId });
  }
  const rows = await office.stack.query(
    `select partner_org_id as org, sum(share.row_count)::integer as count
       from report_shares share join report_parts part
         on part.report_id = share.report_id and part.number = share.part_number and part.kind = 'matched'
      where part.run_id = $1 group by 1`,
    [toUuid(id)],
  );
  const world = {
    ...plan,
    parts,
    withholding: (plan.withholding as Json[]).filter(isInBucket),
    shares: (plan.statements as Json[]).filter(isInBucket).map((statement) => ({
      ...statement,
      rowCount: rows.find(({ org }) => org === toUuid(statement.orgId))?.count ?? 0,
    })),
  };
  const expected = digestsOfRun({
    calculated: buckets.map(({ calculated }) => calculated),
    finished: buckets.map(({ finished }) => ({ parts: finished })),
  });
  let others = 0;
  for (const threads of [1, 2, 4]) {
    const limits = { folder: join(folder, String(threads)), threads, memoryMb: 1_000 };
    const run = await calculateRun(world, { ...limits, rowsMax: office.stack.bucketRowsMax });
    if (digestsOfRun(run) !== expected) others++;
  }
  return others;
}

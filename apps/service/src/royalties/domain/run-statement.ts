/** What a run has for one statement of a partner, until it is closed. */

import type { Currency } from '../../kernel/currency.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { parseMicros, sumMicros, type Micros } from '../../kernel/money.ts';
import type { CalculatedPart, FinishedPart, PartFile, Section } from './calculated-part.ts';
import type { StatementId } from './calculation.ts';
import type { OtherAdjustment } from './other-amount.ts';
import type { ReportId, ReportShare } from './report.ts';
import type { Correction } from './reversal.ts';
import type { RunBucket, StatementPlan } from './run-plan.ts';
import { formatSourceAmount, sourceUnits } from './source-amount.ts';
import type { StatementAmounts } from './statement.ts';

/** A Parquet file of a statement on the object store. */
export type Artifact = {
  readonly kind: 'items' | 'royalties';
  readonly part: number;
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly rowCount: number;
  readonly amount: string;
  readonly firstPosition: number;
  /** Of royalties. */
  readonly sections?: readonly Section[];
};

export type RunAdjustment = OtherAdjustment | Correction;

/** Earnings of the statement that are held. */
export type StatementHold = {
  readonly reportId: ReportId;
  readonly storeId: string;
  readonly amount: string;
};

export type RunStatement = StatementAmounts & {
  readonly statementId: StatementId;
  readonly partnerOrgId: OrgId;
  readonly currency: Currency;
  readonly lineItemCount: number;
  readonly artifacts: readonly Artifact[];
  readonly adjustments: readonly RunAdjustment[];
  readonly holds: readonly StatementHold[];
  readonly isAnnounced: boolean;
  readonly isClosed: boolean;
};

export type SummedRun = {
  readonly statements: readonly RunStatement[];
  /** Sentences: what does not add up. */
  readonly problems: readonly string[];
};

type Parts = { readonly calculated: CalculatedPart[]; readonly finished: FinishedPart[] };

/** Adds up the parts of each statement, and checks that nothing was lost between the files. */
export function sumRun(
  plans: readonly StatementPlan[],
  buckets: readonly RunBucket[],
  shares: readonly (Pick<ReportShare, 'currency' | 'amount'> & { readonly reportId: string })[],
  adjustments: ReadonlyMap<StatementId, readonly RunAdjustment[]>,
): SummedRun {
  const parts = partsByStatement(buckets);
  const statements = plans.map((plan) =>
    sumStatement(plan, parts.get(plan.statementId), adjustments.get(plan.statementId) ?? []),
  );
  const problems = [
    ...statements.flatMap(({ problem }) => problem ?? []),
    ...sourceProblems(buckets, shares),
  ];
  return { statements: statements.map(({ statement }) => statement), problems };
}

function partsByStatement(buckets: readonly RunBucket[]): ReadonlyMap<StatementId, Parts> {
  const byStatement = new Map<StatementId, Parts>();
  const partsOf = (id: StatementId): Parts => {
    const parts = byStatement.get(id) ?? { calculated: [], finished: [] };
    byStatement.set(id, parts);
    return parts;
  };
  for (const { calculated, finished } of buckets) {
    for (const part of calculated?.parts ?? []) partsOf(part.statementId).calculated.push(part);
    for (const part of finished ?? []) partsOf(part.statementId).finished.push(part);
  }
  return byStatement;
}

function sumStatement(
  { statementId, orgId, currency }: StatementPlan,
  parts: Parts | undefined,
  adjustments: readonly RunAdjustment[],
): { readonly statement: RunStatement; readonly problem: string | undefined } {
  const calculated = (parts?.calculated ?? []).toSorted((a, b) => a.part - b.part);
  const finished = (parts?.finished ?? []).toSorted((a, b) => a.part - b.part);
  const statement: RunStatement = {
    statementId,
    partnerOrgId: orgId,
    currency,
    grossAmount: sum(finished, (part) => part.grossAmount),
    feeAmount: sum(finished, (part) => part.feeAmount),
    sourceTaxAmount: sum(finished, (part) => part.sourceTaxAmount),
    payeeTaxAmount: sum(finished, (part) => part.payeeTaxAmount),
    netAmount: sum(finished, (part) => part.netAmount),
    lineItemCount: calculated.reduce((count, { items }) => count + items.rowCount, 0),
    artifacts: [
      ...artifactsOf('items', calculated, ({ items }) => items),
      ...artifactsOf('royalties', finished, ({ royalties, sections }) => ({
        ...royalties,
        sections,
      })),
    ],
    adjustments,
    holds: [],
    isAnnounced: false,
    isClosed: false,
  };
  const isEqual =
    sum(calculated, ({ items }) => items.amount) === statement.grossAmount &&
    sum(finished, ({ royalties }) => royalties.amount) === statement.netAmount &&
    statement.grossAmount -
      statement.feeAmount -
      statement.sourceTaxAmount -
      statement.payeeTaxAmount ===
      statement.netAmount &&
    calculated.length === finished.length;
  const problem = isEqual
    ? undefined
    : `The line items of statement ${statementId} do not add up to its royalties.`;
  return { statement, problem };
}

function artifactsOf<Part extends { readonly part: number }>(
  kind: Artifact['kind'],
  parts: readonly Part[],
  fileOf: (part: Part) => PartFile & Pick<Artifact, 'sections'>,
): Artifact[] {
  let firstPosition = 1;
  return parts.map((part) => {
    const { path: objectKey, ...file } = fileOf(part);
    const placed = { kind, part: part.part, objectKey, ...file, firstPosition };
    firstPosition += file.rowCount;
    return placed;
  });
}

const sum = <T>(items: readonly T[], amountOf: (item: T) => string): Micros =>
  sumMicros(items.map((item) => microsOf(amountOf(item))));

export function microsOf(amount: string): Micros {
  const micros = parseMicros(amount);
  if (micros === undefined) throw new TypeError(`not an amount: ${amount}`);
  return micros;
}

/** What entered the run and what its statements are made of, per report and currency. */
function sourceProblems(
  buckets: readonly RunBucket[],
  shares: readonly (Pick<ReportShare, 'currency' | 'amount'> & { readonly reportId: string })[],
): string[] {
  const left = new Map<string, bigint>();
  const add = (reportId: string, currency: string, units: bigint) => {
    const key = `${reportId} ${currency}`;
    left.set(key, (left.get(key) ?? 0n) + units);
  };
  for (const { reportId, currency, amount } of shares) add(reportId, currency, sourceUnits(amount));
  for (const { calculated } of buckets) {
    for (const { sources } of calculated?.parts ?? []) {
      for (const source of sources) {
        add(source.reportId, source.sourceCurrency, -sourceUnits(source.sourceAmount));
      }
    }
  }
  return [...left]
    .filter(([, units]) => units !== 0n)
    .map(
      ([key, units]) =>
        `Of report ${key}, ${formatSourceAmount(units)} is in no statement: the matched rows and the line items differ.`,
    );
}

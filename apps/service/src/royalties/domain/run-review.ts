/** What a person reads before a run is approved: what blocks it first, then what differs from the last run. */

import type { Currency } from '../../kernel/currency.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { formatMicros, type Micros, sumMicros, toMicros } from '../../kernel/money.ts';
import type { ReportId, SourceAmount } from './report.ts';
import { reversalLine, type ReviewedReversal } from './review-reversals.ts';
import { microsOf, type RunStatement } from './run-statement.ts';

const moversMax = 20;
const listedMax = 100;

export type StoreTotal = {
  readonly storeId: string;
  readonly currency: Currency;
  readonly grossAmount: string;
  /** Of the last closed run; null: the store was not in it. */
  readonly lastGrossAmount: string | null;
};

export type ReportAmount = {
  readonly reportId: ReportId;
  readonly storeId: string;
  readonly currency: Currency;
  readonly amount: SourceAmount;
};

type PartnerNet = {
  readonly orgId: OrgId;
  readonly currency: Currency;
  readonly netAmount: Micros;
};

export type RunReview = {
  /** The run cannot be approved while there are any. */
  readonly problems: readonly string[];
  readonly totals: readonly {
    readonly currency: Currency;
    readonly statementCount: number;
    readonly grossAmount: string;
    readonly feeAmount: string;
    readonly sourceTaxAmount: string;
    readonly payeeTaxAmount: string;
    readonly netAmount: string;
  }[];
  readonly stores: readonly StoreTotal[];
  readonly movers: readonly {
    readonly orgId: OrgId;
    readonly currency: Currency;
    readonly netAmount: string;
    readonly lastNetAmount: string;
  }[];
  /** What is taken back of reports that earlier runs have paid. */
  readonly corrections: readonly ReviewedReversal[];
  /** Rows of the included reports that belong to no organization. */
  readonly suspense: readonly ReportAmount[];
  /** Reports that are not in the run because the store has not paid them. */
  readonly receivables: readonly ReportAmount[];
  /** What the run holds of the net amounts because the store paid the report short, in the statements' currencies. */
  readonly held: readonly ReportAmount[];
  readonly negativeStatements: readonly {
    readonly orgId: OrgId;
    readonly currency: Currency;
    readonly netAmount: string;
  }[];
  readonly withoutTaxForm: readonly OrgId[];
};

export type ReviewFacts = Pick<
  RunReview,
  'problems' | 'stores' | 'corrections' | 'suspense' | 'receivables' | 'withoutTaxForm'
> & {
  readonly statements: readonly RunStatement[];
  readonly last: readonly PartnerNet[];
};

export const reviewRun = ({ statements, last, ...facts }: ReviewFacts): RunReview => ({
  ...facts,
  withoutTaxForm: facts.withoutTaxForm.slice(0, listedMax),
  totals: totalsOf(statements),
  movers: moversOf(statements, last),
  held: heldOf(statements),
  negativeStatements: statements
    .filter(({ netAmount }) => netAmount < 0n)
    .slice(0, listedMax)
    .map(({ partnerOrgId, currency, netAmount }) => ({
      orgId: partnerOrgId,
      currency,
      netAmount: formatMicros(netAmount),
    })),
});

const totalsOf = (statements: readonly RunStatement[]): RunReview['totals'] =>
  [...Map.groupBy(statements, ({ currency }) => currency)].map(([currency, ofCurrency]) => ({
    currency,
    statementCount: ofCurrency.length,
    grossAmount: total(ofCurrency, 'grossAmount'),
    feeAmount: total(ofCurrency, 'feeAmount'),
    sourceTaxAmount: total(ofCurrency, 'sourceTaxAmount'),
    payeeTaxAmount: total(ofCurrency, 'payeeTaxAmount'),
    netAmount: total(ofCurrency, 'netAmount'),
  }));

type AmountName = 'grossAmount' | 'feeAmount' | 'sourceTaxAmount' | 'payeeTaxAmount' | 'netAmount';

const total = (statements: readonly RunStatement[], name: AmountName): string =>
  formatMicros(sumMicros(statements.map((statement) => statement[name])));

function heldOf(statements: readonly RunStatement[]): RunReview['held'] {
  const all = statements.flatMap(({ currency, holds }) =>
    holds.map((hold) => ({ ...hold, currency })),
  );
  const byReport = Map.groupBy(all, ({ reportId, currency }) => `${reportId} ${currency}`);
  return [...byReport.values()].flatMap((ofReport) => {
    const amount = formatMicros(sumMicros(ofReport.map((hold) => microsOf(hold.amount))));
    return ofReport.slice(0, 1).map((hold) => ({ ...hold, amount }));
  });
}

/** By the difference to the last run, the largest first. */
function moversOf(
  statements: readonly RunStatement[],
  last: readonly PartnerNet[],
): RunReview['movers'] {
  const lastNets = new Map(last.map((each) => [each.orgId + each.currency, each.netAmount]));
  return statements
    .map(({ partnerOrgId, currency, netAmount }) => {
      const lastNet = lastNets.get(partnerOrgId + currency) ?? toMicros(0n);
      const difference = netAmount - lastNet;
      return {
        partnerOrgId,
        currency,
        netAmount,
        lastNet,
        size: difference < 0n ? -difference : difference,
      };
    })
    .filter(({ size }) => size > 0n)
    .toSorted((a, b) => Number(b.size > a.size) - Number(b.size < a.size))
    .slice(0, moversMax)
    .map(({ partnerOrgId, currency, netAmount, lastNet }) => ({
      orgId: partnerOrgId,
      currency,
      netAmount: formatMicros(netAmount),
      lastNetAmount: formatMicros(lastNet),
    }));
}

/** Of a run that cannot be calculated. */
export const blockedReview = (problems: readonly string[]): RunReview => ({
  problems,
  totals: [],
  stores: [],
  movers: [],
  corrections: [],
  suspense: [],
  receivables: [],
  held: [],
  negativeStatements: [],
  withoutTaxForm: [],
});

/** Lines of plain text, for a terminal. */
export const reviewLines = (review: RunReview): readonly string[] => [
  ...section('Problems that block the run', review.problems),
  ...section(
    'Totals',
    review.totals.map(
      (each) =>
        `${each.currency}  gross ${each.grossAmount}  fee ${each.feeAmount}  source tax ${each.sourceTaxAmount}  payee tax ${each.payeeTaxAmount}  net ${each.netAmount}  (${each.statementCount} statements)`,
    ),
  ),
  ...section(
    'Stores',
    review.stores.map(
      (each) =>
        `${each.storeId}  ${each.grossAmount} ${each.currency}  last run ${each.lastGrossAmount ?? 'none'}`,
    ),
  ),
  ...section(
    'Largest changes',
    review.movers.map(
      (each) => `${each.orgId}  ${each.netAmount} ${each.currency}  last run ${each.lastNetAmount}`,
    ),
  ),
  ...section('Taken back of superseded reports', review.corrections.map(reversalLine)),
  ...section('Without an owner', review.suspense.map(reportLine)),
  ...section('Not paid by the store', review.receivables.map(reportLine)),
  ...section('Held, because the store paid short', review.held.map(reportLine)),
  ...section(
    'Negative statements',
    review.negativeStatements.map((each) => `${each.orgId}  ${each.netAmount} ${each.currency}`),
  ),
  ...section('Organizations without a tax form', review.withoutTaxForm),
];

const reportLine = ({ reportId, storeId, currency, amount }: ReportAmount): string =>
  `${reportId}  ${storeId}  ${amount} ${currency}`;

const section = (title: string, lines: readonly string[]): readonly string[] => [
  title,
  ...(lines.length === 0 ? ['  none'] : lines.map((line) => `  ${line}`)),
];

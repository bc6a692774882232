/**
 * What `prove money` did: rules that it set, reports that it made, payments that it recorded, and what it moved in
 * balances. The oracle derives every result from this book, which has nothing of the service but ids.
 */

import { type Id, type OrgId, toUuid } from '../../src/kernel/ids.ts';
import { type MadeReport, writtenUse } from './money-files.ts';
import { formatUnits, holdings, releaseUuid, type StoreName } from './money-world.ts';

export type Partner = { readonly orgId: OrgId; readonly currency: 'EUR' | 'USD' };

export type BookedReport = MadeReport & {
  readonly id: Id<'rpt'>;
  isSuperseded: boolean;
  /** In a run that is closed. */
  isIncluded: boolean;
  /** A later run, which is closed too, has taken it back. */
  isReversed: boolean;
};

/** What the oracle computed a closed run from. */
export type ClosedRun = {
  readonly inputs: OracleInputs;
  readonly reports: readonly BookedReport[];
};

/** Paths of the files that `royalty-oracle.py` reads. */
export type OracleInputs = { readonly plan: string; readonly matched: string };

export type FeeRule = {
  /** Null: of the platform. */
  readonly partner: number | null;
  readonly store: StoreName | null;
  readonly use_type: string | null;
  readonly basis_points: number;
  readonly from: string;
  readonly to: string | null;
};

export type WithholdingRule = {
  readonly territory: string;
  readonly income_type: 'royalty' | 'sale';
  readonly basis_points: number;
  readonly from: string;
  readonly to: string | null;
};

export type Payment = {
  readonly id: string;
  readonly store: StoreName;
  readonly reports: readonly Id<'rpt'>[];
  readonly currency: string;
  readonly amount: string;
  readonly source_tax: string;
  readonly settled_currency: string;
  readonly settled_amount: string;
  /** The payment of which it is the rest. */
  readonly completes: string | null;
  decision: 'wait' | 'accept' | 'prorate' | null;
};

export type Book = {
  readonly partners: readonly Partner[];
  readonly storeIds: Readonly<Record<StoreName, string>>;
  readonly feeRules: FeeRule[];
  readonly withholdingRules: WithholdingRule[];
  readonly rates: Readonly<Record<string, string>>;
  readonly reports: BookedReport[];
  readonly payments: Payment[];
  readonly closedRuns: ClosedRun[];
  /** In micros, by partner: what statements, corrections and payouts have moved. */
  readonly balances: bigint[];
};

/** The store that is paid out on its report; the others wait for the money. */
export const storePaidOnReport: StoreName = 'plain';

export type RunLayout = {
  readonly month: string;
  /** By organization. */
  readonly statements: ReadonlyMap<string, string>;
  readonly parts: readonly unknown[];
};

/** As `royalty-book.py` reads it. */
export const bookFor = (book: Book, { month, statements, parts }: RunLayout) => ({
  month,
  parts,
  partners: book.partners.map(({ orgId, currency }) => ({
    org: toUuid(orgId),
    currency,
    statement: statements.get(toUuid(orgId)) ?? null,
  })),
  stores: Object.fromEntries(
    Object.entries(book.storeIds).map(([name, id]) => [
      name,
      { id, pays_on_report: name === storePaidOnReport },
    ]),
  ),
  tracks: holdings.flatMap(({ code, owner, trackUuid }) =>
    trackUuid === null
      ? []
      : [{ isrc: code, partner: owner.partner, release: releaseUuid(owner), track: trackUuid }],
  ),
  fee_rules: book.feeRules,
  withholding_rules: book.withholdingRules,
  rates: book.rates,
  reports: book.reports.filter(({ isSuperseded }) => !isSuperseded).map(reportOf),
  payments: book.payments.map((payment) => ({ ...payment, reports: payment.reports.map(toUuid) })),
});

const reportOf = ({ id, store, period, rows, isIncluded }: BookedReport) => ({
  id: toUuid(id),
  store,
  start: period.start,
  end: period.end,
  usage_month: period.usageMonth,
  accounting_month: period.accountingMonth,
  is_included: isIncluded,
  rows: rows.map((row) => ({
    isrc: row.isrc,
    title: row.title,
    territory: row.territory,
    use: row.use,
    written_use: writtenUse(store, row),
    plays: row.quantity,
    amount: formatUnits(row.amount),
    currency: row.currency,
    kind: row.kind,
    partner: row.owner?.partner ?? null,
    release: row.owner === null ? null : releaseUuid(row.owner),
  })),
});

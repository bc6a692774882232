/** What a run reads before it calculates: reports that are payable, rates, and the rules of organizations. */

import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { FeeRule } from '../domain/calculation.ts';
import { withPlatformRules } from '../domain/fee-rules.ts';
import {
  type OpenReport,
  payableReports,
  type Settlement,
  type ShareOfReport,
  type TotalOfReport,
} from '../domain/payable-report.ts';
import type { RemittanceId } from '../domain/remittance.ts';
import type { ReportId } from '../domain/report.ts';
import type { FxRateSet, FxRateSetId } from '../domain/run-rates.ts';
import type { Payee, WithholdingRule } from '../domain/withholding.ts';
import { listFeeRules } from './fee-rules.ts';
import { findFxRateSet } from './fx-rate-sets.ts';
import { findSettling } from './remittances.ts';
import { listWithholdingRules } from './withholding-rules.ts';

/**
 * The reports of the organization with parts that no run has taken, divided by whether a run may take them. Read them in
 * one snapshot (`readTogether`) or in a transaction.
 */
export async function readPayableReports(
  db: Db,
  orgId: OrgId,
): Promise<ReturnType<typeof payableReports>> {
  const reports = await findOpenReports(db, orgId);
  const openIds = reports.map(({ reportId }) => reportId);
  const settlements = await findSettlements(db, orgId, openIds);
  const ids = [...new Set([...openIds, ...settlements.flatMap(({ reportIds }) => reportIds)])];
  const [totals, shares] = await Promise.all([
    findTotals(db, orgId, ids),
    findShares(db, orgId, ids),
  ]);
  return payableReports({ reports, totals, shares, settlements });
}

type OpenReportRow = {
  readonly id: string;
  readonly store_id: string;
  readonly pay_on: 'report' | 'remittance';
  readonly part_numbers: readonly number[];
};

/** A later match adds a part to a report that a run has taken. */
async function findOpenReports(db: Db, orgId: OrgId): Promise<OpenReport[]> {
  const rows = await db.query<OpenReportRow>(sql`
    select report.id, report.store_id, coalesce(store.pay_on, 'remittance') as pay_on,
           coalesce(array_agg(part.number order by part.number) filter (where part.kind = 'matched'), '{}') as part_numbers
      from store_reports report
      join report_parts part
        on part.org_id = report.org_id and part.report_id = report.id
       and part.kind in ('matched', 'other') and part.run_id is null
      left join stores store on store.store_id = report.store_id
     where report.org_id = ${toUuid(orgId)} and report.status in ('matched', 'included')
     group by report.id, report.store_id, store.pay_on
     order by report.id
  `);
  return rows.map((row) => ({
    reportId: toWire('rpt', row.id),
    storeId: row.store_id,
    // In the sandbox a report belongs to the partner, and no bank pays.
    isPaidOnReport: row.pay_on === 'report' || orgId !== systemOrgId,
    partNumbers: row.part_numbers,
  }));
}

async function findSettlements(
  db: Db,
  orgId: OrgId,
  reportIds: readonly ReportId[],
): Promise<Settlement[]> {
  const rows = await db.query<{ remittance_id: string }>(sql`
    select distinct remittance_id from remittance_reports
     where org_id = ${toUuid(orgId)} and report_id = any(${reportIds.map(toUuid)})
  `);
  const firstIds = rows.map(({ remittance_id }): RemittanceId => toWire('rmt', remittance_id));
  const found = await findSettling(db, orgId, firstIds);
  return [...Map.groupBy(found, ({ id, completes }) => completes ?? id)].map(([firstId, all]) => {
    const first = all.find(({ id }) => id === firstId);
    if (first === undefined) throw new TypeError(`${firstId} was not found`);
    return { first, all, reportIds: first.reportIds };
  });
}

type TotalRow = {
  readonly report_id: string;
  readonly currency: Currency;
  readonly matched_amount: string;
  readonly suspense_amount: string;
  readonly rejected_amount: string;
  readonly other_amount: string;
};

async function findTotals(
  db: Db,
  orgId: OrgId,
  reportIds: readonly ReportId[],
): Promise<TotalOfReport[]> {
  const rows = await db.query<TotalRow>(sql`
    select report_id, currency, matched_amount, suspense_amount, rejected_amount, other_amount
      from report_totals
     where org_id = ${toUuid(orgId)} and report_id = any(${reportIds.map(toUuid)})
     order by report_id, currency
  `);
  return rows.map((row) => ({
    reportId: toWire('rpt', row.report_id),
    currency: row.currency,
    declaredAmount: null,
    matchedAmount: row.matched_amount,
    suspenseAmount: row.suspense_amount,
    rejectedAmount: row.rejected_amount,
    otherAmount: row.other_amount,
  }));
}

type ShareRow = {
  readonly report_id: string;
  readonly part_number: number;
  readonly partner_org_id: string;
  readonly currency: Currency;
  readonly amount: string;
};

async function findShares(
  db: Db,
  orgId: OrgId,
  reportIds: readonly ReportId[],
): Promise<ShareOfReport[]> {
  const rows = await db.query<ShareRow>(sql`
    select report_id, part_number, partner_org_id, currency, amount from report_shares
     where org_id = ${toUuid(orgId)} and report_id = any(${reportIds.map(toUuid)})
     order by report_id, part_number, partner_org_id, currency
  `);
  return rows.map((row) => ({
    reportId: toWire('rpt', row.report_id),
    partNumber: row.part_number,
    orgId: toWire('org', row.partner_org_id),
    currency: row.currency,
    amount: row.amount,
  }));
}

type PayeeRow = {
  readonly org_id: string;
  readonly statement_currency: Currency;
  readonly residence: string | null;
  readonly form: string | null;
  readonly expires_on: string | null;
};

/** By the id of the organization. Only the worker may. */
async function findPayees(db: Db, orgIds: readonly OrgId[]): Promise<Payee[]> {
  const rows = await db.query<PayeeRow>(sql`
    select org_id, statement_currency, residence, form, expires_on
      from payees_of_run(${orgIds.map(toUuid)}) order by org_id
  `);
  return rows.map((row) => ({
    orgId: toWire('org', row.org_id),
    statementCurrency: row.statement_currency,
    residence: row.residence,
    form: row.form,
    expiresOn: row.expires_on,
  }));
}

export type RunRules = {
  /** With rules made of the platform's: `feeFor` and the calculation need no others. */
  readonly feeRules: readonly FeeRule[];
  readonly payees: readonly Payee[];
  readonly withholdingRules: readonly WithholdingRule[];
  /** Undefined: there is no such set. */
  readonly fxRateSet: FxRateSet | undefined;
};

/** For the organizations that have a share of the run's reports. Only the worker may. */
export async function readRunRules(
  db: Db,
  orgIds: readonly OrgId[],
  fxRateSetId: FxRateSetId,
): Promise<RunRules> {
  const [feeRules, payees, withholdingRules, fxRateSet] = await Promise.all([
    listFeeRules(db, [...orgIds, systemOrgId]),
    findPayees(db, orgIds),
    listWithholdingRules(db),
    findFxRateSet(db, fxRateSetId),
  ]);
  return { feeRules: withPlatformRules(orgIds, feeRules), payees, withholdingRules, fxRateSet };
}

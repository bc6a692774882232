/** What stores reported and paid, as `payableReports` needs it. */

import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Settlement, ShareOfReport, TotalOfReport } from '../domain/payable-report.ts';
import type { RemittanceId } from '../domain/remittance.ts';
import type { ReportId } from '../domain/report.ts';
import { findSettling } from './remittances.ts';

/** All that stores paid for these reports, and for others with them. */
export async function findSettlements(
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

export async function findTotals(
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

export async function findShares(
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

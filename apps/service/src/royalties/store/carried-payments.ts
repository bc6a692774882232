import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import { carriedPayments, type Replacement } from '../domain/carried-payment.ts';
import type { CarriedPayment } from '../domain/remittance.ts';
import type { ReportId } from '../domain/report.ts';
import { findSettlements, findShares, findTotals } from './settlements.ts';

/** What stores have paid for the reports that these replace, and for those that they replaced in turn. */
export async function readCarriedPayments(
  db: Db,
  orgId: OrgId,
  reportIds: readonly ReportId[],
): Promise<readonly CarriedPayment[]> {
  const replacements = await findReplacements(db, orgId, reportIds);
  if (replacements.length === 0) return [];
  const replaced = replacements.map(({ reportId }) => reportId);
  const settlements = await findSettlements(db, orgId, replaced);
  const ids = [...new Set(settlements.flatMap((settlement) => settlement.reportIds))];
  const [totals, shares] = await Promise.all([
    findTotals(db, orgId, ids),
    findShares(db, orgId, ids),
  ]);
  return carriedPayments({ replacements, settlements, totals, shares });
}

/** Of two reports that replace the same one, the first has its payments. */
async function findReplacements(
  db: Db,
  orgId: OrgId,
  reportIds: readonly ReportId[],
): Promise<Replacement[]> {
  const org = toUuid(orgId);
  const rows = await db.query<{ report_id: string; superseded_by: string }>(sql`
    with recursive heirs as (
      select superseded as report_id, min(report.id::text)::uuid as heir
        from store_reports report, unnest(report.supersedes) superseded
       where report.org_id = ${org} and report.supersedes <> '{}' and report.status <> 'rejected'
       group by superseded
    ), replaced as (
      select report_id, heir as superseded_by from heirs where heir = any (${reportIds.map(toUuid)}::uuid[])
      union
      select heirs.report_id, replaced.superseded_by from heirs join replaced on heirs.heir = replaced.report_id
    )
    select report_id, superseded_by from replaced order by superseded_by, report_id
  `);
  return rows.map((row) => ({
    reportId: toWire('rpt', row.report_id),
    supersededBy: toWire('rpt', row.superseded_by),
  }));
}

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
  type UnpaidReport,
  unpaidReports,
} from '../domain/payable-report.ts';
import type { FxRateSet, FxRateSetId } from '../domain/run-rates.ts';
import type { Payee, WithholdingRule } from '../domain/withholding.ts';
import { readCarriedPayments } from './carried-payments.ts';
import { listFeeRules } from './fee-rules.ts';
import { findFxRateSet } from './fx-rate-sets.ts';
import { findSettlements, findShares, findTotals } from './settlements.ts';
import { listWithholdingRules } from './withholding-rules.ts';

/**
 * The reports of the organization with parts that no run has taken, divided by whether a run may take them. Read them in
 * one snapshot (`readTogether`) or in a transaction.
 */
export async function readPayableReports(
  db: Db,
  orgId: OrgId,
): Promise<ReturnType<typeof payableReports>> {
  const open = await readOpenReports(db, orgId);
  return payableReports({ ...open, shares: await findShares(db, orgId, open.ids) });
}

/** Without the shares of partners, of which there may be millions. */
export const readUnpaidReports = async (db: Db, orgId: OrgId): Promise<readonly UnpaidReport[]> =>
  unpaidReports(await readOpenReports(db, orgId));

async function readOpenReports(db: Db, orgId: OrgId) {
  const reports = await findOpenReports(db, orgId);
  const openIds = reports.map(({ reportId }) => reportId);
  const settlements = await findSettlements(db, orgId, openIds);
  const ids = [...new Set([...openIds, ...settlements.flatMap(({ reportIds }) => reportIds)])];
  const [totals, carried] = await Promise.all([
    findTotals(db, orgId, ids),
    readCarriedPayments(db, orgId, ids),
  ]);
  return { reports, settlements, ids, totals, carried };
}

type OpenReportRow = {
  readonly id: string;
  readonly store_id: string;
  readonly pay_on: 'report' | 'remittance';
  readonly part_numbers: readonly number[];
};

/** A later match adds a part to a report that a run has taken. What another report replaces is not paid any more. */
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
       and not exists (select from store_reports successor
                        where successor.org_id = report.org_id and successor.status <> 'rejected'
                          and successor.supersedes @> array[report.id])
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

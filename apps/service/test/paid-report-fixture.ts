/** Reports as their reading would have left them: totals, one part and the shares of organizations. */

import { randomUUID } from 'node:crypto';
import { type Id, toUuid, toWire } from '../src/kernel/ids.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import type { ReportId } from '../src/royalties/domain/report.ts';
import type { TestService } from './test-service.ts';

export type GivenReport = {
  readonly storeId: string;
  readonly status?: string;
  readonly orgId?: string;
  readonly currency?: string;
  readonly suspense?: string;
  readonly rejected?: string;
  readonly other?: string;
  /** Amounts by organization. */
  readonly shares: Readonly<Record<string, string>>;
};

export async function givenReport(
  { query }: Pick<TestService, 'query'>,
  given: GivenReport,
): Promise<ReportId> {
  const id = randomUUID();
  const { status = 'matched', currency = 'EUR', storeId } = given;
  const owner = toUuid((given.orgId ?? systemOrgId) as Id<'org'>);
  const isRejected = status === 'rejected';
  await query(
    `insert into store_reports (org_id, id, store_id, format, status, set_digest, period_start, period_end, rejection,
                                created_at, updated_at, actor_type, actor_id)
     values ($1, $2, $3, 'plain_csv', $4, sha256($5), '2026-10-01', '2026-10-31', $6, now(), now(), 'workflow', 'test')`,
    [owner, id, storeId, status, Buffer.from(id), isRejected ? '{}' : null],
  );
  const shares = Object.entries(given.shares);
  await query(
    `insert into report_totals (org_id, report_id, currency, matched_amount, suspense_amount, rejected_amount, other_amount)
     select $1, $2, $3, coalesce(sum(amount), 0), $5, $6, $7 from unnest($4::numeric[]) amount`,
    [
      owner,
      id,
      currency,
      shares.map(([, amount]) => amount),
      given.suspense ?? '0',
      given.rejected ?? '0',
      given.other ?? '0',
    ],
  );
  await query(
    `insert into report_parts (org_id, report_id, kind, number, object_key, size_bytes, sha256, row_count)
     values ($1, $2, 'matched', 1, 'key', 1, sha256('x'), 1)`,
    [owner, id],
  );
  for (const [org, amount] of shares) {
    await query(
      `insert into report_shares (org_id, report_id, part_number, partner_org_id, currency, row_count, amount)
       values ($1, $2, 1, $3, $4, 1, $5)`,
      [owner, id, toUuid(org as Id<'org'>), currency, amount],
    );
  }
  return toWire('rpt', id);
}

/** As a run that takes the report. */
export const includeReport = (
  { query }: Pick<TestService, 'query'>,
  reportId: ReportId,
): Promise<unknown> =>
  query(
    `with part as (update report_parts set run_id = gen_random_uuid() where report_id = $1)
     update store_reports set status = 'included' where id = $1`,
    [toUuid(reportId)],
  );

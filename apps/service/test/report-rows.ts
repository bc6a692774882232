/** A row in every table of reports of one organization, inserted as the owner. */

import { type Id, toUuid } from '../src/kernel/ids.ts';
import type { OrgClient, TestService } from './test-service.ts';

/** `$1` is the organization. */
const reportRows = `
  with report as (
    insert into store_reports (org_id, id, store_id, format, status, set_digest, period_start, period_end, rows_read,
                               rows_matched, created_at, updated_at, actor_type, actor_id)
    values ($1, gen_random_uuid(), 'aurora', 'dsr', 'matched', sha256(gen_random_uuid()::text::bytea), '2026-10-01',
            '2026-10-31', 1, 1, now(), now(), 'workflow', 'test')
    returning id
  ), file as (
    insert into report_files (org_id, report_id, number, name, object_key, size_bytes, sha256)
    select $1, id, 1, 'a.tsv', 'nowhere', 1, sha256('a') from report
  ), total as (
    insert into report_totals (org_id, report_id, currency, matched_amount, suspense_amount, rejected_amount, other_amount)
    select $1, id, 'EUR', 1, 0, 0, 0 from report
  ), scope as (
    insert into report_scopes (org_id, report_id, store_id, service, territory, commercial_model, use_type, period_start,
                               period_end)
    select $1, id, 'aurora', 'aurora', 'DE', 'subscription', 'stream', '2026-10-01', '2026-10-31' from report
  ), part as (
    insert into report_parts (org_id, report_id, kind, number, object_key, size_bytes, sha256, row_count)
    select $1, id, 'matched', 1, 'nowhere', 1, sha256('a'), 1 from report
  ), made as (
    insert into sandbox_reports (org_id, id, store_id, period, kind, number, status, arrives_at, created_at, updated_at,
                                 actor_type, actor_id)
    select $1, id, 'aurora', '2026-10', 'normal', 1, 'paid', now(), now(), now(), 'workflow', 'test' from report
  ), closing as (
    insert into sandbox_closings (org_id, closes_at) values ($1, now())
  ), paid as (
    insert into remittances (org_id, id, store_id, reference, currency, amount, source_tax, settled_currency,
                             settled_amount, bank_fee, value_date, due_amount, status, created_at, updated_at, actor_type,
                             actor_id)
    values ($1, gen_random_uuid(), 'aurora', 'first', 'EUR', 1, 0, 'EUR', 1, 0, '2026-11-15', 2, 'short', now(), now(),
            'workflow', 'test')
    returning id
  ), completed as (
    insert into remittances (org_id, id, completes, store_id, reference, currency, amount, source_tax, settled_currency,
                             settled_amount, bank_fee, value_date, created_at, updated_at, actor_type, actor_id)
    select $1, gen_random_uuid(), id, 'aurora', 'second', 'EUR', 1, 0, 'EUR', 1, 0, '2026-11-16', now(), now(),
           'workflow', 'test' from paid
  ), settled as (
    insert into remittance_reports (org_id, report_id, currency, remittance_id)
    select $1, report.id, 'EUR', paid.id from report, paid
  )
  insert into report_shares (org_id, report_id, part_number, partner_org_id, currency, row_count, amount)
  select $1, id, 1, $1, 'EUR', 1, 1 from report`;

export async function givenReportRows(
  service: TestService,
  { orgId }: Pick<OrgClient, 'orgId'>,
): Promise<void> {
  await service.query(reportRows, [toUuid(orgId as Id<'org'>)]);
}

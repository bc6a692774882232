/** A row in every table of runs and statements of one organization, inserted as the owner. */

import { type Id, toUuid } from '../src/kernel/ids.ts';
import type { OrgClient, TestService } from './test-service.ts';

/** `$1` is the organization. */
const runRows = `
  with run as (
    insert into royalty_runs (org_id, id, statement_month, fx_set_id, status, rules_version, created_by, created_at,
                              updated_at, actor_type, actor_id)
    values ($1, gen_random_uuid(), '2026-10', gen_random_uuid(), 'draft', '1', 'test', now(), now(), 'workflow', 'test')
    returning id
  ), bucket as (
    insert into run_buckets (org_id, run_id, number, status, statements, row_count)
    select $1, id, 1, 'planned', '[]', 1 from run
  ), calculated as (
    insert into run_statements (org_id, run_id, statement_id, partner_org_id, currency)
    select $1, id, gen_random_uuid(), $1, 'EUR' from run
  ), reversal as (
    insert into run_reversals
    select $1, id, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'aurora', gen_random_uuid(), $1, 'EUR', 1, 0, 0, 0
      from run
  ), run_total as (
    insert into run_totals
    select $1, id, 1, gen_random_uuid(), 'aurora', 'DE', gen_random_uuid(), '2026-10', 1, 1, 0, 0, 0, 1 from run
  ), market_total as (
    insert into run_market_totals
    select $1, id, 1, gen_random_uuid(), 'aurora', 'DE', '2026-10', 'download', '2026-10', 1, 1, 0, 0, 0, 1 from run
  ), track_total as (
    insert into run_track_totals
    select $1, id, 1, gen_random_uuid(), gen_random_uuid(), 'QZABC2600001', gen_random_uuid(), '2026-10', 1, 1, 0, 0, 0, 1
      from run
  ), pending as (
    insert into pending_nets (org_id, run_id, currency, amount) select $1, id, 'EUR', 1 from run
  ), statement as (
    insert into statements (org_id, id, status, currency, period_start, period_end, opening_balance, closing_balance,
                            opening_versions, created_at)
    values ($1, gen_random_uuid(), 'open', 'EUR', '2026-10-01', '2026-10-31', 0, 0, '{}', now())
    returning id
  ), artifact as (
    insert into statement_artifacts (org_id, statement_id, kind, part, object_key, size_bytes, sha256, row_count, amount,
                                     first_position)
    select $1, id, 'items', 1, 'nowhere', 1, sha256('a'), 1, 1, 1 from statement
  ), markets as (
    insert into royalty_market_totals
    select $1, id, 'EUR', 'aurora', 'DE', '2026-10', 'download', '2026-10', 1, 1, 0, 0, 0, 1 from statement
  ), tracks as (
    insert into royalty_track_totals
    select $1, id, 'EUR', gen_random_uuid(), 'QZABC2600001', gen_random_uuid(), '2026-10', 1, 1, 0, 0, 0, 1 from statement
  ), sections as (
    insert into royalty_sections select $1, id, 1, 1, 'aurora', 'DE', '2026-10' from statement
  ), labels as (
    insert into royalty_label_totals
    select $1, id, 'EUR', 'Northern Lights', '2026-10', 1, 1, 0, 0, 0, 1 from statement
  )
  insert into royalty_totals
  select $1, id, 'aurora', 'DE', gen_random_uuid(), '2026-10', 1, 1, 0, 0, 0, 1 from statement`;

export async function givenRunRows(
  service: TestService,
  { orgId }: Pick<OrgClient, 'orgId'>,
): Promise<void> {
  await service.query(runRows, [toUuid(orgId as Id<'org'>)]);
}

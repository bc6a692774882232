/** At least one row in every table of money of one organization, for tests of what happens to all of them. */

import { type Id, toUuid } from '../src/kernel/ids.ts';
import { adjust, holdEarnings } from './ledger-fixture.ts';
import type { OrgClient, TestService } from './test-service.ts';

/** Inserted as the owner. `$1` is the organization. The second payout is a retry of the first. */
const payoutRows = `
  with method as (
    insert into payout_methods (org_id, id, type, country, currency, last_four, sealed_details, status, requested_by,
                                created_at, updated_at, actor_type, actor_id)
    values ($1, gen_random_uuid(), 'bank_account', 'DE', 'EUR', '1234', '\\x00', 'active', 'test', now(), now(),
            'workflow', 'test')
    returning id
  ), numbers as (
    select method.id as method_id, number, gen_random_uuid() as id from method, generate_series(1, 2) number
  ), payout as (
    insert into payouts (org_id, id, status, currency, amount, fee_amount, fee_bearer, destination_currency,
                         destination_amount, payout_method_id, destination, retry_of, statement_ids, cut_off_at,
                         expires_at, created_at, updated_at, actor_type, actor_id)
    select $1, id, 'failed', 'EUR', 20, 0, 'house', 'EUR', 20, method_id, '{}',
           case when number = 2 then (select id from numbers where number = 1) end, '{}', now(), now(), now(), now(),
           'workflow', 'test'
      from numbers
    returning id
  ), hold as (
    insert into payout_holds (org_id, id, payout_id, reason, since, requirements, actor_type, actor_id)
    select $1, gen_random_uuid(), id, 'manual', now(), '[]', 'workflow', 'test' from payout
  ), transition as (
    insert into payout_transitions (org_id, payout_id, number, to_status, cause, at, actor_type, actor_id)
    select $1, id, 1, 'pending', 'created', now(), 'workflow', 'test' from payout
  ), screening as (
    insert into payout_screenings (org_id, payout_id, stage, number, result, at)
    select $1, id, 'created', 1, 'clear', now() from payout
  ), step as (
    insert into sandbox_payout_steps (org_id, payout_id, scenario_id, number, step)
    select $1, id, gen_random_uuid(), 0, '{}' from payout
  ), attempt as (
    insert into payout_attempts (org_id, payout_id, number, action, outcome, at)
    select $1, id, 1, 'send', 'refused', now() from payout
  ), tax as (
    insert into tax_profiles (org_id, residence, form, created_at, updated_at, actor_type, actor_id)
    values ($1, 'DE', 'none', now(), now(), 'workflow', 'test')
  )
  insert into payout_settings (org_id, updated_at, actor_type, actor_id) values ($1, now(), 'workflow', 'test')`;

export async function givenMoneyRows(service: TestService, caller: OrgClient): Promise<void> {
  await adjust(service, caller, '100', { fee: '15', tax: '5' });
  await holdEarnings(service, caller, '10');
  await service.admin('ledger', 'verify', '--org', caller.orgId);
  await service.query(payoutRows, [toUuid(caller.orgId as Id<'org'>)]);
}

/** Compares the ledger, the payouts and the rail with the plan of `prove payouts`. */

import { type Id, type OrgId, toUuid, toWire } from '../../src/kernel/ids.ts';
import type { ListedPayment } from '../rail-fixture.ts';
import type { TestService } from '../test-service.ts';
import { hasLeft, plannedBalances, type PlannedPayout } from './payouts-script.ts';

export type CreatedPayout = PlannedPayout & { readonly id: Id<'pay'> };

/** One payment per payout that left, and none else. */
export function judgeRail(created: readonly CreatedPayout[], payments: readonly ListedPayment[]) {
  const byKey = new Map(payments.map((payment) => [payment.key, payment]));
  const made = (id: string) => byKey.get(id)?.payments_made ?? 0;
  const ids = new Set<string>(created.map(({ id }) => id));
  const left = created.filter(hasLeft);
  return {
    payouts_that_left: left.length,
    payments_made: payments.reduce((sum, payment) => sum + payment.payments_made, 0),
    payments_missing: left.filter(({ id }) => made(id) === 0).length,
    second_payments: payments.filter((payment) => payment.payments_made > 1).length,
    payments_too_many: created.filter((payout) => !hasLeft(payout) && made(payout.id) > 0).length,
    payments_under_other_keys: payments.filter(({ key }) => !ids.has(key)).length,
    wrong_amounts: left.filter(({ id, amount }) => byKey.get(id)?.amount !== `${amount}.00`).length,
  };
}

/** How many payouts do not have the status that their script leads to. */
export async function countWrongStatuses(
  service: TestService,
  created: readonly CreatedPayout[],
): Promise<number> {
  const rows = await service.query('select id, status from payouts');
  const statuses = new Map(rows.map(({ id, status }) => [toWire('pay', id), status]));
  return created.filter(({ id, ending }) => statuses.get(id) !== ending).length;
}

/** By organization. */
export async function countWrongBalances(
  service: TestService,
  plans: ReadonlyMap<string, readonly PlannedPayout[]>,
  start: number,
): Promise<number> {
  const rows = await service.query(`
    select distinct on (org_id, currency, account) org_id, account, balance_after::float8 as balance
      from ledger_entries order by org_id, currency, account, version desc`);
  let wrong = 0;
  for (const [orgId, plan] of plans) {
    const own = rows.filter(({ org_id }) => org_id === toUuid(orgId as OrgId));
    const balances = new Map(own.map(({ account, balance }) => [account, balance]));
    const planned = Object.entries(plannedBalances(plan, start));
    const isRight = planned.every(([account, balance]) => (balances.get(account) ?? 0) === balance);
    if (!isRight || own.some(({ account }) => !planned.some(([name]) => name === account))) wrong++;
  }
  return wrong;
}

/** Zero per transaction and in total, versions from one without a gap, every balance the sum of its entries. */
export async function judgeLedger(service: TestService) {
  const [row] = await service.query(`
    select (select count(*) from (
              select 1 from ledger_entries group by org_id, transaction_id, currency having sum(amount) <> 0
            ) unbalanced)::int as unbalanced_transactions,
           (select coalesce(sum(abs(total)), 0) from (
              select sum(amount) as total from ledger_entries group by currency
            ) totals)::float8 as ledger_total,
           (select count(*) from (
              select version, balance_after,
                     row_number() over account_order as expected_version,
                     sum(amount) over account_order as expected_balance
                from ledger_entries
              window account_order as (partition by org_id, currency, account order by version)
            ) entries
             where version <> expected_version or balance_after <> expected_balance)::int as broken_entries,
           (select count(*) from ledger_transactions transaction
             where not exists (select from ledger_entries entry
                                where entry.org_id = transaction.org_id
                                  and entry.transaction_id = transaction.id))::int as empty_transactions`);
  return row as Record<
    'unbalanced_transactions' | 'ledger_total' | 'broken_entries' | 'empty_transactions',
    number
  >;
}

/** Transitions are numbered from one, begin where the one before ended, and each is announced and audited. */
export async function judgeHistory(service: TestService) {
  const [row] = await service.query(`
    select (select count(*) from (
              select number, from_status,
                     row_number() over payout_order as expected_number,
                     lag(to_status) over payout_order as expected_from
                from payout_transitions
              window payout_order as (partition by org_id, payout_id order by number)
            ) transitions
             where number <> expected_number or from_status is distinct from expected_from)::int as broken_transitions,
           (select count(*) from payout_transitions)::int
             - (select count(*) from events where type = 'payout.status.changed')::int as transitions_not_announced,
           (select count(*) from events where type = 'payout.status.changed' and sequence is null)::int as unsequenced`);
  return row as Record<'broken_transitions' | 'transitions_not_announced' | 'unsequenced', number>;
}

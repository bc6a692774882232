import { toUuid } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { PayoutId } from '../domain/payout.ts';

export type PayoutAttempt = {
  readonly action: 'send' | 'ask';
  readonly outcome:
    | 'accepted'
    | 'refused'
    | 'unknown'
    | 'in_transit'
    | 'confirmed'
    | 'bounced'
    | 'not_found';
  /** The code of a refusal or a bounce, or why the outcome is unknown. */
  readonly detail: string | null;
};

/** The caller holds the lock of the payout, so the numbers have no gap. */
export function insertAttempt(
  tx: Tx,
  id: PayoutId,
  { action, outcome, detail }: PayoutAttempt,
): void {
  tx.write(sql`
    insert into payout_attempts (org_id, payout_id, number, action, outcome, detail, at)
    select ${toUuid(tx.orgId)}, ${toUuid(id)}, 1 + count(*), ${action}, ${outcome}, ${detail}, ${tx.now}
      from payout_attempts where org_id = ${toUuid(tx.orgId)} and payout_id = ${toUuid(id)}
  `);
}

type AttemptCounts = {
  readonly attempts: number;
  /** Since the last answer of the rail. */
  readonly unknowns: number;
};

export async function countAttempts(tx: Tx, id: PayoutId): Promise<AttemptCounts> {
  const [row] = await tx.query<AttemptCounts>(sql`
    select count(*)::int as attempts,
           count(*) filter (where outcome = 'unknown' and number > answered)::int as unknowns
      from (select number, outcome,
                   coalesce(max(number) filter (where outcome <> 'unknown') over (), 0) as answered
              from payout_attempts
             where org_id = ${toUuid(tx.orgId)} and payout_id = ${toUuid(id)}) counted
  `);
  return row ?? { attempts: 0, unknowns: 0 };
}

/** What has changed a balance since a statement: the transaction must have locked the ledger. */

import type { Currency } from '../../kernel/currency.ts';
import { type Id, toUuid } from '../../kernel/ids.ts';
import { type Micros, negate } from '../../kernel/money.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { OwnAccount } from '../domain/statement-entry.ts';
import { readMicros } from './micros-column.ts';

type Amount = { readonly amount: string };

/** What has left the balance by payouts, minus what came back. A payout that is only reserved is still in the balance. */
export async function sumPayouts(
  tx: Tx,
  currency: Currency,
  since: Readonly<Record<OwnAccount, string>>,
): Promise<Micros> {
  const [row] = await tx.query<Amount>(sql`
    select coalesce(sum(entry.amount), 0) as amount
      from ledger_entries entry
      join ledger_transactions posting on posting.org_id = entry.org_id and posting.id = entry.transaction_id
     where entry.org_id = ${toUuid(tx.orgId)} and entry.currency = ${currency}
       and (   (entry.account = 'payable' and entry.version > ${since.payable}::bigint)
            or (entry.account = 'payout_reserved' and entry.version > ${since.payout_reserved}::bigint)
            or (entry.account = 'held' and entry.version > ${since.held}::bigint))
       and posting.key like 'payout.%'
  `);
  return negate(readMicros(row?.amount ?? '0'));
}

/** Counts the adjustments since the last statement in this one, and returns their sum. */
export async function assignAdjustments(
  tx: Tx,
  currency: Currency,
  statementId: Id<'stm'>,
): Promise<Micros> {
  const [row] = await tx.query<Amount>(sql`
    with assigned as (
      update adjustments set statement_id = ${toUuid(statementId)}
       where org_id = ${toUuid(tx.orgId)} and currency = ${currency} and statement_id is null
      returning amount
    )
    select coalesce(sum(amount), 0) as amount from assigned
  `);
  return readMicros(row?.amount ?? '0');
}

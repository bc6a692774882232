/** The net amounts of runs that are approved and not closed, which a balance shows as pending. */

import type { Currency } from '../../kernel/currency.ts';
import { type Id, type OrgId, toUuid } from '../../kernel/ids.ts';
import { formatMicros, type Micros } from '../../kernel/money.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import { readMicros } from './micros-column.ts';

export type PendingNet = { readonly currency: Currency; readonly amount: Micros };

export async function findPendingNets(db: Db, orgId: OrgId): Promise<PendingNet[]> {
  const rows = await db.query<{ currency: Currency; amount: string }>(sql`
    select currency, sum(amount) as amount from pending_nets
     where org_id = ${toUuid(orgId)} group by currency order by currency
  `);
  return rows.map(({ currency, amount }) => ({ currency, amount: readMicros(amount) }));
}

/** Safe to repeat. */
export function insertPendingNet(tx: Tx, runId: Id<'run'>, { currency, amount }: PendingNet): void {
  tx.write(sql`
    insert into pending_nets (org_id, run_id, currency, amount)
    values (${toUuid(tx.orgId)}, ${toUuid(runId)}, ${currency}, ${formatMicros(amount)})
    on conflict do nothing
  `);
}

export function deletePendingNet(tx: Tx, runId: Id<'run'>, currency: Currency): void {
  tx.write(sql`
    delete from pending_nets
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)} and currency = ${currency}
  `);
}

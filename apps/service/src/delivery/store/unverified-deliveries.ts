/** Deliveries of one organization with a message that waits until the organization is verified. */

import { toUuid, toWire } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { DeliveryId } from '../domain/delivery.ts';

export function insertUnverifiedDelivery(tx: Tx, id: DeliveryId): void {
  tx.write(sql`
    insert into unverified_deliveries (org_id, delivery_id) values (${toUuid(tx.orgId)}, ${toUuid(id)})
    on conflict do nothing
  `);
}

/** Deletes at most `limit` of them, the oldest first, and returns them. */
export async function takeUnverifiedDeliveries(tx: Tx, limit: number): Promise<DeliveryId[]> {
  const rows = await tx.query<{ delivery_id: string }>(sql`
    delete from unverified_deliveries
     where org_id = ${toUuid(tx.orgId)}
       and delivery_id in (select delivery_id from unverified_deliveries
                            where org_id = ${toUuid(tx.orgId)}
                            order by delivery_id limit ${limit})
    returning delivery_id
  `);
  return rows.map(({ delivery_id }) => toWire('dlv', delivery_id));
}

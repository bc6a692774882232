import { toUuid } from '../../kernel/ids.ts';
import { type Upc, upcBodyDigits, upcFromNumber } from '../../kernel/upc.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { NumberRange } from '../domain/upc-range.ts';

/** The next free UPC of the organization's pool; undefined if the pool is exhausted. */
export async function allocateUpc(tx: Tx): Promise<Upc | undefined> {
  const [row] = await tx.query<{ number: number | null }>(sql`
    select allocate_upc_number(${toUuid(tx.orgId)})::float8 as number
  `);
  const number = row?.number ?? undefined;
  return number === undefined ? undefined : upcFromNumber(number);
}

/** Whether a block of the pool has numbers left; all of them may be reserved. */
export async function hasFreeUpc(tx: Tx): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from upc_blocks
     where org_id = ${toUuid(tx.orgId)} and next_number <= last_number limit 1
  `);
  return rows.length > 0;
}

/**
 * Reserves a UPC that the partner chose: `allocate_upc_number` skips it, also in a block that is added later.
 * Its block is locked first, so that no allocation misses a reservation that is about to commit.
 */
export function reserveUpc(tx: Tx, upc: Upc): void {
  const orgId = toUuid(tx.orgId);
  const number = upc.slice(0, upcBodyDigits);
  tx.write(sql`
    select 1 from upc_blocks
     where org_id = ${orgId} and ${number}::bigint between first_number and last_number
       for update
  `);
  tx.write(sql`
    insert into upc_reservations (org_id, number) values (${orgId}, ${number})
    on conflict do nothing
  `);
}

export function insertRange(tx: Tx, range: NumberRange, blocks: readonly NumberRange[]): void {
  tx.write(sql`
    insert into upc_owners (numbers, org_id)
    values (int8range(${range.first}, ${range.last}, '[]'), ${toUuid(tx.orgId)})
  `);
  for (const block of blocks) {
    tx.write(sql`
      insert into upc_blocks (org_id, first_number, last_number, next_number)
      values (${toUuid(tx.orgId)}, ${block.first}, ${block.last}, ${block.first})
    `);
  }
}

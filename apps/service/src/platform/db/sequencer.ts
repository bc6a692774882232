/**
 * The sequencer (architecture §1): gives committed events their gapless `sequence` per organization and links audit
 * rows into their chain. Any number of relays may run it. A round numbers a batch of each organization that has pending
 * rows; the relay repeats rounds until one numbers nothing.
 */

import type { Db } from './database.ts';
import { sql } from './sql.ts';

const organizationsPerRound = 100;
const batchMax = 500;
const atOnce = 4;

/** Returns how many rows it numbered. */
export async function sequenceRound(db: Db): Promise<number> {
  const pending = await db.query<{ org_id: string }>(sql`
    (select distinct org_id from events where sequence is null limit ${organizationsPerRound})
    union
    (select distinct org_id from audit where sequence is null limit ${organizationsPerRound})
  `);
  const queue = pending.map(({ org_id }) => org_id);
  const numbered = await Promise.all(
    Array.from({ length: atOnce }, async () => {
      let count = 0;
      for (let org = queue.pop(); org !== undefined; org = queue.pop()) {
        const [row] = await db.query<{ count: number }>(
          sql`select sequence_organization(${org}, ${batchMax}) as count`,
        );
        count += row?.count ?? 0;
      }
      return count;
    }),
  );
  return numbered.reduce((sum, count) => sum + count, 0);
}

/**
 * The sequencer (architecture §1): gives committed events their gapless `sequence` per organization and links audit
 * rows into their chain. Any number of relays may run it. A round numbers a batch of each of some organizations that
 * have pending rows, in one transaction; the next round continues with the organizations after them.
 */

import type { Db } from './database.ts';
import { sql } from './sql.ts';

/** Each organization is a savepoint: beyond 64 of them, PostgreSQL's snapshots become slow. */
const organizationsPerRound = 50;
const batchMax = 500;

type SequencedRound = {
  readonly rowsNumbered: number;
  /** No organization is left that has not had its turn. */
  readonly isLast: boolean;
};

/** A round that is not full reads only the events whose ids carry a time of yesterday, today or tomorrow. */
type Sequencer = (round: { readonly isFull: boolean }) => Promise<SequencedRound>;

export function createSequencer(db: Db): Sequencer {
  let after: string | null = null;
  return async ({ isFull }) => {
    const [row] = await db.query<{ rows_numbered: number; next_after: string | null }>(sql`
      select rows_numbered, next_after
        from sequence_round(${after}, ${organizationsPerRound}, ${batchMax}, ${isFull})
    `);
    after = row?.next_after ?? null;
    return { rowsNumbered: row?.rows_numbered ?? 0, isLast: after === null };
  };
}

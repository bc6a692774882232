/** Whether stores can be reached. */

import { insertInto } from '../../platform/db/columns.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { ContactFailure } from '../../platform/transport/contact-failure.ts';

/** `folder_full`: so many unusable files are in the folder of acknowledgements that the others are not seen. */
export type PollFailure = ContactFailure | 'folder_full';

export const recordReached = async (db: Db, storeId: string, now: Date): Promise<void> => {
  await db.query(sql`
    ${insertInto('store_polls', { store_id: storeId, reached_at: now })}
    on conflict (store_id) do update
       set reached_at = excluded.reached_at, failing_since = null, failure = null, reason = null
  `);
};

const reasonMax = 500;

/** Keeps the time of the first failure in a row. */
export async function recordPollFailure(
  db: Db,
  storeId: string,
  { failure, reason, now }: { failure: PollFailure; reason: string; now: Date },
): Promise<void> {
  const cut = reason.slice(0, reasonMax);
  const row = { store_id: storeId, failing_since: now, failure, reason: cut };
  await db.query(sql`
    ${insertInto('store_polls', row)}
    on conflict (store_id) do update
       set failing_since = coalesce(store_polls.failing_since, excluded.failing_since),
           failure = excluded.failure, reason = excluded.reason
  `);
}

type StorePoll = {
  readonly reached_at: Date | null;
  readonly failing_since: Date | null;
  readonly failure: PollFailure | null;
  readonly reason: string | null;
};

/** Undefined if the store was never polled. */
export async function findPoll(db: Db, storeId: string): Promise<StorePoll | undefined> {
  const [row] = await db.query<StorePoll>(
    sql`select reached_at, failing_since, failure, reason from store_polls where store_id = ${storeId}`,
  );
  return row;
}

export type FailingStore = {
  readonly store_id: string;
  readonly failing_since: Date;
  readonly failure: PollFailure;
};

/** Of the stores that are polled: an active one that is sent batches. */
export const listFailingStores = (db: Db): Promise<readonly FailingStore[]> =>
  db.query<FailingStore>(sql`
    select store_id, failing_since, failure from store_polls join stores using (store_id)
     where failing_since is not null and connector = 'ddex' and status = 'active'
  `);

/** Files in stores' folders of acknowledgements that changed no delivery, for operators. */

import { insertInto } from '../../platform/db/columns.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

/** The first three: the file is still at the store. The others: it was removed there, and is kept in our storage. */
type UnusableProblem =
  | 'too_large'
  | 'not_readable'
  | 'not_removable'
  | 'not_understood'
  | 'unmatched';

export type UnusableAcknowledgement = {
  readonly name: string;
  readonly problem: UnusableProblem;
  readonly reason: string;
  readonly sizeBytes: number;
  /** Null if the file was not read. */
  readonly sha256: string | null;
};

/** A store that sends garbage for ever fills no table. */
const rowsPerStoreMax = 1_000;
const reasonMax = 500;
const nameMax = 1_024;

/** Returns whether this is news: the same file is found by each poll while it stays at the store. */
export async function recordUnusable(
  db: Db,
  storeId: string,
  { name, problem, reason, sizeBytes, sha256 }: UnusableAcknowledgement,
  now: Date,
): Promise<boolean> {
  const known = await db.query(sql`
    select from unusable_acknowledgements
     where store_id = ${storeId} and name = ${name.slice(0, nameMax)} and problem = ${problem}
       and size_bytes = ${sizeBytes} and sha256 is not distinct from ${sha256}
  `);
  if (known.length > 0) return false;
  const [{ count } = { count: 0 }] = await db.query<{ count: number }>(
    sql`select count(*)::integer as count from unusable_acknowledgements where store_id = ${storeId}`,
  );
  if (count >= rowsPerStoreMax) return false;
  const row = {
    store_id: storeId,
    name: name.slice(0, nameMax),
    problem,
    reason: reason.slice(0, reasonMax),
    size_bytes: sizeBytes,
    sha256,
    found_at: now,
  };
  await db.query(sql`
    ${insertInto('unusable_acknowledgements', row)}
    on conflict (store_id, name) do update
       set problem = excluded.problem, reason = excluded.reason, size_bytes = excluded.size_bytes,
           sha256 = excluded.sha256, found_at = excluded.found_at
  `);
  return true;
}

/** The names of the files that were found to be too large before. */
export async function listTooLarge(db: Db, storeId: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ name: string }>(sql`
    select name from unusable_acknowledgements where store_id = ${storeId} and problem = 'too_large'
  `);
  return new Set(rows.map(({ name }) => name));
}

type UnusableCount = { readonly store_id: string; readonly count: number };

export const countUnusable = (db: Db): Promise<readonly UnusableCount[]> =>
  db.query<UnusableCount>(sql`
    select store_id, count(*)::integer as count from unusable_acknowledgements group by store_id
  `);

type ShownAcknowledgement = {
  readonly name: string;
  readonly problem: UnusableProblem;
  readonly reason: string;
  readonly size_bytes: string;
  readonly sha256: string | null;
  readonly found_at: Date;
};

const shownMax = 100;

/** The oldest 100. */
export const listUnusable = (db: Db, storeId: string): Promise<readonly ShownAcknowledgement[]> =>
  db.query<ShownAcknowledgement>(sql`
    select name, problem, reason, size_bytes, sha256, found_at from unusable_acknowledgements
     where store_id = ${storeId} order by found_at, name limit ${shownMax}
  `);

/** All of the store if no name is given. Returns how many. */
export async function dismissUnusable(db: Db, storeId: string, name?: string): Promise<number> {
  const rows = await db.query(sql`
    delete from unusable_acknowledgements
     where store_id = ${storeId} and (${name ?? null}::text is null or name = ${name ?? null})
    returning name
  `);
  return rows.length;
}

/** Statements on one connection. Each is sent the moment it is asked for; only awaiting its rows waits. */

import type pg from 'pg';
import { type Sql, toStatement } from './sql.ts';

/** Anything a query can run on: what store functions take when they only read. */
export type Db = { readonly query: <Row>(query: Sql) => Promise<Row[]> };

export const queriesOf = (client: pg.PoolClient): Db => ({
  query: async <Row>(query: Sql) => (await client.query(toStatement(query))).rows as Row[],
});

/** For a promise that is awaited later: if it fails before that, Node must not count it as unhandled. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

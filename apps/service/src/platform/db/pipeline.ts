/** Statements of one transaction. Those of one turn are sent together; only awaiting their rows waits. */

import { type Sql, toStatement } from './sql.ts';
import type { Pipeline } from './statement-batch.ts';

/** Anything a query can run on: what store functions take when they only read. */
export type Db = { readonly query: <Row>(query: Sql) => Promise<Row[]> };

export const queriesOf = (run: Pipeline): Db => ({
  query: async <Row>(query: Sql) => (await run<Row>(toStatement(query))).rows,
});

/** For a promise that is awaited later: if it fails before that, Node must not count it as unhandled. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Until the statements that were asked for in this turn have left: a rollback must not overtake or join them. */
export const batchSent = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** Queries of a proof, which are repeated after PostgreSQL was killed. */

import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { databaseUrl, type TestService } from '../test-service.ts';

/** The caller gives the type of the rows; it is not checked. */
export type Query = <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export function openQueries(service: TestService): { query: Query; close: () => Promise<void> } {
  const pool = new pg.Pool({ connectionString: databaseUrl(service.database), max: 6 });
  pool.on('error', () => undefined);
  const query: Query = async <Row>(text: string, values: readonly unknown[]) => {
    for (;;) {
      try {
        return (await pool.query(text, [...values])).rows as Row[];
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        await wait(200);
      }
    }
  };
  return { query, close: () => pool.end() };
}

/** A lost connection has no SQLSTATE, or one of class 57 (the server is stopping or starting). */
const isConnectionLost = (error: unknown): boolean => {
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  return code === undefined || code.startsWith('57');
};

/** DuckDB in the process of a task, bounded in memory and threads: lack of memory ends the process. */

import { join } from 'node:path';
import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { text } from './duckdb-texts.ts';

export type DuckDb = {
  readonly run: (query: string) => Promise<void>;
  /** Numbers larger than 2^53 and decimals are texts. */
  readonly rows: <Row = Readonly<Record<string, unknown>>>(
    query: string,
  ) => Promise<readonly Row[]>;
  /** The result in pieces, while it is computed. Large integers must be cast to DOUBLE or VARCHAR. */
  readonly stream: (query: string) => AsyncIterable<DuckDBDataChunk>;
  /** Creates a table of rows. The columns are names with types of DuckDB. */
  readonly load: (
    table: string,
    columns: Readonly<Record<string, string>>,
    rows: readonly Readonly<Record<string, unknown>>[],
  ) => Promise<void>;
};

export type DuckDbLimits = {
  readonly threads: number;
  readonly memoryMb: number;
  /** Rows that do not fit into the memory are written here. */
  readonly folder: string;
};

type Work<Result> = (db: DuckDb) => Promise<Result>;

/** For our own files. Results are ordered where order matters. */
export const withDuckDb = <Result>(limits: DuckDbLimits, work: Work<Result>): Promise<Result> =>
  useDuckDb(limits, { preserve_insertion_order: 'false' }, work);

/** For the files of stores: no file outside the folder is read or written. */
export const withConfinedDuckDb = <Result>(
  limits: DuckDbLimits,
  work: Work<Result>,
): Promise<Result> =>
  useDuckDb(limits, {}, async (db) => {
    await db.run(`set allowed_directories = [${text(limits.folder)}]`);
    await db.run('set enable_external_access = false');
    return work(db);
  });

async function useDuckDb<Result>(
  { threads, memoryMb, folder }: DuckDbLimits,
  settings: Readonly<Record<string, string>>,
  work: Work<Result>,
): Promise<Result> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: `${memoryMb}MiB`,
    temp_directory: join(folder, 'spill'),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    ...settings,
  });
  try {
    const connection = await instance.connect();
    return await work(duckDbOf(connection));
  } finally {
    instance.closeSync();
  }
}

const duckDbOf = (connection: DuckDBConnection): DuckDb => ({
  run: async (query) => void (await connection.run(query)),
  rows: async <Row>(query: string) =>
    // The query decides the columns, and its author the type.
    (await connection.runAndReadAll(query)).getRowObjectsJson() as unknown as Row[],
  stream: async function* (query) {
    yield* await connection.stream(query);
  },
  load: async (table, columns, rows) => {
    const shape = JSON.stringify([columns]);
    const query = `create table ${table} as
      select unnest(from_json($rows, ${text(shape)}), recursive := true)`;
    await connection.run(query, { rows: JSON.stringify(rows) });
  },
});

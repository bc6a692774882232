/**
 * What PostgreSQL counts: statements, transactions, bytes of its log and rows. `pg_stat_statements` needs a restart of
 * the server; its own cost, about a hundredth of a statement, is part of what is measured.
 */

import type { Socket } from 'node:net';
import pg from 'pg';
import { databaseUrl } from '../apps/service/test/test-service.ts';
import type { Fleet } from '../scripts/servers/fleet.ts';
import { until } from '../scripts/servers/server.ts';
import type { Counts } from './unit-counts.ts';

const pollMs = 20;
const settleMs = 240_000;
const topMax = 10;
const textMax = 240;
/** With fewer rows, half-filled pages are a large part of a table. */
const rowsMin = 500;

/** Call it before anything is connected. */
export async function recordStatements({ postgres }: Fleet): Promise<void> {
  const client = new pg.Client(databaseUrl('postgres'));
  await client.connect();
  await client.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await client.query('alter system set pg_stat_statements.track_planning = on');
  await client.end();
  await postgres.stop();
  await postgres.start();
}

/** One connection for everything that the bench asks, so that what it costs can be left out. */
export async function openUnitDatabase(database: string) {
  const client = new pg.Client(databaseUrl(database));
  // After a failure the servers stop first; the failure is what must be reported.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create extension pg_stat_statements');
  let ownTransactions = 1;
  const query = async (text: string, values: unknown[] = []) => {
    ownTransactions++;
    return (await client.query(text, values)).rows;
  };
  const [{ pid }] = await query('select pg_backend_pid() as pid');

  return {
    pid: pid as number,
    localPort: (client as unknown as { connection: { stream: Socket } }).connection.stream
      .localPort,
    query,
    /** Until `text`, a condition, is true. */
    until: (what: string, text: string, values: unknown[]) =>
      until(
        what,
        async () => (await query(`select (${text}) as is_done`, values))[0].is_done as boolean,
        settleMs,
        pollMs,
      ),
    /** Counted at once. */
    readStatements: async (): Promise<Counts> => {
      const rows = await query(statementsText);
      return Object.fromEntries(
        rows.flatMap(({ id, calls, plans, plan_ms, exec_ms, wal_bytes }) => [
          [`calls ${id}`, calls],
          [`plans ${id}`, plans],
          [`plan ${id}`, plan_ms],
          [`exec ${id}`, exec_ms],
          [`wal ${id}`, wal_bytes],
        ]),
      );
    },
    /** Counted when a backend has nothing to do: at the latest 10 s after its last transaction. */
    readRows: async (): Promise<Counts> => {
      await query('select pg_stat_force_next_flush()');
      const [{ commits }] = await query(
        `select xact_commit::float8 as commits from pg_stat_database where datname = current_database()`,
      );
      const transactions = commits - ownTransactions;
      const rows = await query(rowsText);
      return Object.fromEntries([
        ['transactions', transactions],
        ...rows.map(({ name, count }) => [name, count]),
      ]);
    },
    /** Of every table with enough rows: the disk space of one, with its indexes and without. */
    readSizes: async () => {
      await query('analyze');
      const rows = await query(sizesText, [rowsMin]);
      return Object.fromEntries(rows.map(({ name, ...size }) => [name as string, size]));
    },
    /** The statements that cost PostgreSQL the most, for one unit. */
    topStatements: async (counts: Counts) => {
      const ids = Object.keys(counts)
        .filter((name) => name.startsWith('calls '))
        .map((name) => name.slice('calls '.length));
      const costMs = (id: string) => (counts[`plan ${id}`] ?? 0) + (counts[`exec ${id}`] ?? 0);
      const top = ids.toSorted((a, b) => costMs(b) - costMs(a)).slice(0, topMax);
      const texts = await query(
        `select queryid::text as id, min(query) as text from pg_stat_statements where queryid = any($1::bigint[]) group by 1`,
        [top],
      );
      const textOf = new Map(texts.map(({ id, text }) => [id as string, text as string]));
      return top.map((id) => ({
        text: (textOf.get(id) ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, textMax),
        calls: counts[`calls ${id}`] ?? 0,
        plans: counts[`plans ${id}`] ?? 0,
        plan_ms: counts[`plan ${id}`] ?? 0,
        exec_ms: counts[`exec ${id}`] ?? 0,
      }));
    },
    close: () => client.end(),
  };
}

export type UnitDatabase = Awaited<ReturnType<typeof openUnitDatabase>>;

/** Of the roles of the service; the bench asks as the owner. */
const statementsText = `
  select queryid::text as id, sum(calls)::float8 as calls, sum(plans)::float8 as plans, sum(total_plan_time) as plan_ms,
         sum(total_exec_time) as exec_ms, sum(wal_bytes)::float8 as wal_bytes
    from pg_stat_statements join pg_roles on pg_roles.oid = userid
   where dbid = (select oid from pg_database where datname = current_database()) and rolname like 'tonearm\\_%'
   group by queryid`;

/** Rows of partitions belong to their table. */
const rowsText = `
  select kind || ' ' || coalesce(pg_partition_root(relid)::regclass::text, relname) as name, sum(count)::float8 as count
    from pg_stat_user_tables,
         lateral (values ('inserted', n_tup_ins), ('updated', n_tup_upd), ('deleted', n_tup_del)) as counted (kind, count)
   group by 1`;

/** Partitions without rows are left out. */
const sizesText = `
  select coalesce(pg_partition_root(oid)::regclass::text, relname) as name, sum(reltuples)::int as rows,
         round(sum(pg_total_relation_size(oid)) / sum(reltuples))::int as bytes_per_row,
         round(sum(pg_indexes_size(oid)) / sum(reltuples))::int as index_bytes_per_row
    from pg_class
   where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 0
   group by 1
  having sum(reltuples) >= $1
   order by 1`;

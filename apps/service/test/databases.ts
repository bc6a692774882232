/** The databases of tests, besides the template that `migrate` makes. */

import pg from 'pg';

/**
 * A copy of the template database of `npm test` with few partitions, for services without a worker. `migrate` makes the
 * partitions of two weeks, 17 for each table: a database is then twice as dear to copy, and a new connection takes 15 ms
 * more of processor time when it plans a statement over them. Rows of other times go to the default partitions, as they
 * do when upkeep is late; `retention.test.ts` checks that they are read like any other.
 */
export const smallTemplate = 'tonearm_template_small';

/** Keeps the current period, the one before and the one after. */
const dropOthers = `
  do $$
  declare
    partition text;
  begin
    for partition in
      select child.relname
        from partitioned_tables parent
        join pg_inherits on inhparent = parent.name::regclass
        join pg_class child on child.oid = inhrelid
       where child.relname <> parent.name || '_default'
         and child.relname not in (
               select partition_name(parent, date_trunc(period_unit(parent.period), now()) + parent.period * number)
                 from generate_series(-1, 1) number)
    loop
      execute format('drop table %I', partition);
    end loop;
  end $$`;

async function run(url: string, ...statements: readonly string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client(url);
  await client.connect();
  const results: pg.QueryResult[] = [];
  try {
    for (const statement of statements) results.push(await client.query(statement));
    return results;
  } finally {
    await client.end();
  }
}

export async function createSmallTemplate(address: string): Promise<void> {
  await run(`${address}/postgres`, `create database ${smallTemplate} template tonearm_template`);
  await run(`${address}/${smallTemplate}`, dropOthers);
}

/** Of services that were not closed. */
export async function dropTestDatabases(address: string): Promise<void> {
  const url = `${address}/postgres`;
  const [found] = await run(url, `select datname from pg_database where datname like 't\\_%'`);
  const names = (found?.rows ?? []) as { readonly datname: string }[];
  await run(url, ...names.map(({ datname }) => `drop database ${datname} with (force)`));
}

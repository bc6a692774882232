/**
 * Plain SQL files, applied once each in the order of their names, each in a transaction with its row in
 * `schema_migrations`. A file that changed after it was applied is refused, because the database would differ from the
 * files. An advisory lock lets any number of processes start at once. The files read the environment from the setting
 * `tonearm.environment`; 0001 stores it in the table `environment`.
 */

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Environment, wrongEnvironment } from '../../kernel/environment.ts';
import { Problem } from '../../kernel/problem.ts';

const lockId = 7_461_902;
const lockTimeoutMs = 30_000;

type Migration = { readonly name: string; readonly text: string; readonly sha256: string };

export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name));
  return Promise.all(
    names.toSorted().map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Returns the names of the migrations it applied. */
export async function migrate(
  ownerUrl: string,
  environment: Environment,
  migrations: readonly Migration[],
  now: Date,
): Promise<string[]> {
  const client = await connectTo(ownerUrl);
  try {
    await client.query('select pg_advisory_lock($1)', [lockId]);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null)',
    );
    await refuseOtherEnvironment(client, environment);
    await client.query(`select set_config('tonearm.environment', $1, false)`, [environment]);
    const applied = await appliedMigrations(client);
    refuseDrift(migrations, applied);
    const pending = migrations.filter(({ name }) => !applied.has(name));
    for (const migration of pending) await apply(client, migration, now);
    await ensurePartitions(client);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

const invalidCatalogName = '3D000';

/** Creates the database if it does not exist, so that a new installation is one command. */
async function connectTo(url: string): Promise<pg.Client> {
  const options = { connectionString: url, lock_timeout: lockTimeoutMs };
  const client = new pg.Client(options);
  try {
    await client.connect();
    return client;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== invalidCatalogName) throw error;
  }
  await createDatabase(url);
  const retried = new pg.Client(options);
  await retried.connect();
  return retried;
}

async function createDatabase(url: string): Promise<void> {
  const maintenance = new URL(url);
  const name = decodeURIComponent(maintenance.pathname.slice(1));
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** Runs before anything is changed. A database without a mark gets one from migration 0001. */
async function refuseOtherEnvironment(client: pg.Client, environment: Environment): Promise<void> {
  const { rows: tables } = await client.query<{ marked: boolean }>(
    `select to_regclass('environment') is not null as marked`,
  );
  if (tables[0]?.marked !== true) return;
  const { rows } = await client.query<{ name: string }>('select name from environment');
  if (rows[0]?.name !== environment) {
    throw wrongEnvironment('a database', 'TONEARM_OWNER_DATABASE_URL', environment);
  }
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  );
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

function refuseDrift(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const changed = migrations.filter(
    ({ name, sha256 }) => applied.has(name) && applied.get(name) !== sha256,
  );
  if (changed.length > 0) {
    const names = changed.map(({ name }) => name).join(', ');
    throw new Problem(
      'invalid_state',
      `Applied migrations were edited: ${names}. Write a new one instead; in development, npm run dev -- --reset starts with an empty database.`,
    );
  }
}

/** A statement for each table, so that the locks of two tables are never held together. */
async function ensurePartitions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from partitioned_tables');
  for (const { name } of rows) await client.query('select ensure_partitions_of($1)', [name]);
}

async function apply(client: pg.Client, migration: Migration, now: Date): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.text);
    await client.query('insert into schema_migrations values ($1, $2, $3)', [
      migration.name,
      migration.sha256,
      now,
    ]);
    await client.query('commit');
  } catch (error) {
    throw new Error(`migration ${migration.name} failed`, { cause: error });
  }
}

/** A database of the release before, with rows in it, brought up to date by an owner that is no superuser. */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { migrationsFolder } from '../src/app/migrate.ts';
import { migrate, readMigrations } from '../src/platform/db/migrate.ts';
import { databaseUrl, dropTestDatabase } from './test-service.ts';

test('rows from before are kept by their ids; jobs, snapshots and sizes are carried over', async () => {
  const name = `t_upgrade_${randomBytes(4).toString('hex')}`;
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  const superuser = new pg.Client(databaseUrl('postgres'));
  await superuser.connect();
  await superuser.query(`create role ${owner} login createrole`);
  await superuser.query(`create database ${name} owner ${owner}`);
  const url = databaseUrl(name, owner);
  const migrations = await readMigrations(migrationsFolder);
  const upTo = (prefix: string) => migrations.filter((each) => each.name.slice(0, 4) <= prefix);
  await migrate(url, 'sandbox', upTo('0016'), new Date());

  const client = new pg.Client(url);
  await client.connect();
  const [org, release, job] = [randomUUID(), randomUUID(), randomUUID()];
  await client.query(`select set_config('app.org_id', '${org}', false)`);
  await client.query(
    `insert into releases (org_id, id, title, artists, release_date, label, upc, territories, status, track_count,
                           revision, created_at, updated_at, actor_type, actor_id)
     values ($1, $2, 'Night Drive', '[]', '2027-01-15', 'Label', '400000000001', '{US}', 'submitted', 2,
             1, now(), now(), 'key', 'x')`,
    [org, release],
  );
  await client.query(
    `insert into release_snapshots values
       ($1, $2, 1, '{"tracks":[{"isrc":"QZLAW2600001"},{"isrc":"QZLAW2600001"}]}', now()),
       ($1, $2, 2, '{"tracks":[{"isrc":"QZLAW2600002"}]}', now())`,
    [org, release],
  );
  await client.query(
    `insert into delivery_jobs (org_id, id, action, status, defaults, total, created_at, updated_at, completed_at,
                                actor_type, actor_id)
     values ($1, $2, 'deliver', 'completed', '{}', 1, now(), now(), now() - interval '1 year', 'key', 'x')`,
    [org, job],
  );
  await client.query(
    `insert into events (org_id, id, type, data, created_at) values ($1, uuidv7(), 'test', '{}', now())`,
    [org],
  );

  await migrate(url, 'sandbox', migrations, new Date());
  const { rows } = await client.query(`
    select array(select isrc from release_isrcs order by isrc) as isrcs,
           (select now() - settled_at < interval '1 hour' from delivery_jobs) as is_settled_now,
           (select stored_at is null from events) as is_of_before,
           (select content_bytes > 300 from releases) as is_measured,
           (select count(*)::int from pg_class where relname in ('delivery_jobs', 'release_snapshots', 'releases', 'tracks', 'assets')
               and relforcerowsecurity) as forced`);
  assert.deepEqual(rows, [
    {
      isrcs: ['QZLAW2600001', 'QZLAW2600002'],
      is_settled_now: true,
      is_of_before: true,
      is_measured: true,
      forced: 5,
    },
  ]);
  await client.end();
  await dropTestDatabase(name);
  await superuser.query(`drop role ${owner}`);
  await superuser.end();
});

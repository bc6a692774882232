/**
 * Fills the tables of an installation: organizations, their releases and days of delivered events, as the service writes
 * them. The largest organization has 30 % of everything, the others share the rest.
 */

import type { TestService } from '../apps/service/test/test-service.ts';

type Query = TestService['query'];

const shareOfLargest = 0.3;

/** Copies an organization that has a webhook. `bench_organizations` then lists all that have one, with their shares. */
export async function fillOrganizations(query: Query, count: number): Promise<void> {
  await query(
    `create table bench_organizations as
       select distinct on (org_id) org_id, id as webhook_id, 0::float8 as share, false as is_new from webhooks`,
  );
  await query(
    `insert into bench_organizations select uuidv7(), uuidv7(), 0, true from generate_series(1, $1::int)`,
    [count],
  );
  await query(
    `update bench_organizations set share =
       case when org_id = (select max(org_id::text)::uuid from bench_organizations) then $1::float8
            else (1 - $1::float8) / (select count(*) - 1 from bench_organizations) end`,
    [shareOfLargest],
  );
  await copyRows(query, 'organizations', { org_id: 'made.org_id' });
  await copyRows(query, 'webhooks', { org_id: 'made.org_id', id: 'made.webhook_id' });
  await copyRows(query, 'webhook_dispatchers', {
    org_id: 'made.org_id',
    webhook_id: 'made.webhook_id',
  });
  await copyRows(query, 'sequence_heads', { org_id: 'made.org_id' });
  await copyRows(query, 'fanout_cursors', { org_id: 'made.org_id' });
}

/** One row for each new organization, like the first that is there. */
async function copyRows(
  query: Query,
  table: string,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const columns: { name: string }[] = await query(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  await query(
    `insert into ${table} (${names.join(', ')})
     select ${names.map((name) => own[name] ?? `template.${name}`).join(', ')}
       from bench_organizations made,
            (select * from ${table} where org_id in (select org_id from bench_organizations) limit 1) template
      where made.is_new`,
  );
}

/** Releases with their first revision. Those of an organization are as old as their number says. */
export async function fillReleases(query: Query, count: number): Promise<void> {
  await fillUnchecked(
    query,
    `with made as (
       insert into releases (org_id, id, title, artists, release_date, label, upc, territories, status, track_count,
                             revision, created_at, updated_at, content_bytes, actor_type, actor_id)
       select org_id, uuidv7(at - clock_timestamp()), 'Release ' || n, '[{"name":"Aurora Díaz","role":"main"}]',
              date '2027-01-15' + (n % 300), 'Label ' || n % 20, lpad((n % 100000000)::text, 12, '0'), '{WORLD}',
              'draft', 0, 1, at, at, 600, 'api_key', 'key'
         from bench_organizations,
              lateral (select floor(share * ${count} + random())::int as releases) own,
              generate_series(1, releases) n,
              lateral (select clock_timestamp() - (1 - n / (releases + 1.0)) * interval '300 days' as at) times
       returning org_id, id, created_at, title, artists)
     insert into release_revisions (org_id, release_id, revision, changed_fields, release, created_at, actor_type, actor_id)
     select org_id, id, 1, '{}', jsonb_build_object('title', title, 'artists', artists, 'label', 'Label',
            'territories', array['WORLD'], 'status', 'draft'), created_at, 'api_key', 'key' from made`,
  );
  await query('vacuum analyze releases, release_revisions');
}

/** Without triggers: the rows refer to each other as they should, and checking each takes longer than inserting it. */
const fillUnchecked = (query: Query, statement: string) =>
  query(`do $$ begin set local session_replication_role = replica; ${statement}; end $$`);

/** `days` days of events, each delivered to the endpoint of its organization at the first attempt. */
export async function fillHistory(query: Query, days: number, eventsPerDay: number): Promise<void> {
  await query('create table bench_day (org_id uuid, webhook_id uuid, head bigint, events int)');
  for (let day = days - 1; day >= 0; day--) {
    await query(`select make_partitions(now() - $1::int * interval '1 day')`, [day]);
    await query('truncate bench_day');
    await query(
      `insert into bench_day
       select org_id, webhook_id, event_sequence, floor(share * $1::int + random())::int
         from bench_organizations join sequence_heads using (org_id)`,
      [eventsPerDay],
    );
    await fillUnchecked(query, historyOf(day));
    await query(
      `update sequence_heads set event_sequence = event_sequence + events
         from bench_day where bench_day.org_id = sequence_heads.org_id and events > 0`,
    );
    await query(
      `update fanout_cursors set sequenced_upto = head + events, fanned_out_upto = head + events
         from bench_day where bench_day.org_id = fanout_cursors.org_id and events > 0`,
    );
  }
  await query('drop table bench_day');
  await query('vacuum analyze events, webhook_deliveries, webhook_attempts');
}

/** The events of an organization follow each other through the day; the youngest are older than any that comes. */
const historyOf = (day: number) => `
  with made as (
    insert into events (org_id, id, type, data, created_at, sequence, stored_at)
    select org_id, uuidv7(at - clock_timestamp()), 'release.created',
           jsonb_build_object('title', 'Night Drive', 'description', repeat('x', 400)), at, head + n, at
      from bench_day, generate_series(1, events) n,
           lateral (select clock_timestamp() - interval '1 minute' - (${day} + 1 - n / (events + 1.0)) * interval '20 hours'
                           - ${day} * interval '4 hours' as at) times
    returning org_id, id, created_at),
  delivered as (
    insert into webhook_deliveries (org_id, event_id, webhook_id, status, attempts, attempt_id, stored_at)
    select org_id, made.id, webhook_id, 'delivered', 1, uuidv7(created_at - clock_timestamp()), created_at
      from made join bench_day using (org_id)
    returning org_id, event_id, webhook_id, attempt_id, stored_at)
  insert into webhook_attempts (org_id, id, event_id, webhook_id, number, status_code, duration_ms, created_at, stored_at)
  select org_id, attempt_id, event_id, webhook_id, 1, 200, 20, stored_at, stored_at from delivered`;

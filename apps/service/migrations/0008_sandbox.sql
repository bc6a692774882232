-- The sandbox (spec §1, contract §4): a clock that partners move, stores that follow scenarios, a webhook receiver, and
-- catalogues that are reset and seeded. The tables exist in live too; the rights at the end of this file do not.

create table sandbox_clocks (
  org_id       uuid primary key,
  is_manual    boolean not null,
  advancing_to timestamptz, -- business time; null: the clock is not being advanced
  has_flushed  boolean not null default false, -- the messages that were due when the advance began have been sent
  updated_at   timestamptz not null,
  actor_type   text not null,
  actor_id     text not null
);
call protect_tenant_table('sandbox_clocks');
grant select, insert, update on sandbox_clocks to tonearm_app, tonearm_worker;

create table sandbox_scenarios (
  org_id     uuid not null,
  id         uuid not null,
  name       text,
  store_id   text, -- null: every store
  release_id uuid, -- null: every release
  message    text check (message in ('deliver', 'update', 'takedown')), -- null: every kind
  seed       integer not null,
  steps      jsonb not null,
  repeats    boolean not null,
  created_at timestamptz not null,
  actor_type text not null,
  actor_id   text not null,
  primary key (org_id, id)
);
call protect_tenant_table('sandbox_scenarios');
grant select, insert, delete on sandbox_scenarios to tonearm_app;
grant select on sandbox_scenarios to tonearm_worker;

-- The scenario step that a message met: sent again, the message meets the same step.
create table sandbox_scenario_uses (
  org_id       uuid not null,
  message_id   uuid not null,
  scenario_id  uuid not null,
  delivery_id  uuid not null,
  store_id     text not null,
  step         integer not null,
  outage_until timestamptz, -- business time at which the outage of this step ends
  primary key (org_id, message_id)
);
call protect_tenant_table('sandbox_scenario_uses');
create index sandbox_scenario_uses_of_delivery on sandbox_scenario_uses (org_id, delivery_id, store_id);
grant select, insert, update on sandbox_scenario_uses to tonearm_worker;

-- The inbox: a webhook receiver for each organization. All its times are real time.
create table inboxes (
  org_id              uuid primary key,
  sealed_token        bytea not null, -- sealed, not hashed, because the API shows the address again
  -- The answer to the next `times` requests, after which the usual answer returns; null: until it is changed.
  status              smallint not null check (status between 200 and 599),
  times               smallint check (times between 1 and 1000),
  delay_seconds       smallint not null check (delay_seconds between 0 and 35),
  retry_after_seconds integer check (retry_after_seconds between 0 and 86400),
  received            bigint not null default 0, -- messages ever received: the number of the newest
  created_at          timestamptz not null,
  updated_at          timestamptz not null, -- when a partner last set the answer
  actor_type          text not null,
  actor_id            text not null
) with (fillfactor = 50); -- every message updates the row, within the page
call protect_tenant_table('inboxes');
grant select, insert, update on inboxes to tonearm_app;

-- Numbered without gaps, so that the message to delete when a new one arrives is found by its number.
create table inbox_messages (
  org_id      uuid not null,
  number      bigint not null,
  id          uuid not null,
  status      smallint not null, -- of our answer
  headers     jsonb not null,
  body        bytea not null check (length(body) <= 262144),
  body_sha256 bytea not null check (length(body_sha256) = 32),
  received_at timestamptz not null,
  primary key (org_id, number)
);
call protect_tenant_table('inbox_messages');
grant select, insert, delete on inbox_messages to tonearm_app;

-- Directory: the organization of an inbox address. Only the hash of its token is stored.
create table inbox_tokens (
  sha256 bytea primary key check (length(sha256) = 32),
  org_id uuid not null
);
grant select on inbox_tokens to tonearm_directory;
grant insert on inbox_tokens to tonearm_app;

-- The latest reset of an organization's catalogue, and whether it was seeded with a fictional one afterwards.
create table sandbox_resets (
  org_id      uuid primary key,
  status      text not null check (status in ('idle', 'running', 'failed')),
  wants_seed  boolean not null,
  is_seeded   boolean not null,
  problem     text, -- why it failed
  started_at  timestamptz not null, -- real time
  finished_at timestamptz, -- real time
  actor_type  text not null,
  actor_id    text not null,
  check ((status = 'running') = (finished_at is null)),
  check ((status = 'failed') = (problem is not null))
);
call protect_tenant_table('sandbox_resets');
grant select, insert, update on sandbox_resets to tonearm_app;
grant select, update (status, is_seeded, problem, finished_at) on sandbox_resets to tonearm_worker;

-- Deletes a batch of the catalogue of the transaction's organization, in a sandbox only: at most rows_max rows of one
-- table, the first that has any, children before parents. So concurrent transactions wait for rows of one table at
-- most, and the next call finds rows that were inserted meanwhile. It is security definer because no role may delete
-- from these tables. Returns whether nothing was left, and which assets were deleted.
--
-- Kept: the organization, its keys, UPC and ISRC ranges, idempotency keys, events and audit rows; settled timers; and
-- timers of real time, which delete files and continue the reset.
create function remove_catalogue(rows_max integer, out was_empty boolean, out removed_assets uuid[])
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org constant uuid := app_org_id();
  target record;
  removed integer;
begin
  if org is null or not exists (select from environment where name = 'sandbox') then
    raise exception 'only an organization of a sandbox is emptied' using errcode = 'insufficient_privilege';
  end if;
  was_empty := false;
  removed_assets := '{}';
  for target in
    select * from (values
      (1, 'timers', 'id', 'state in (''waiting'', ''firing'') and not is_real'),
      (2, 'store_answers', 'id', 'true'),
      (3, 'store_messages', 'id', 'true'),
      (4, 'paused_store_deliveries', 'store_id, delivery_id', 'true'),
      (5, 'sandbox_scenario_uses', 'message_id', 'true'),
      (6, 'sandbox_scenarios', 'id', 'true'),
      (7, 'delivery_timeline', 'id', 'true'),
      (8, 'delivery_stores', 'delivery_id, store_id', 'true'),
      (9, 'deliveries', 'id', 'true'),
      (10, 'delivery_job_items', 'job_id, position', 'true'),
      (11, 'delivery_jobs', 'id', 'true'),
      (12, 'legal_holds', 'release_id', 'true'),
      (13, 'submissions', 'id', 'true'),
      (14, 'release_snapshots', 'release_id, revision', 'true'),
      (15, 'release_revisions', 'release_id, revision', 'true'),
      (16, 'tracks', 'id', 'true'),
      (17, 'releases', 'id', 'true')
    ) as targets (number, table_name, key, condition) order by number
  loop
    -- Locks rows in the order of their key, as other transactions do: no deadlock.
    execute format(
      'delete from %1$I where org_id = $1 and (%2$s) in
         (select %2$s from %1$I where org_id = $1 and %3$s order by %2$s limit $2 for update)',
      target.table_name, target.key, target.condition) using org, rows_max;
    get diagnostics removed = row_count;
    if removed > 0 then
      return;
    end if;
  end loop;
  with removed_rows as (
    delete from assets where org_id = org and id in
      (select id from assets where org_id = org order by id limit rows_max for update)
    returning id
  )
  select count(*) = 0, coalesce(array_agg(id), '{}') into was_empty, removed_assets from removed_rows;
exception
  -- Another transaction has just inserted a child of a row to delete: the next call deletes the child first.
  when foreign_key_violation then
    was_empty := false;
    removed_assets := '{}';
end $$;
revoke execute on function remove_catalogue(integer) from public;
grant execute on function remove_catalogue(integer) to tonearm_worker;

-- Rights that exist in a sandbox only: in live the api and the worker cannot move a clock or answer for a store, and the
-- worker cannot create a catalogue.
do $$
begin
  if (select name from environment) = 'sandbox' then
    grant update (clock_offset_ms, clock_frozen_at) on organizations to tonearm_app, tonearm_worker;
    grant execute on function discard_pending_answers(uuid, text) to tonearm_app, tonearm_worker;
    -- The worker seeds a catalogue with the commands that partners use.
    grant insert, update on releases to tonearm_worker;
    grant select, insert on release_revisions to tonearm_worker;
    grant insert on tracks, assets, submissions to tonearm_worker;
    grant select, update on upc_blocks to tonearm_worker;
    grant select on upc_reservations, isrc_registrants to tonearm_worker;
    grant select, insert, update on isrc_years to tonearm_worker;
    -- remove_catalogue() deletes by organization; live reads store_messages by id only.
    create index store_messages_of_organization on store_messages (org_id, id);
  end if;
end $$;

-- The sandbox's catalogues: emptied when a partner wants to begin anew, and filled with a fictional one.
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

-- Nobody may delete a catalogue but through this, a batch at a time, and in a sandbox alone. Of the
-- organization of the transaction, from one table: the first that has something, children before parents. So
-- whoever works meanwhile waits for rows of that table at most, and what is added meanwhile is found by the
-- next call. Kept: the organization, its keys and codes, idempotency keys, events and audit; settled timers,
-- and those of real time, by which files are removed and this goes on. Returns whether nothing was left, and
-- which assets are gone now.
create function remove_catalogue(rows_max integer, out was_empty boolean, out removed_assets uuid[])
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org constant uuid := app_org_id();
  kind record;
  removed integer;
begin
  if org is null or not exists (select from environment where name = 'sandbox') then
    raise exception 'only an organization of a sandbox is emptied' using errcode = 'insufficient_privilege';
  end if;
  was_empty := false;
  removed_assets := '{}';
  for kind in
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
    ) as kinds (number, name, key, which) order by number
  loop
    -- In one order, as others lock several rows: nobody waits in a circle.
    execute format(
      'delete from %1$I where org_id = $1 and (%2$s) in
         (select %2$s from %1$I where org_id = $1 and %3$s order by %2$s limit $2 for update)',
      kind.name, kind.key, kind.which) using org, rows_max;
    get diagnostics removed = row_count;
    if removed > 0 then
      return;
    end if;
  end loop;
  with gone as (
    delete from assets where org_id = org and id in
      (select id from assets where org_id = org order by id limit rows_max for update)
    returning id
  )
  select count(*) = 0, coalesce(array_agg(id), '{}') into was_empty, removed_assets from gone;
exception
  -- Somebody has just added a child to a parent without any: the next call removes the child first.
  when foreign_key_violation then
    was_empty := false;
    removed_assets := '{}';
end $$;
revoke execute on function remove_catalogue(integer) from public;
grant execute on function remove_catalogue(integer) to tonearm_worker;

-- The seed is made by the worker, with the commands partners have. In live it needs none of this.
do $$
begin
  if (select name from environment) = 'sandbox' then
    grant insert, update on releases to tonearm_worker;
    grant select, insert on release_revisions to tonearm_worker;
    grant insert on tracks, assets, submissions to tonearm_worker;
    grant select, update on upc_blocks to tonearm_worker;
    grant select on upc_reservations, isrc_registrants to tonearm_worker;
    grant select, insert, update on isrc_years to tonearm_worker;
    grant execute on function discard_pending_answers(uuid, text) to tonearm_worker;
    -- What stores were sent is otherwise looked for by its id alone.
    create index store_messages_of_organization on store_messages (org_id, id);
  end if;
end $$;

-- Retention by the database's clock (ADR 0014). A partition is made, kept and dropped by now(); no process can pass
-- its own clock. A row for which there is no partition goes to the table's default partition.

-- When the row was inserted, by the database's clock: ids carry the clock of the process that made them. Null in rows
-- older than this migration, whose ids are believed.
do $$
declare
  parent text;
begin
  foreach parent in array array['events', 'idempotency_keys', 'store_messages', 'webhook_attempts', 'webhook_deliveries'] loop
    execute format('alter table %I add column stored_at timestamptz', parent);
    execute format('alter table %I alter column stored_at set default now()', parent);
    -- A few pages for a whole partition: whether a partition has young rows is answered without reading it.
    execute format('create index %I on %I using brin (stored_at) with (autosummarize = on)', parent || '_stored', parent);
  end loop;
end $$;

create function period_unit(period interval) returns text
  language sql immutable parallel safe
  return case when period = interval '1 month' then 'month' else 'day' end;

create function partition_name(parent partitioned_tables, lower_edge timestamptz) returns text
  language sql stable set timezone = 'UTC'
  return format('%s_%s', parent.name,
    to_char(lower_edge, case period_unit(parent.period) when 'month' then 'YYYYMM' else 'YYYYMMDD' end));

-- Called under an ACCESS EXCLUSIVE lock on the parent, with the default partition's rows visible. Rows of this period that are in the default partition are
-- moved first, because ATTACH refuses a range that the default partition has rows of.
create function make_partition(parent partitioned_tables, lower_edge timestamptz) returns void
  language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  child text := partition_name(parent, lower_edge);
  fallback text := parent.name || '_default';
  upper_edge timestamptz := lower_edge + parent.period;
  is_uuid7 boolean := parent.cut_by = 'uuid7';
  first_key text := case when is_uuid7 then uuid7_floor(lower_edge)::text else lower_edge::text end;
  end_key text := case when is_uuid7 then uuid7_floor(upper_edge)::text else upper_edge::text end;
  key_column name;
begin
  select attname into strict key_column
    from pg_partitioned_table join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
   where partrelid = parent.name::regclass;
  execute format('create table %I (like %I including all)', child, parent.name);
  execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
    fallback, key_column, first_key, key_column, end_key, child);
  -- A partition is reached through its parent only; it has no policy, so direct access sees nothing.
  execute format('alter table %I enable row level security, force row level security', child);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent.name, child, first_key, end_key);
end $$;

-- Makes the missing partitions from the period before the given day to two weeks or two months after it, unless the
-- default partition is larger than that: moving and checking its rows would stop the table's readers and writers for
-- too long. An insert that has chosen the default partition fails if its range is attached meanwhile, so everybody is
-- locked out for these milliseconds. The lock is waited for less than deadlock_timeout: a transaction that
-- has to wait for it is never the victim of a deadlock. If the lock is not free, nothing is made this time.
create function make_partitions_of(parent partitioned_tables, around timestamptz, default_bytes_max bigint)
  returns integer
  language plpgsql set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
  fallback text := parent.name || '_default';
  unit text := period_unit(parent.period);
  missing timestamptz[];
  lower_edge timestamptz;
  has_rows boolean;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  if to_regclass(fallback) is null then
    execute format('create table %I partition of %I default', fallback, parent.name);
    execute format('alter table %I enable row level security, force row level security', fallback);
  end if;
  select array_agg(edge order by edge) into missing
    from generate_series(-1, case unit when 'month' then 2 else 14 end) place,
         lateral (select date_trunc(unit, around) + parent.period * place as edge) edges
   where to_regclass(partition_name(parent, edge)) is null;
  if missing is null or pg_relation_size(fallback::regclass) > default_bytes_max then
    return 0;
  end if;
  execute format('lock table %I in access exclusive mode', parent.name);
  -- An owner that is not a superuser is under row-level security too; other sessions wait for the lock.
  execute format('alter table %I no force row level security', fallback);
  foreach lower_edge in array missing loop
    perform make_partition(parent, lower_edge);
  end loop;
  execute format('select exists (select from %I)', fallback) into has_rows;
  if not has_rows then
    execute format('truncate %I', fallback); -- its size must not count for rows that were moved
  end if;
  execute format('alter table %I force row level security', fallback);
  return cardinality(missing);
exception when lock_not_available then
  return 0;
end $$;

-- For the owner alone: at a time of its choice, and however large a default partition is.
create function make_partitions(around timestamptz) returns integer
  language sql set search_path = public, pg_temp
  begin atomic
    select coalesce(sum(make_partitions_of(parent, around, 9223372036854775807)), 0)::integer from partitioned_tables parent;
  end;

-- One table in a transaction of its own, so that the locks of two tables are never held together.
create function ensure_partitions_of(table_name text) returns integer
  language sql security definer set search_path = public, pg_temp
  begin atomic
    select make_partitions_of(parent, now(), 32 * 1024 * 1024) from partitioned_tables parent where name = table_name;
  end;

-- Drops the partitions whose last row is older than their table keeps; returns how many. One that has a row younger
-- than that by the database's clock is kept, whatever time the row's id carries.
create function drop_expired_partitions_of(table_name text) returns integer
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
  set lock_timeout = '500ms' set enable_seqscan = off as $$
declare
  parent partitioned_tables;
  child text;
  has_young boolean;
  dropped integer := 0;
begin
  select * into parent from partitioned_tables where name = table_name and periods_kept is not null;
  if not found then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  for child in
    -- Materialized: otherwise the planner may read a date in the name of any table.
    with dated as materialized (
      select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
       where inhparent = parent.name::regclass and relname <> parent.name || '_default')
    select relname from dated
     where to_timestamp(substr(relname, length(parent.name) + 2),
             case period_unit(parent.period) when 'month' then 'YYYYMM' else 'YYYYMMDD' end)
           + parent.period * (parent.periods_kept + 1) <= now()
  loop
    execute format('lock table %I in access exclusive mode', parent.name);
    execute format('alter table %I no force row level security', child);
    execute format('select exists (select from %I where stored_at > $1)', child)
      into has_young using now() - parent.period * parent.periods_kept;
    if has_young then
      execute format('alter table %I force row level security', child);
      raise warning '% is expired and is kept: it has rows stored less than % ago. Was a clock wrong?',
        child, parent.period * parent.periods_kept;
    else
      execute format('drop table %I', child);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $$;

-- Removes so many rows of the default partition that are older than their table keeps; returns how many.
create function remove_expired_defaults_of(table_name text, most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
  set lock_timeout = '500ms' set enable_seqscan = off as $$
declare
  parent partitioned_tables;
  fallback text := table_name || '_default';
  removed integer;
begin
  select * into parent from partitioned_tables where name = table_name and periods_kept is not null;
  if not found or pg_relation_size(fallback::regclass) = 0 then
    return 0;
  end if;
  execute format('lock table %I in access exclusive mode', parent.name);
  execute format('alter table %I no force row level security', fallback);
  execute format('delete from %I where ctid = any (array(select ctid from %I where stored_at < $1 limit $2))', fallback, fallback)
    using now() - parent.period * parent.periods_kept, most;
  get diagnostics removed = row_count;
  execute format('alter table %I force row level security', fallback);
  return removed;
exception when lock_not_available then
  return 0;
end $$;

-- In how many days the first row comes for which some table has no partition.
create function partitions_ahead_days() returns double precision
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  parent partitioned_tables;
  edge timestamptz;
  ahead double precision;
begin
  for parent in select * from partitioned_tables loop
    edge := date_trunc(period_unit(parent.period), now());
    while exists (select from pg_inherits
                   where inhparent = parent.name::regclass and inhrelid = to_regclass(partition_name(parent, edge))) loop
      edge := edge + parent.period;
    end loop;
    ahead := least(ahead, extract(epoch from edge - now()) / 86400);
  end loop;
  return greatest(ahead, 0);
end $$;

-- All tables at once: for `migrate`, and for workers of the release before this one. The argument is ignored: it was the
-- worker's clock.
create or replace function ensure_partitions(around timestamptz) returns integer
  language sql security definer set search_path = public, pg_temp
  begin atomic
    select coalesce(sum(ensure_partitions_of(name)), 0)::integer from partitioned_tables;
  end;
create or replace function drop_expired_partitions(now_is timestamptz) returns integer
  language sql security definer set search_path = public, pg_temp
  begin atomic
    select coalesce(sum(drop_expired_partitions_of(name)), 0)::integer from partitioned_tables;
  end;

revoke execute on function make_partition(partitioned_tables, timestamptz), make_partitions_of(partitioned_tables, timestamptz, bigint),
  make_partitions(timestamptz), ensure_partitions_of(text), drop_expired_partitions_of(text),
  remove_expired_defaults_of(text, integer), partitions_ahead_days() from public;
grant execute on function ensure_partitions_of(text), drop_expired_partitions_of(text),
  remove_expired_defaults_of(text, integer), partitions_ahead_days() to tonearm_worker;
grant select on partitioned_tables to tonearm_worker;

select make_partitions(now());

-- Settled delivery jobs and their items are removed after 30 days. completed_at is business time, which a sandbox can move.
alter table delivery_jobs add column settled_at timestamptz; -- by the database's clock
alter table delivery_jobs no force row level security;
update delivery_jobs set settled_at = now() where status = 'completed';
alter table delivery_jobs force row level security;
create index delivery_jobs_settled on delivery_jobs (org_id, settled_at) where settled_at is not null;

-- Outside an organization's transaction the worker sees what is to be removed, and nothing else.
create policy upkeep_removes on delivery_jobs to tonearm_worker
  using (app_org_id() is null and settled_at < now() - interval '30 days') with check (false);
create policy upkeep_removes on delivery_job_items to tonearm_worker
  using (app_org_id() is null and exists (
    select from delivery_jobs job where job.org_id = delivery_job_items.org_id and job.id = delivery_job_items.job_id))
  with check (false);
grant delete on delivery_jobs, delivery_job_items to tonearm_worker;

-- The relay numbers events and needs to know which there are; what they say it does not read.
revoke select on events from tonearm_relay;
grant select (org_id, id, sequence) on events to tonearm_relay;

-- Under which ISRCs a release was submitted or sent: those of its snapshots. A legal takedown finds it by an ISRC that
-- its tracks have no longer. (The UPC of a release never changes.) Columns of their own, because under row-level
-- security a condition inside a jsonb document uses no index.
create table release_isrcs (
  org_id     uuid not null,
  release_id uuid not null,
  isrc       text not null,
  primary key (org_id, release_id, isrc),
  foreign key (org_id, release_id) references releases (org_id, id) on delete cascade
);
create index release_isrcs_by_isrc on release_isrcs (org_id, isrc);
alter table release_snapshots no force row level security;
insert into release_isrcs
  select distinct org_id, release_id, track ->> 'isrc'
    from release_snapshots, jsonb_array_elements(snapshot -> 'tracks') track;
alter table release_snapshots force row level security;
call protect_tenant_table('release_isrcs');
grant insert on release_isrcs to tonearm_app, tonearm_worker;
grant select on release_isrcs to tonearm_operator;

-- A trigger, so that processes of the release before this one, which know nothing of the table, fill it too.
create function record_isrcs() returns trigger
  language plpgsql as $$
begin
  insert into release_isrcs
    select distinct new.org_id, new.release_id, track ->> 'isrc' from jsonb_array_elements(new.snapshot -> 'tracks') track
    on conflict do nothing;
  return null;
end $$;
create trigger record_isrcs after insert on release_snapshots for each row execute function record_isrcs();

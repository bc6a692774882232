-- What every slice uses: roles, the organization context, the environment, partitions, audit, idempotency keys,
-- events, the outbox and timers.

-- Login roles. None owns a table or a function, and none is a member of another. A deployment gives each a password;
-- development and tests trust the loopback interface.
--   tonearm_app        the api: tenant tables, under row-level security
--   tonearm_directory  the api: which organization a credential or an inbox address belongs to, read only
--   tonearm_operator   the admin command line: provisioning and legal takedowns, under row-level security
--   tonearm_relay      the relay: numbers events and audit rows, moves outbox rows to the engine
--   tonearm_worker     the worker: the engine's handlers, under row-level security, and upkeep
do $$
declare
  role_name text;
begin
  foreach role_name in array
    array['tonearm_app', 'tonearm_directory', 'tonearm_operator', 'tonearm_relay', 'tonearm_worker']
  loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole nobypassrls', role_name);
    end if;
  end loop;
end $$;

revoke all on schema public from public;
grant usage on schema public to tonearm_app, tonearm_directory, tonearm_operator, tonearm_relay, tonearm_worker;

-- The environment of this database: one row. `migrate` passes the name in the setting tonearm.environment. Every
-- process reads the row when it starts, and refuses to run on a database of the other environment.
create table environment (
  is_only_row boolean primary key default true check (is_only_row),
  name        text not null check (name in ('live', 'sandbox'))
);
insert into environment (name) values (current_setting('tonearm.environment'));
grant select on environment to tonearm_app, tonearm_directory, tonearm_operator, tonearm_relay, tonearm_worker;

-- The organization of this transaction, set by open_organization(). Without one it is null, and no row of a tenant
-- table matches.
create function app_org_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.org_id', true), '')::uuid;

-- Makes a table a tenant table: every role, and the owner too, reads and writes only rows of the organization of the
-- transaction.
create procedure protect_tenant_table(tenant_table regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security, force row level security', tenant_table);
  execute format(
    'create policy own_organization on %s using (org_id = app_org_id()) with check (org_id = app_org_id())',
    tenant_table);
end $$;

-- Partitions and retention (ADR 0003, ADR 0014).
--
-- Append-only tables are partitioned by real time. A table whose id is a UUIDv7 is partitioned by the id, which starts
-- with its real time: a look-up by id reads one partition, and (org_id, id) is unique across all of them.
--
-- Partitions are created and dropped by the database's clock, now(): the functions that tonearm_worker may call take
-- no time, so a worker with a wrong clock removes nothing. A row without a partition goes to the table's default
-- partition. Tables with a retention have stored_at, the time of the insert by the database's clock, because ids carry
-- the clock of the process that created them.
create table partitioned_tables (
  name           text primary key,
  partitioned_by text not null check (partitioned_by in ('uuid7', 'timestamp')),
  period         interval not null check (period in (interval '1 day', interval '1 month')),
  periods_kept   integer check (periods_kept > 0) -- null: no partition is ever dropped
);
grant select on partitioned_tables to tonearm_worker;

-- The smallest UUIDv7 of a millisecond.
create function uuid7_floor(instant timestamptz) returns uuid
  language sql immutable parallel safe
  return (lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

create function period_unit(period interval) returns text
  language sql immutable parallel safe
  return case when period = interval '1 month' then 'month' else 'day' end;

create function partition_name(parent partitioned_tables, lower_bound timestamptz) returns text
  language sql stable set timezone = 'UTC'
  return format('%s_%s', parent.name,
    to_char(lower_bound, case period_unit(parent.period) when 'month' then 'YYYYMM' else 'YYYYMMDD' end));

-- Creates and attaches one partition. The caller holds an ACCESS EXCLUSIVE lock on the parent and has lifted the forced
-- row-level security of the default partition. Rows of this period in the default partition are moved first, because
-- ATTACH refuses a range of which the default partition has rows.
create function make_partition(parent partitioned_tables, lower_bound timestamptz) returns void
  language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  child text := partition_name(parent, lower_bound);
  default_partition text := parent.name || '_default';
  upper_bound timestamptz := lower_bound + parent.period;
  is_uuid7 boolean := parent.partitioned_by = 'uuid7';
  first_key text := case when is_uuid7 then uuid7_floor(lower_bound)::text else lower_bound::text end;
  end_key text := case when is_uuid7 then uuid7_floor(upper_bound)::text else upper_bound::text end;
  key_column name;
begin
  select attname into strict key_column
    from pg_partitioned_table join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
   where partrelid = parent.name::regclass;
  execute format('create table %I (like %I including all)', child, parent.name);
  execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
    default_partition, key_column, first_key, key_column, end_key, child);
  -- Row-level security without a policy: every role reaches the rows through the parent only.
  execute format('alter table %I enable row level security, force row level security', child);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent.name, child, first_key, end_key);
end $$;
revoke execute on function make_partition(partitioned_tables, timestamptz) from public;

-- Creates the missing partitions of one table, from the period before `around` to two weeks or two months after it;
-- returns how many. It creates none while the default partition is larger than default_bytes_max: moving and checking
-- its rows would block the table's readers and writers for too long.
--
-- The parent is locked in ACCESS EXCLUSIVE mode, because an INSERT that was routed to the default partition fails if
-- its range is attached meanwhile. lock_timeout is shorter than deadlock_timeout, so a transaction that waits for this
-- lock is never the victim of a deadlock. If the lock is not free, no partition is created this time.
create function make_partitions_of(parent partitioned_tables, around timestamptz, default_bytes_max bigint)
  returns integer
  language plpgsql set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
  default_partition text := parent.name || '_default';
  unit text := period_unit(parent.period);
  missing timestamptz[];
  lower_bound timestamptz;
  has_rows boolean;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  if to_regclass(default_partition) is null then
    execute format('create table %I partition of %I default', default_partition, parent.name);
    execute format('alter table %I enable row level security, force row level security', default_partition);
  end if;
  select array_agg(period_start order by period_start) into missing
    from generate_series(-1, case unit when 'month' then 2 else 14 end) period_number,
         lateral (select date_trunc(unit, around) + parent.period * period_number as period_start) periods
   where to_regclass(partition_name(parent, period_start)) is null;
  if missing is null or pg_relation_size(default_partition::regclass) > default_bytes_max then
    return 0;
  end if;
  execute format('lock table %I in access exclusive mode', parent.name);
  -- An owner that is not a superuser is under forced row-level security and would see no row to move. Other sessions
  -- cannot use the gap: they wait for the lock.
  execute format('alter table %I no force row level security', default_partition);
  foreach lower_bound in array missing loop
    perform make_partition(parent, lower_bound);
  end loop;
  execute format('select exists (select from %I)', default_partition) into has_rows;
  if not has_rows then
    execute format('truncate %I', default_partition); -- so that its size does not count rows that were moved
  end if;
  execute format('alter table %I force row level security', default_partition);
  return cardinality(missing);
exception when lock_not_available then
  return 0;
end $$;
revoke execute on function make_partitions_of(partitioned_tables, timestamptz, bigint) from public;

-- For the owner only: around any time, and however large a default partition is.
create function make_partitions(around timestamptz) returns integer
  language sql set search_path = public, pg_temp
  begin atomic
    select coalesce(sum(make_partitions_of(parent, around, 9223372036854775807)), 0)::integer from partitioned_tables parent;
  end;
revoke execute on function make_partitions(timestamptz) from public;

-- Creates the missing partitions of one table around now(), for `migrate` and for upkeep. Each table is one transaction,
-- so that the locks of two tables are never held together.
create function ensure_partitions_of(table_name text) returns integer
  language sql security definer set search_path = public, pg_temp
  begin atomic
    select make_partitions_of(parent, now(), 32 * 1024 * 1024) from partitioned_tables parent where name = table_name;
  end;
revoke execute on function ensure_partitions_of(text) from public;
grant execute on function ensure_partitions_of(text) to tonearm_worker;

-- Drops the partitions of one table whose retention has passed; returns how many. A partition with a row that was
-- stored within the retention is kept, although the ids of its rows carry older times.
create function drop_expired_partitions_of(table_name text) returns integer
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
  set lock_timeout = '500ms' set enable_seqscan = off as $$
declare
  parent partitioned_tables;
  child text;
  has_recent_rows boolean;
  dropped integer := 0;
begin
  select * into parent from partitioned_tables where name = table_name and periods_kept is not null;
  if not found then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  for child in
    -- Materialized: otherwise the planner may parse a date out of the name of any table.
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
      into has_recent_rows using now() - parent.period * parent.periods_kept;
    if has_recent_rows then
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
revoke execute on function drop_expired_partitions_of(text) from public;
grant execute on function drop_expired_partitions_of(text) to tonearm_worker;

-- Deletes at most rows_max rows of the table's default partition whose retention has passed; returns how many.
create function remove_expired_defaults_of(table_name text, rows_max integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
  set lock_timeout = '500ms' set enable_seqscan = off as $$
declare
  parent partitioned_tables;
  default_partition text := table_name || '_default';
  removed integer;
begin
  select * into parent from partitioned_tables where name = table_name and periods_kept is not null;
  if not found or pg_relation_size(default_partition::regclass) = 0 then
    return 0;
  end if;
  execute format('lock table %I in access exclusive mode', parent.name);
  execute format('alter table %I no force row level security', default_partition);
  execute format('delete from %I where ctid = any (array(select ctid from %I where stored_at < $1 limit $2))',
    default_partition, default_partition)
    using now() - parent.period * parent.periods_kept, rows_max;
  get diagnostics removed = row_count;
  execute format('alter table %I force row level security', default_partition);
  return removed;
exception when lock_not_available then
  return 0;
end $$;
revoke execute on function remove_expired_defaults_of(text, integer) from public;
grant execute on function remove_expired_defaults_of(text, integer) to tonearm_worker;

-- The days until the first table has no partition for new rows.
create function partitions_ahead_days() returns double precision
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  parent partitioned_tables;
  period_start timestamptz;
  ahead double precision;
begin
  for parent in select * from partitioned_tables loop
    period_start := date_trunc(period_unit(parent.period), now());
    while exists (select from pg_inherits
                   where inhparent = parent.name::regclass
                     and inhrelid = to_regclass(partition_name(parent, period_start))) loop
      period_start := period_start + parent.period;
    end loop;
    ahead := least(ahead, extract(epoch from period_start - now()) / 86400);
  end loop;
  return greatest(ahead, 0);
end $$;
revoke execute on function partitions_ahead_days() from public;
grant execute on function partitions_ahead_days() to tonearm_worker;

-- One row for every accepted mutation, inserted in the transaction of the mutation. The sequencer numbers the rows of
-- an organization and links them into a chain of hashes (ADR 0005).
create table audit (
  org_id      uuid not null,
  id          uuid not null,
  action      text not null,
  audited_id  text not null,
  request_id  uuid,
  actor_type  text not null,
  actor_id    text not null,
  occurred_at timestamptz not null, -- real time, because a partner can move the sandbox clock
  sequence    bigint, -- null until the sequencer has numbered the row
  hash        bytea, -- audit_hash(hash of the row before, this row)
  primary key (org_id, id)
) partition by range (id);
call protect_tenant_table('audit');
create index audit_unsequenced on audit (org_id, id) where sequence is null;
create index audit_sequence on audit (org_id, sequence);
grant select on audit to tonearm_app, tonearm_operator;
-- Only the relay writes sequence and hash: a role that appends rows cannot forge the chain.
grant insert (org_id, id, action, audited_id, request_id, actor_type, actor_id, occurred_at)
  on audit to tonearm_app, tonearm_operator, tonearm_worker;
-- The relay numbers the rows of all organizations.
create policy relay_sequences on audit to tonearm_relay using (true);
grant select, update (sequence, hash) on audit to tonearm_relay;
insert into partitioned_tables (name, partitioned_by, period, periods_kept)
  values ('audit', 'uuid7', '1 month', null);

-- Idempotency keys and the answers stored for them (contract §8). An advisory lock claims a key; the answer is searched
-- in the partitions of today and yesterday, so that a key is kept for 24 to 48 hours.
create table idempotency_keys (
  org_id      uuid not null,
  key         uuid not null,
  fingerprint bytea not null,
  request_id  uuid not null,
  status      smallint not null,
  headers     jsonb not null,
  body        bytea not null, -- sealed
  created_at  timestamptz not null, -- real time
  stored_at   timestamptz not null default now(),
  primary key (org_id, key, created_at)
) partition by range (created_at);
call protect_tenant_table('idempotency_keys');
-- BRIN: a few pages show whether a partition has recent rows. Every table with a retention has this index.
create index idempotency_keys_stored_at on idempotency_keys using brin (stored_at) with (autosummarize = on);
-- The stored answer of a webhook ping is updated with the outcome of the ping (contract §8).
grant select, insert, update (status, headers, body) on idempotency_keys to tonearm_app;
insert into partitioned_tables (name, partitioned_by, period, periods_kept)
  values ('idempotency_keys', 'timestamp', '1 day', 2);

-- Events, inserted in the transaction of their change and numbered after its commit (ADR 0005): no business
-- transaction waits for a shared counter. The sequencer (the relay role) numbers the committed events of an
-- organization without gaps. Partners see numbered events only, so that "after N" never skips an event that commits
-- late.
create table events (
  org_id     uuid not null,
  id         uuid not null,
  type       text not null,
  data       jsonb not null,
  created_at timestamptz not null, -- business time; the id carries the real time
  sequence   bigint, -- null until the sequencer has numbered the event
  stored_at  timestamptz not null default now(),
  primary key (org_id, id)
) partition by range (id);
call protect_tenant_table('events');
create index events_unsequenced on events (org_id, id) where sequence is null;
create index events_sequence on events (org_id, sequence);
-- GET /v1/events?type=. Partial, so that an insert writes no entry; the sequencer's update does.
create index events_type on events (org_id, type, sequence) where sequence is not null;
create index events_stored_at on events using brin (stored_at) with (autosummarize = on);
grant select on events to tonearm_app, tonearm_worker;
grant insert (org_id, id, type, data, created_at) on events to tonearm_app, tonearm_operator, tonearm_worker;
-- The relay numbers the events of all organizations, and cannot read their type and data.
create policy relay_sequences on events to tonearm_relay using (true);
grant select (org_id, id, sequence), update (sequence) on events to tonearm_relay;
insert into partitioned_tables (name, partitioned_by, period, periods_kept)
  values ('events', 'uuid7', '1 day', 30);

-- How far the sequencer has numbered the events and audit rows of each organization. sequence_organization(), which
-- does it, is in 0004_webhooks.sql, because it also enqueues the fan-out to webhooks.
create table sequence_heads (
  org_id         uuid primary key,
  event_sequence bigint not null,
  audit_sequence bigint not null,
  audit_hash     bytea not null
);
call protect_tenant_table('sequence_heads');
create policy relay_sequences on sequence_heads to tonearm_relay using (true);
grant select, insert, update on sequence_heads to tonearm_relay;
grant select on sequence_heads to tonearm_operator;

-- The text of an audit row that its hash covers. JSON, so that no value can move into a neighbouring column and null
-- differs from an empty text.
create function audit_text(entry audit) returns text
  language sql stable parallel safe
  return jsonb_build_array(entry.org_id, entry.id, (extract(epoch from entry.occurred_at) * 1000000)::bigint,
    entry.actor_type, entry.actor_id, entry.action, entry.audited_id, entry.request_id, entry.sequence)::text;

create function audit_hash(previous bytea, entry audit) returns bytea
  language sql stable parallel safe
  return sha256(previous || convert_to(audit_text(entry), 'UTF8'));

-- Recomputes the chain of an organization; returns the sequence of the first row that does not match, else null.
create function broken_audit_link(org uuid) returns bigint
  language plpgsql stable as $$
declare
  entry audit;
  expected_sequence bigint := 0;
  expected_hash bytea := sha256(convert_to(org::text, 'UTF8'));
begin
  for entry in select * from audit where org_id = org and sequence is not null order by sequence loop
    expected_sequence := expected_sequence + 1;
    expected_hash := audit_hash(expected_hash, entry);
    if entry.sequence <> expected_sequence or entry.hash is distinct from expected_hash then
      return expected_sequence;
    end if;
  end loop;
  if exists (select from sequence_heads
              where org_id = org and (audit_sequence <> expected_sequence or audit_hash <> expected_hash)) then
    return expected_sequence + 1;
  end if;
  return null;
end $$;

-- Messages for the engine: "handle this key". A row is inserted in the transaction of its change, and deleted by the
-- relay once the engine has acknowledged the message. Not a tenant table: the relay moves the rows of all organizations.
create table outbox (
  id           uuid primary key, -- the idempotency key of the message
  service      text not null,
  key          text not null,
  handler      text not null,
  entity_ref   text, -- org_…:xyz_…, the row the message is about, if the key is a lane
  timer        text, -- org_…:tmr_…, the timer the message belongs to; the handler decides whether it is due
  send_at      timestamptz, -- real time; null: at once
  trace_parent text, -- W3C trace context of the sender
  refusals     integer not null default 0, -- how often the engine refused the message
  not_before   timestamptz -- real time; a refused row waits until then and does not block the others
);
grant insert (id, service, key, handler, entity_ref, timer, send_at, trace_parent)
  on outbox to tonearm_app, tonearm_operator, tonearm_worker;
-- sequence_organization() runs as the relay and enqueues the fan-out.
grant select, delete, insert (id, service, key, handler), update (refusals, not_before) on outbox to tonearm_relay;

-- A timer is a row, so that it survives the loss of the engine's disk, can be canceled, and fires early when the
-- sandbox clock is moved. The engine only wakes its handler. Not a tenant table: the reconciler requeues the timers of
-- all organizations.
create table timers (
  id            uuid primary key,
  org_id        uuid not null,
  service       text not null,
  key           text not null,
  handler       text not null,
  entity_ref    text, -- as in outbox
  due_at        timestamptz not null, -- business time, or real time if is_real
  is_real       boolean not null default false, -- the sandbox clock does not move this timer
  state         text not null check (state in ('waiting', 'firing', 'fired', 'canceled')),
  settled_at    timestamptz, -- when it fired or was canceled, by the database's clock
  recheck_at    timestamptz not null, -- real time at which the engine should fire it; 30 s later the reconciler requeues it
  recheck_count integer not null default 0 -- how often the reconciler has requeued it
);
create index timers_open on timers (recheck_at) where state in ('waiting', 'firing');
create index timers_of_organization on timers (org_id, due_at) where state in ('waiting', 'firing') and not is_real;
-- Upkeep deletes settled timers after 30 days.
create index timers_settled on timers (settled_at) where state in ('fired', 'canceled');
grant select, insert, update (state, settled_at, recheck_at) on timers to tonearm_app;
grant select, insert, update (recheck_at) on timers to tonearm_operator;
grant select, insert, update (state, settled_at, recheck_at, recheck_count), delete on timers to tonearm_worker;

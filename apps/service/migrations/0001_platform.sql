-- What every slice stands on: roles, the organization context, partitions, audit, idempotency.
--
-- Roles own nothing and are never members of each other. A deployment gives each its own password;
-- development and tests trust the loopback interface.
--   tonearm_app        tenant tables, under row-level security (api, worker)
--   tonearm_directory  credential hash → organization, read only (authentication)
--   tonearm_operator   provisioning, under row-level security as well (admin command line)
do $$
declare
  name text;
begin
  foreach name in array array['tonearm_app', 'tonearm_directory', 'tonearm_operator'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole nobypassrls', name);
    end if;
  end loop;
end $$;

revoke all on schema public from public;
grant usage on schema public to tonearm_app, tonearm_directory, tonearm_operator;

-- The organization of this transaction. No context set → null → no row matches.
create function app_org_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.org_id', true), '')::uuid;

-- One call makes a table a tenant's: policy for every role, forced on the owner too.
create procedure protect_tenant_table(tenant_table regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security, force row level security', tenant_table);
  execute format(
    'create policy own_organization on %s using (org_id = app_org_id()) with check (org_id = app_org_id())',
    tenant_table);
end $$;

-- Append-only tables, cut by real time. Those with a UUIDv7 id are cut by the id itself, which
-- carries its time: a look-up by id then touches one partition, and (org_id, id) stays unique.
create table partitioned_tables (
  name         text primary key,
  cut_by       text not null check (cut_by in ('uuid7', 'timestamp')),
  period       interval not null check (period in (interval '1 day', interval '1 month')),
  periods_kept integer check (periods_kept > 0) -- null: kept for ever
);

create function uuid7_floor(instant timestamptz) returns uuid
  language sql immutable parallel safe
  return (lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Makes the partitions from the period before the given day to two weeks or two months after it.
-- ATTACH takes a lighter lock on the parent than CREATE … PARTITION OF: writers are not stopped.
create function ensure_partitions(around timestamptz) returns integer
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  parent partitioned_tables;
  lower_edge timestamptz;
  upper_edge timestamptz;
  child text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  for parent in select * from partitioned_tables loop
    lower_edge := date_trunc(case when parent.period = '1 month' then 'month' else 'day' end, around) - parent.period;
    for _ in 1 .. case when parent.period = '1 month' then 4 else 16 end loop
      upper_edge := lower_edge + parent.period;
      child := format('%s_%s', parent.name, to_char(lower_edge, case when parent.period = '1 month' then 'YYYYMM' else 'YYYYMMDD' end));
      if to_regclass(child) is null then
        execute format('create table %I (like %I including all)', child, parent.name);
        -- Nobody reaches a partition but through its parent; without a policy of its own, direct access sees nothing.
        execute format('alter table %I enable row level security, force row level security', child);
        if parent.cut_by = 'uuid7' then
          execute format('alter table %I attach partition %I for values from (%L) to (%L)',
            parent.name, child, uuid7_floor(lower_edge), uuid7_floor(upper_edge));
        else
          execute format('alter table %I attach partition %I for values from (%L) to (%L)',
            parent.name, child, lower_edge, upper_edge);
        end if;
        made := made + 1;
      end if;
      lower_edge := upper_edge;
    end loop;
  end loop;
  return made;
end $$;
revoke execute on function ensure_partitions(timestamptz) from public;
grant execute on function ensure_partitions(timestamptz) to tonearm_app;

-- Drops the partitions whose last row is older than their table keeps; returns how many. The lock on
-- the parent is short, and given up for this time when somebody holds it long.
create function drop_expired_partitions(now_is timestamptz) returns integer
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
  set lock_timeout = '2s' as $$
declare
  parent partitioned_tables;
  child text;
  pattern text;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  for parent in select * from partitioned_tables where periods_kept is not null loop
    pattern := case when parent.period = '1 month' then 'YYYYMM' else 'YYYYMMDD' end;
    for child in select inhrelid::regclass::text from pg_inherits where inhparent = parent.name::regclass loop
      if to_timestamp(right(child, length(pattern)), pattern) + parent.period * (parent.periods_kept + 1) <= now_is then
        execute format('drop table %I', child);
        dropped := dropped + 1;
      end if;
    end loop;
  end loop;
  return dropped;
end $$;
revoke execute on function drop_expired_partitions(timestamptz) from public;
grant execute on function drop_expired_partitions(timestamptz) to tonearm_app;

-- One row for every accepted mutation, in its transaction.
create table audit (
  org_id      uuid not null,
  id          uuid not null,
  occurred_at timestamptz not null, -- business time; the real time is in the id
  actor_type  text not null,
  actor_id    text not null,
  action      text not null,
  audited_id  text not null,
  request_id  uuid,
  primary key (org_id, id)
) partition by range (id);
call protect_tenant_table('audit');
grant select, insert on audit to tonearm_app, tonearm_operator;
insert into partitioned_tables values ('audit', 'uuid7', '1 month', null);

-- Contract §8. The key is claimed by an advisory lock and looked for in today's and yesterday's
-- partition, so that it is kept at least 24 hours and at most 48.
create table idempotency_keys (
  org_id      uuid not null,
  key         uuid not null,
  created_at  timestamptz not null, -- real time
  fingerprint bytea not null,
  request_id  uuid not null,
  status      smallint not null,
  headers     jsonb not null,
  body        bytea not null, -- sealed
  primary key (org_id, key, created_at)
) partition by range (created_at);
call protect_tenant_table('idempotency_keys');
grant select, insert on idempotency_keys to tonearm_app;
insert into partitioned_tables values ('idempotency_keys', 'timestamp', '1 day', 2);

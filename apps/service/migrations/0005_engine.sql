-- Work for the engine, and timers. Neither is a tenant's table: few, listed, reached by named roles.
do $$
begin
  if not exists (select from pg_roles where rolname = 'tonearm_worker') then
    create role tonearm_worker login nosuperuser nocreatedb nocreaterole nobypassrls;
  end if;
end $$;
grant usage on schema public to tonearm_worker;
grant select on organizations to tonearm_worker;
grant execute on function ensure_partitions(timestamptz), drop_expired_partitions(timestamptz) to tonearm_worker;
revoke execute on function ensure_partitions(timestamptz), drop_expired_partitions(timestamptz) from tonearm_app;

-- One row is one message "look at row X", written in the transaction of the change and deleted once
-- the engine has acknowledged it. Its id is the message's idempotency key.
create table outbox (
  id           uuid primary key,
  service      text not null,
  key          text not null,
  handler      text not null,
  send_at      timestamptz, -- real time; null: at once
  trace_parent text, -- W3C: what the sender was doing
  refusals     integer not null default 0, -- how often the engine would not have it
  not_before   timestamptz -- real time; a refused row makes way for the others
);
grant insert (id, service, key, handler, send_at, trace_parent) on outbox to tonearm_app, tonearm_worker;
grant select, delete, update (refusals, not_before) on outbox to tonearm_relay;

-- A timer is a row, so that it survives the engine's disk, can be cancelled, and can be fired early
-- when the sandbox's clock is moved. The engine only says when to look at it.
create table timers (
  id         uuid primary key,
  org_id     uuid not null,
  due_at     timestamptz not null, -- business time
  recheck_at    timestamptz not null, -- real time: when the engine was asked to look
  service    text not null,
  key        text not null,
  handler    text not null,
  state      text not null check (state in ('waiting', 'firing', 'fired', 'canceled')),
  settled_at timestamptz
);
create index timers_open on timers (recheck_at) where state in ('waiting', 'firing');
create index timers_of_organization on timers (org_id, due_at) where state = 'waiting';
grant select, insert, update (state, settled_at) on timers to tonearm_app;
grant select, insert, update (state, settled_at, recheck_at) on timers to tonearm_worker;

-- Webhooks (spec §5.2, §6; contract §6): endpoints, what each of them is owed, and every attempt.

create table webhooks (
  org_id           uuid not null,
  id               uuid not null,
  url              text not null,
  event_types      text[] not null check (cardinality(event_types) between 1 and 50), -- {*}: all
  description      text,
  status           text not null check (status in ('unverified', 'verified', 'disabled')),
  sealed_secret    bytea not null,
  secret_hint      text not null,
  -- After a rotation, until the grace ends (real time).
  sealed_old_secret bytea,
  old_secret_until timestamptz,
  verified_at      timestamptz,
  is_subscribed          boolean not null, -- from its first good ping on, whatever becomes of it
  last_ping        jsonb, -- as it is shown
  failing_since    timestamptz, -- business time of the first failure since the last success
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  actor_type       text not null,
  actor_id         text not null,
  primary key (org_id, id)
);
call protect_tenant_table('webhooks');
create index webhooks_newest on webhooks (org_id, created_at desc, id desc);
grant select, insert, update, delete on webhooks to tonearm_app;
grant select, update (status, failing_since, updated_at, actor_type, actor_id) on webhooks to tonearm_worker;

-- Directory: how far the events of organizations with webhooks have been numbered, and how far they were shared out.
create table fanout_cursors (
  org_id   uuid primary key,
  sequenced_upto bigint not null,
  fanned_out_upto   bigint not null,
  recheck_at  timestamptz, -- real time: when to doubt that the engine was told; null: nothing to be told
  recheck_count   smallint not null default 0
);
create index fanout_cursors_recheck on fanout_cursors (recheck_at) where recheck_at is not null;
grant select, insert on fanout_cursors to tonearm_app;
grant select, update (fanned_out_upto, recheck_at, recheck_count) on fanout_cursors to tonearm_worker;
grant select, update (sequenced_upto, recheck_at) on fanout_cursors to tonearm_relay;

-- Directory: whether somebody sends what an endpoint is owed. However much there is, the engine is told once.
create table webhook_dispatchers (
  org_id     uuid not null,
  webhook_id uuid not null,
  state      text not null check (state in ('idle', 'queued', 'running')),
  claimed_at timestamptz, -- real time: when it was told; null: it is idle
  recheck_at    timestamptz, -- real time: when to doubt the engine; null: it is idle
  recheck_count     smallint not null default 0,
  retry_timer_id   uuid, -- the timer of its earliest retry
  retry_timer_at   timestamptz, -- business time: when that is due
  primary key (org_id, webhook_id),
  check ((state = 'idle') = (recheck_at is null) and (state = 'idle') = (claimed_at is null))
);
create index webhook_dispatchers_recheck on webhook_dispatchers (recheck_at) where recheck_at is not null;
grant select, insert, update (state, claimed_at, recheck_at) on webhook_dispatchers to tonearm_app;
grant select, insert, update (state, claimed_at, recheck_at, recheck_count, retry_timer_id, retry_timer_at), delete on webhook_dispatchers to tonearm_worker;

-- What an endpoint is owed: one event.
create table webhook_deliveries (
  org_id     uuid not null,
  event_id   uuid not null,
  webhook_id uuid not null,
  status     text not null check (status in ('pending', 'delivered', 'undelivered')),
  attempts   smallint not null default 0, -- made, since it was last asked for
  attempt_id uuid not null, -- of the next attempt: repeated after a crash it keeps its name
  next_at    timestamptz, -- business time; null: none
  primary key (org_id, event_id, webhook_id),
  check ((status = 'pending') = (next_at is not null))
) partition by range (event_id);
call protect_tenant_table('webhook_deliveries');
create index webhook_deliveries_pending on webhook_deliveries (org_id, webhook_id, next_at, event_id)
  where status = 'pending';
create index webhook_deliveries_undelivered on webhook_deliveries (org_id, webhook_id, event_id)
  where status = 'undelivered';
insert into partitioned_tables values ('webhook_deliveries', 'uuid7', '1 day', 30);
grant select, insert, update on webhook_deliveries to tonearm_app, tonearm_worker;

create table webhook_attempts (
  org_id      uuid not null,
  id          uuid not null,
  event_id    uuid not null,
  webhook_id  uuid not null,
  number      smallint not null,
  status_code smallint, -- null: there was no answer
  failure     text, -- why not
  response    text, -- the first 4 KiB of it
  duration_ms integer not null,
  retry_at    timestamptz, -- business time
  created_at  timestamptz not null, -- business time
  primary key (org_id, id)
) partition by range (id);
call protect_tenant_table('webhook_attempts');
create index webhook_attempts_of_event on webhook_attempts (org_id, event_id, id);
insert into partitioned_tables values ('webhook_attempts', 'uuid7', '1 day', 30);
grant select on webhook_attempts to tonearm_app;
grant select, insert on webhook_attempts to tonearm_worker;

select ensure_partitions(now());

-- What is announced is read again to be sent.
grant select on events to tonearm_worker;

-- A ping's outcome becomes part of the answer that was stored before it (contract §8).
grant update (status, headers, body) on idempotency_keys to tonearm_app;

-- As before, and: whoever has webhooks is owed what was numbered. The engine is told once, until it has caught up.
create or replace function sequence_organization(org uuid, most integer) returns integer
  language plpgsql as $$
declare
  head sequence_heads;
  numbered_now integer;
  entry audit;
  sealed integer := 0;
begin
  insert into sequence_heads values (org, 0, 0, sha256(convert_to(org::text, 'UTF8'))) on conflict do nothing;
  select * into head from sequence_heads where org_id = org for update skip locked;
  if not found then
    return 0;
  end if;

  with pending as (
    select id, row_number() over (order by id) as place
      from (select id from events where org_id = org and sequence is null order by id limit most) next
  )
  update events set sequence = head.event_sequence + pending.place
    from pending where events.org_id = org and events.id = pending.id;
  get diagnostics numbered_now = row_count;

  for entry in select * from audit where org_id = org and sequence is null order by id limit most loop
    sealed := sealed + 1;
    entry.sequence := head.audit_sequence + sealed;
    head.audit_hash := audit_hash(head.audit_hash, entry);
    update audit set sequence = entry.sequence, hash = head.audit_hash where org_id = org and id = entry.id;
  end loop;

  update sequence_heads
     set event_sequence = head.event_sequence + numbered_now,
         audit_sequence = head.audit_sequence + sealed,
         audit_hash = head.audit_hash
   where org_id = org;
  if numbered_now > 0 then
    perform enqueue_fanout(org, head.event_sequence + numbered_now);
  end if;
  return numbered_now + sealed;
end $$;

create function enqueue_fanout(org uuid, newest bigint) returns void
  language plpgsql as $$
declare
  was_idle boolean;
begin
  update fanout_cursors set sequenced_upto = newest, recheck_at = coalesce(recheck_at, now())
   where org_id = org
  returning old.sequenced_upto <= old.fanned_out_upto into was_idle;
  if was_idle then
    insert into outbox (id, service, key, handler) values (uuidv7(), 'webhook-fanouts', org::text, 'run');
  end if;
end $$;
grant insert (id, service, key, handler) on outbox to tonearm_relay;

-- Which entries of the changelog an organization has been told of: however often they are published, once.
create table changelog_announcements (
  org_id       uuid not null,
  entry        date not null,
  announced_at timestamptz not null, -- real time
  primary key (org_id, entry)
);
call protect_tenant_table('changelog_announcements');
grant select, insert on changelog_announcements to tonearm_operator;

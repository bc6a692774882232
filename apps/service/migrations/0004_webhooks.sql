-- Webhooks (spec §5.2, §6; contract §6): endpoints, the events each of them is to receive, and every attempt.

create table webhooks (
  org_id            uuid not null,
  id                uuid not null,
  url               text not null,
  event_types       text[] not null check (cardinality(event_types) between 1 and 50), -- {*}: all
  description       text,
  status            text not null check (status in ('unverified', 'verified', 'disabled')),
  verified_at       timestamptz,
  is_subscribed     boolean not null, -- true from the first ping answered with 200, and then for ever
  sealed_secret     bytea not null,
  secret_hint       text not null,
  sealed_old_secret bytea, -- after a rotation, until old_secret_until
  old_secret_until  timestamptz, -- real time
  last_ping         jsonb, -- as the API shows it
  pings_minute      timestamptz, -- real time: the start of the minute that `pings` counts
  pings             integer not null default 0,
  failing_since     timestamptz, -- business time of the first failure since the last success
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  actor_type        text not null,
  actor_id          text not null,
  primary key (org_id, id)
);
call protect_tenant_table('webhooks');
create index webhooks_newest on webhooks (org_id, created_at desc, id desc);
grant select, insert, update, delete on webhooks to tonearm_app;
grant select, update (status, failing_since, updated_at, actor_type, actor_id) on webhooks to tonearm_worker;

-- Directory: for every organization with a webhook, how far the sequencer has numbered its events, and how far they
-- became rows of webhook_deliveries.
create table fanout_cursors (
  org_id          uuid primary key,
  sequenced_upto  bigint not null,
  fanned_out_upto bigint not null,
  recheck_at      timestamptz, -- real time of the enqueueing; 30 s later the reconciler repeats it; null: caught up
  recheck_count   smallint not null default 0 -- how often the reconciler has
);
create index fanout_cursors_recheck on fanout_cursors (recheck_at) where recheck_at is not null;
grant select, insert on fanout_cursors to tonearm_app;
grant select, update (sequenced_upto, recheck_at) on fanout_cursors to tonearm_relay;
grant select, update (fanned_out_upto, recheck_at, recheck_count) on fanout_cursors to tonearm_worker;

-- Moves the cursor of an organization with webhooks to the newest sequence. It enqueues the fan-out only if the cursor
-- had caught up: otherwise the engine already has a message, and its handler reads the cursor again before it ends.
create function enqueue_fanout(org uuid, newest_sequence bigint) returns void
  language plpgsql as $$
declare
  had_caught_up boolean;
begin
  update fanout_cursors set sequenced_upto = newest_sequence, recheck_at = coalesce(recheck_at, now())
   where org_id = org
  returning old.sequenced_upto <= old.fanned_out_upto into had_caught_up;
  if had_caught_up then
    insert into outbox (id, service, key, handler) values (uuidv7(), 'webhook-fanouts', org::text, 'run');
  end if;
end $$;

-- The sequencer: numbers at most rows_max events and rows_max audit rows of one organization, links the audit rows into
-- its chain, and enqueues the fan-out; returns how many rows it numbered. Two relays never wait for each other: the
-- second finds the row of sequence_heads locked and returns 0.
create function sequence_organization(org uuid, rows_max integer) returns integer
  language plpgsql as $$
declare
  head sequence_heads;
  events_numbered integer;
  entry audit;
  entries_linked integer := 0;
begin
  insert into sequence_heads (org_id, event_sequence, audit_sequence, audit_hash)
    values (org, 0, 0, sha256(convert_to(org::text, 'UTF8'))) on conflict do nothing;
  select * into head from sequence_heads where org_id = org for update skip locked;
  if not found then
    return 0;
  end if;

  with numbered as (
    select id, row_number() over (order by id) as place
      from (select id from events where org_id = org and sequence is null order by id limit rows_max) unsequenced
  )
  update events set sequence = head.event_sequence + numbered.place
    from numbered where events.org_id = org and events.id = numbered.id;
  get diagnostics events_numbered = row_count;

  for entry in select * from audit where org_id = org and sequence is null order by id limit rows_max loop
    entries_linked := entries_linked + 1;
    entry.sequence := head.audit_sequence + entries_linked;
    head.audit_hash := audit_hash(head.audit_hash, entry);
    update audit set sequence = entry.sequence, hash = head.audit_hash where org_id = org and id = entry.id;
  end loop;

  update sequence_heads
     set event_sequence = head.event_sequence + events_numbered,
         audit_sequence = head.audit_sequence + entries_linked,
         audit_hash = head.audit_hash
   where org_id = org;
  if events_numbered > 0 then
    perform enqueue_fanout(org, head.event_sequence + events_numbered);
  end if;
  return events_numbered + entries_linked;
end $$;

-- Directory: the one dispatcher of each endpoint. While it is queued or running, new webhook deliveries send the engine
-- no further message.
create table webhook_dispatchers (
  org_id         uuid not null,
  webhook_id     uuid not null,
  state          text not null check (state in ('idle', 'queued', 'running')),
  claimed_at     timestamptz, -- real time at which it left idle
  retry_timer_id uuid, -- the timer of the endpoint's earliest retry
  retry_timer_at timestamptz, -- business time at which that timer is due
  -- Requests that we could not make (no name server, no route, no file descriptors) are not attempts. The dispatcher
  -- pauses, longer after each consecutive failure, and its pending deliveries stay as they are.
  own_failures   smallint not null default 0,
  paused_until   timestamptz, -- real time; null: not paused
  recheck_at     timestamptz, -- real time from which the reconciler enqueues the dispatcher again
  recheck_count  smallint not null default 0, -- how often the reconciler has
  primary key (org_id, webhook_id),
  check ((state = 'idle') = (recheck_at is null) and (state = 'idle') = (claimed_at is null))
);
create index webhook_dispatchers_recheck on webhook_dispatchers (recheck_at) where recheck_at is not null;
grant select, insert, update (state, claimed_at, recheck_at) on webhook_dispatchers to tonearm_app;
grant select, insert, delete,
  update (state, claimed_at, retry_timer_id, retry_timer_at, own_failures, paused_until, recheck_at, recheck_count)
  on webhook_dispatchers to tonearm_worker;

-- One event that one endpoint is to receive.
create table webhook_deliveries (
  org_id     uuid not null,
  event_id   uuid not null,
  webhook_id uuid not null,
  status     text not null check (status in ('pending', 'delivered', 'undelivered')),
  attempts   smallint not null default 0, -- since the event, or a redelivery of it, was requested
  attempt_id uuid not null, -- of the next attempt: it keeps its id when it is repeated after a crash
  next_at    timestamptz, -- business time of the next attempt; null: none
  stored_at  timestamptz not null default now(),
  primary key (org_id, event_id, webhook_id),
  check ((status = 'pending') = (next_at is not null))
) partition by range (event_id);
call protect_tenant_table('webhook_deliveries');
create index webhook_deliveries_pending on webhook_deliveries (org_id, webhook_id, next_at, event_id)
  where status = 'pending';
create index webhook_deliveries_undelivered on webhook_deliveries (org_id, webhook_id, event_id)
  where status = 'undelivered';
create index webhook_deliveries_stored_at on webhook_deliveries using brin (stored_at) with (autosummarize = on);
grant select, insert, update on webhook_deliveries to tonearm_app, tonearm_worker;
insert into partitioned_tables (name, partitioned_by, period, periods_kept)
  values ('webhook_deliveries', 'uuid7', '1 day', 30);

create table webhook_attempts (
  org_id      uuid not null,
  id          uuid not null,
  event_id    uuid not null,
  webhook_id  uuid not null,
  number      smallint not null,
  status_code smallint, -- null: there was no response
  failure     text, -- why there was none
  response    text, -- its first 4 KiB
  duration_ms integer not null,
  retry_at    timestamptz, -- business time
  created_at  timestamptz not null, -- business time
  stored_at   timestamptz not null default now(),
  primary key (org_id, id)
) partition by range (id);
call protect_tenant_table('webhook_attempts');
create index webhook_attempts_of_event on webhook_attempts (org_id, event_id, id);
create index webhook_attempts_stored_at on webhook_attempts using brin (stored_at) with (autosummarize = on);
grant select on webhook_attempts to tonearm_app;
grant select, insert on webhook_attempts to tonearm_worker;
insert into partitioned_tables (name, partitioned_by, period, periods_kept)
  values ('webhook_attempts', 'uuid7', '1 day', 30);

-- Which entries of the API changelog were announced to an organization: publishing an entry again announces it once.
create table changelog_announcements (
  org_id       uuid not null,
  entry        date not null,
  announced_at timestamptz not null, -- real time
  primary key (org_id, entry)
);
call protect_tenant_table('changelog_announcements');
grant select, insert on changelog_announcements to tonearm_operator;

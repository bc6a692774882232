-- New events reach healthy endpoints without the engine (ADR 0055). The sequencer numbers the events of many
-- organizations in one transaction. A worker then takes them, makes their webhook deliveries, and sends those of idle,
-- healthy endpoints itself. Everything else (retries, failing endpoints, many events at once) stays with the engine.

-- The range of ids of the events that are not fanned out yet: it limits the partitions that are read.
alter table fanout_cursors add column first_event_id uuid, add column last_event_id uuid;
update fanout_cursors set first_event_id = '00000000-0000-0000-0000-000000000000',
       last_event_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff' where recheck_at is not null;
grant update (first_event_id, last_event_id) on fanout_cursors to tonearm_relay;
drop function enqueue_fanout(uuid, bigint);
delete from outbox where service = 'webhook-fanouts';
-- The sequencer enqueues nothing any more.
revoke insert (id, service, key, handler) on outbox from tonearm_relay;

alter table webhook_dispatchers
  -- A worker sends the deliveries that it has taken, without a run of the engine. recheck_at is its lease.
  add column is_direct boolean not null default false,
  -- Deliveries were added, or the webhook was changed, since the dispatcher left idle.
  add column has_more boolean not null default false,
  add constraint webhook_dispatchers_direct check (state = 'running' or not is_direct);
grant update (has_more) on webhook_dispatchers to tonearm_app;
grant update (is_direct, has_more) on webhook_dispatchers to tonearm_worker;

-- Numbers at most rows_max events and rows_max audit rows of one organization, links the audit rows into its chain, and
-- moves its fan-out cursor; returns how many rows it numbered. Only events with an id from first_id to last_id. Two
-- relays never wait for each other: the second finds the row of sequence_heads locked and returns 0.
drop function sequence_organization(uuid, integer);
create function sequence_organization(org uuid, rows_max integer, first_id uuid, last_id uuid) returns integer
  language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  head sequence_heads;
  numbered_ids uuid[];
  events_numbered integer;
  entry audit;
  entries_linked integer := 0;
begin
  select * into head from sequence_heads where org_id = org for update skip locked;
  if not found then
    insert into sequence_heads (org_id, event_sequence, audit_sequence, audit_hash)
      values (org, 0, 0, sha256(convert_to(org::text, 'UTF8'))) on conflict do nothing returning * into head;
    if not found then
      return 0;
    end if;
  end if;

  numbered_ids := array(
    select id from events
     where org_id = org and sequence is null and id between first_id and last_id order by id limit rows_max);
  events_numbered := cardinality(numbered_ids);
  if events_numbered > 0 then
    update events set sequence = head.event_sequence + numbered.place
      from unnest(numbered_ids) with ordinality as numbered (id, place)
     where events.org_id = org and events.id = numbered.id
       and events.id between numbered_ids[1] and numbered_ids[events_numbered];
    update fanout_cursors
       set sequenced_upto = head.event_sequence + events_numbered, recheck_at = coalesce(recheck_at, now()),
           first_event_id = case when recheck_at is null then numbered_ids[1]
                                 else least(first_event_id, numbered_ids[1]) end,
           last_event_id = case when recheck_at is null then numbered_ids[events_numbered]
                                else greatest(last_event_id, numbered_ids[events_numbered]) end
     where org_id = org;
  end if;

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
  return events_numbered + entries_linked;
end $$;

-- For relays of the release before this one, while both run. Their workers fan out when the reconciler tells them to.
create function sequence_organization(org uuid, rows_max integer) returns integer
  language sql
  return sequence_organization(org, rows_max, '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff');

-- The sequencer: numbers a batch of each of at most orgs_max organizations after after_org (null: from the first), in one
-- transaction. Returns how many rows it numbered, and after which organization the next round continues, so that every
-- organization has its turn, however many events others have. A usual round reads the partitions of yesterday, today and
-- tomorrow. A full round reads all of them, because an id carries the clock of the process that made it. An organization
-- that cannot be numbered does not hold up the others.
create function sequence_round(after_org uuid, orgs_max integer, rows_max integer, is_full boolean,
    out rows_numbered integer, out next_after uuid)
  language plpgsql set timezone = 'UTC' as $$
declare
  first_id uuid := case when is_full then '00000000-0000-0000-0000-000000000000'
                        else uuid7_floor(date_trunc('day', now()) - interval '1 day') end;
  last_id uuid := case when is_full then 'ffffffff-ffff-ffff-ffff-ffffffffffff'
                       else uuid7_floor(date_trunc('day', now()) + interval '2 days') end;
  -- The system organization has the smallest id of all.
  from_org uuid := coalesce(after_org, '00000000-0000-0000-0000-000000000000');
  org uuid;
  organizations integer := 0;
begin
  rows_numbered := 0;
  for org in
    (select distinct org_id from events
      where org_id >= from_org and org_id is distinct from after_org
        and sequence is null and id between first_id and last_id
      order by org_id limit orgs_max)
    union
    (select distinct org_id from audit
      where org_id >= from_org and org_id is distinct from after_org and sequence is null
      order by org_id limit orgs_max)
    order by org_id limit orgs_max
  loop
    organizations := organizations + 1;
    next_after := org;
    begin
      rows_numbered := rows_numbered + sequence_organization(org, rows_max, first_id, last_id);
    exception when others then
      raise warning 'the events of organization % could not be numbered: %', org, sqlerrm;
    end;
  end loop;
  if organizations < orgs_max then
    next_after := null;
  end if;
end $$;

-- A UUIDv7 with the event's millisecond. It is smaller than the ids of later attempts, also if the clock of the worker
-- that makes them differs from the database's.
create function first_attempt_id(event_id uuid) returns uuid
  language sql volatile parallel safe
  return (left(event_id::text, 15) || '000' || substr(gen_random_uuid()::text, 19))::uuid;

-- Fan-out (ADR 0013): turns the sequenced events of at most orgs_max organizations into webhook deliveries, those that
-- have waited longest first, and returns what is to be sent. With event columns: an attempt of an idle, healthy endpoint
-- whose dispatcher the caller now holds (is_direct, until real_now + lease). Without: an endpoint whose dispatcher was
-- idle and is now queued; the caller enqueues a message for the engine in the same transaction.
--
-- At most attempts_max attempts are direct, and direct_max of one endpoint: more events at once are cheaper in a run of
-- the engine. The organizations are opened one after the other, under row-level security. Dispatchers are locked in the
-- order of their keys, as every transaction locks them.
create function fan_out_round(real_now timestamptz, orgs_max integer, attempts_max integer, direct_max integer,
    enterprise_types text[], lease interval)
  returns table (org_id uuid, webhook_id uuid, url text, sealed_secret bytea, sealed_old_secret bytea,
    old_secret_until timestamptz, attempt_id uuid, id uuid, type text, sequence bigint, created_at timestamptz,
    data jsonb)
  language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  fanout fanout_cursors;
  organization organizations;
  business_now timestamptz;
  webhooks_subscribed integer;
  upto bigint;
  attempts_left integer := attempts_max;
  returned integer;
begin
  for fanout in
    select * from (select * from fanout_cursors where recheck_at <= now()
                    order by recheck_at limit orgs_max for update skip locked) behind
     order by org_id
  loop
    begin
      perform set_config('app.org_id', fanout.org_id::text, true);
      select * into organization from organizations where org_id = fanout.org_id;
      business_now := coalesce(organization.clock_frozen_at,
        real_now + organization.clock_offset_ms * interval '1 millisecond');
      select count(*) into webhooks_subscribed from webhooks where org_id = fanout.org_id and is_subscribed;
      -- At most 1,000 deliveries of 200 events in one transaction.
      select max(sequence) into upto
        from (select sequence from events
               where org_id = fanout.org_id and sequence > fanout.fanned_out_upto
                 and id between fanout.first_event_id and fanout.last_event_id
               order by sequence limit least(200, greatest(1, 1000 / greatest(webhooks_subscribed, 1)))) next_events;
      upto := coalesce(upto, fanout.sequenced_upto);
      update fanout_cursors
         set fanned_out_upto = upto, recheck_count = 0,
             recheck_at = case when sequenced_upto > upto then now() end
       where org_id = fanout.org_id;

      -- The last statement that can fail: a rollback would not take back the rows that it returned.
      return query
      with taken as materialized (
        select id, type, sequence, created_at, data from events
         where org_id = fanout.org_id and sequence > fanout.fanned_out_upto and sequence <= upto
           and id between fanout.first_event_id and fanout.last_event_id
      ), subscribed as materialized (
        select *, status = 'verified' and failing_since is null and organization.suspended_at is null as is_healthy
          from webhooks where org_id = fanout.org_id and is_subscribed
      ), inserted as (
        insert into webhook_deliveries (org_id, event_id, webhook_id, status, attempt_id, next_at)
        select fanout.org_id, taken.id, subscribed.id,
               case subscribed.status when 'disabled' then 'undelivered' else 'pending' end,
               first_attempt_id(taken.id), case when subscribed.status <> 'disabled' then business_now end
          from taken cross join subscribed
         where (organization.tier = 'enterprise' or taken.type <> all (enterprise_types))
           and (subscribed.event_types @> '{*}' or taken.type = any (subscribed.event_types))
        on conflict do nothing
        returning event_id, webhook_id, attempt_id, status
      ), wanted as (
        select inserted.webhook_id,
               bool_and(is_healthy) and attempts_left > 0 and count(*) <= direct_max as is_direct
          from inserted join subscribed on subscribed.id = inserted.webhook_id
         where inserted.status = 'pending'
         group by inserted.webhook_id
      ), woken as (
        insert into webhook_dispatchers as dispatcher
               (org_id, webhook_id, state, claimed_at, recheck_at, is_direct)
        select fanout.org_id, wanted.webhook_id, case when wanted.is_direct then 'running' else 'queued' end, real_now,
               real_now + case when wanted.is_direct then lease else interval '10 seconds' end, wanted.is_direct
          from wanted order by wanted.webhook_id
        on conflict (org_id, webhook_id) do update
           set state = case when dispatcher.state <> 'idle' then dispatcher.state
                            when excluded.is_direct and dispatcher.paused_until is null then 'running'
                            else 'queued' end,
               is_direct = case when dispatcher.state <> 'idle' then dispatcher.is_direct
                                else excluded.is_direct and dispatcher.paused_until is null end,
               has_more = dispatcher.state <> 'idle',
               claimed_at = coalesce(dispatcher.claimed_at, excluded.claimed_at),
               recheck_at = coalesce(dispatcher.recheck_at, excluded.recheck_at)
        returning webhook_id, new.is_direct, coalesce(old.state, 'idle') = 'idle' as was_idle
      )
      select fanout.org_id, woken.webhook_id, subscribed.url, subscribed.sealed_secret, subscribed.sealed_old_secret,
             subscribed.old_secret_until, inserted.attempt_id, taken.id, taken.type, taken.sequence, taken.created_at,
             taken.data
        from woken
        join subscribed on subscribed.id = woken.webhook_id
        left join inserted on woken.is_direct and inserted.webhook_id = woken.webhook_id
        left join taken on taken.id = inserted.event_id
       where woken.was_idle
       order by taken.sequence;
      get diagnostics returned = row_count;
      attempts_left := attempts_left - returned;
    exception when others then
      raise warning 'the events of organization % could not be fanned out: %', fanout.org_id, sqlerrm;
      update fanout_cursors
         set recheck_count = least(recheck_count + 1, 5),
             recheck_at = now() + interval '30 seconds' * power(2, least(recheck_count, 5))
       where org_id = fanout.org_id;
    end;
  end loop;
end $$;

-- Records direct attempts that were delivered, all those of a dispatcher together, and ends its lease. Returns the
-- dispatchers that have more to send: they are queued, and the caller enqueues a message for the engine in the same
-- transaction. An attempt counts once, as in recordAttempts: its id is in the delivery until it is recorded.
create function settle_direct_sends(real_now timestamptz, settled json)
  returns table (org_id uuid, webhook_id uuid)
  language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  org uuid;
  business_now timestamptz;
  webhook_ids uuid[];
  event_ids uuid[];
begin
  for org, webhook_ids, event_ids in
    select sent.org_id, array_agg(distinct sent.webhook_id), array_agg(sent.event_id order by sent.event_id)
      from json_to_recordset(settled) as sent (org_id uuid, webhook_id uuid, event_id uuid)
     group by sent.org_id order by sent.org_id
  loop
    perform set_config('app.org_id', org::text, true);
    select coalesce(clock_frozen_at, real_now + clock_offset_ms * interval '1 millisecond')
      into business_now from organizations where org_id = org;
    with sent as (
      select * from json_to_recordset(settled) as sent (org_id uuid, webhook_id uuid, event_id uuid, id uuid,
        next_id uuid, status_code smallint, response text, duration_ms integer)
       where sent.org_id = org
    ), recorded as (
      update webhook_deliveries delivery
         set status = case delivery.redeliveries when 0 then 'delivered' else 'pending' end,
             attempts = case delivery.redeliveries when 0 then 1 else 0 end,
             next_at = case when delivery.redeliveries > 0 then delivery.next_at end,
             earlier_attempts = delivery.earlier_attempts + (delivery.redeliveries > 0)::int,
             attempt_id = sent.next_id
        from sent
       where delivery.org_id = org and delivery.event_id = sent.event_id
         and delivery.event_id between event_ids[1] and event_ids[cardinality(event_ids)]
         and delivery.webhook_id = sent.webhook_id and delivery.attempt_id = sent.id and delivery.status = 'pending'
      returning sent.*
    )
    insert into webhook_attempts (org_id, id, event_id, webhook_id, number, earlier_attempts, redeliveries, status_code,
                                  response, duration_ms, created_at)
    select org, id, event_id, webhook_id, 1, 0, 0, status_code, response, duration_ms, business_now from recorded;
    -- Every transaction that locks both locks the webhook before its dispatcher.
    update webhooks set failing_since = null
     where org_id = org and id = any (webhook_ids) and failing_since is not null;
    return query
    with held as (
      select webhook_id from webhook_dispatchers
       where org_id = org and webhook_id = any (webhook_ids) and is_direct order by webhook_id for update
    ), released as (
      update webhook_dispatchers dispatcher
         set state = case when has_more then 'queued' else 'idle' end, is_direct = false, has_more = false,
             is_slow = false, recheck_count = 0,
             claimed_at = case when has_more then claimed_at end,
             recheck_at = case when has_more then real_now + interval '10 seconds' end
        from held
       where dispatcher.org_id = org and dispatcher.webhook_id = held.webhook_id
      returning dispatcher.webhook_id, old.has_more
    )
    select org, released.webhook_id from released where released.has_more;
  end loop;
end $$;

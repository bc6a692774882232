-- The sandbox (spec §1, contract §4): a clock that can be moved, and stores that follow scripts.

-- While it is held, business time stands still: the clock is manual, or it is being advanced.
alter table organizations add column clock_frozen_at timestamptz;

-- As `open_tenant`, which earlier releases still call, and whether the clock is held.
create function open_organization(org uuid, out offset_ms bigint, out frozen_at timestamptz)
  language plpgsql as $$
begin
  perform set_config('app.org_id', org::text, true);
  select clock_offset_ms, clock_frozen_at into offset_ms, frozen_at from organizations where org_id = org;
end $$;

-- Some timers run on real time, whatever the sandbox's clock says.
alter table timers add column is_real boolean not null default false;
drop index timers_of_organization;
create index timers_of_organization on timers (org_id, due_at)
  where state in ('waiting', 'firing') and not is_real;
grant update (recheck_at) on timers to tonearm_app, tonearm_operator;

-- When a delivery with something unsent is dispatched again: so that one that is dispatched twice is not looked at
-- twice as often from then on.
alter table deliveries add column dispatch_at timestamptz; -- business time

-- A clock has arrived once everything that happened on its way can be read.
grant select (org_id, sequence) on events to tonearm_worker;

-- Null: the answer has a timer of its own, and it is due then and not before.
alter table store_answers alter column recheck_at drop not null;

-- What a store was going to say, before somebody else said it for the store.
create function discard_pending_answers(delivery uuid, store text) returns void
  language sql security definer set search_path = public, pg_temp as $$
  delete from store_answers
   where org_id = nullif(current_setting('app.org_id', true), '')::uuid
     and delivery_id = delivery and store_id = store
$$;
revoke execute on function discard_pending_answers(uuid, text) from public;

create table sandbox_clocks (
  org_id       uuid primary key,
  is_manual    boolean not null,
  advancing_to timestamptz, -- business time; null: nobody moves it
  has_flushed  boolean not null default false, -- what could be sent when it began has been
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
  message    text check (message in ('deliver', 'update', 'takedown')), -- null: all of them
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

-- Which step of which scenario a message met: however often it is sent, it meets the same.
create table sandbox_scenario_uses (
  org_id      uuid not null,
  message_id  uuid not null,
  scenario_id uuid not null,
  delivery_id uuid not null,
  store_id    text not null,
  step        integer not null,
  outage_until  timestamptz, -- business time: an outage it has met
  primary key (org_id, message_id)
);
call protect_tenant_table('sandbox_scenario_uses');
create index sandbox_scenario_uses_of_delivery on sandbox_scenario_uses (org_id, delivery_id, store_id);
grant select, insert, update on sandbox_scenario_uses to tonearm_worker;

-- In live nobody moves a clock, or answers for a store.
do $$
begin
  if current_setting('tonearm.environment') = 'sandbox' then
    grant update (clock_offset_ms, clock_frozen_at) on organizations to tonearm_app, tonearm_worker;
    grant execute on function discard_pending_answers(uuid, text) to tonearm_app;
  end if;
end $$;

-- Deliveries (spec §2.2, §3.2; contract §2, §3): a release sent to stores, with a status for each store.

create table deliveries (
  org_id             uuid not null,
  id                 uuid not null,
  reference          text,
  metadata           jsonb not null,
  release_id         uuid not null,
  revision           integer not null, -- the newest that was sent to a store or is queued
  territory_codes    text[] not null, -- as requested
  status             text not null check (status in ('in_progress', 'delivered', 'rejected', 'action_required', 'taken_down')),
  -- How many store deliveries have each status: `status` is computed from these counts.
  pending            integer not null,
  in_progress        integer not null,
  delivered          integer not null,
  rejected           integer not null,
  action_required    integer not null,
  takedown_requested integer not null,
  taken_down         integer not null,
  dispatches         integer not null default 0, -- since the last message was sent or queued
  unsent             integer not null default 0, -- unsent messages at the last dispatch
  -- Business time of the next dispatch of unsent messages: a delivery that is dispatched twice keeps one schedule.
  dispatch_at        timestamptz,
  check_at           timestamptz, -- business time of the next check of expected_by
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  completed_at       timestamptz,
  actor_type         text not null,
  actor_id           text not null,
  primary key (org_id, id),
  foreign key (org_id, release_id) references releases (org_id, id),
  check (least(pending, in_progress, delivered, rejected, action_required, takedown_requested, taken_down) >= 0)
) with (fillfactor = 60); -- every answer updates the counts, within the page
call protect_tenant_table('deliveries');
create index deliveries_newest on deliveries (org_id, created_at desc, id desc);
create index deliveries_by_status on deliveries (org_id, status, created_at desc, id desc);
create index deliveries_of_release on deliveries (org_id, release_id, created_at desc, id desc);
create unique index deliveries_reference on deliveries (org_id, reference) where reference is not null;
grant select, insert, update on deliveries to tonearm_app, tonearm_worker;
grant select, update on deliveries to tonearm_operator;

-- Store deliveries: one store's share of a delivery. No index contains a column that changes with the status, so that a
-- change of status writes one row and no index.
create table delivery_stores (
  org_id              uuid not null,
  delivery_id         uuid not null,
  store_id            text not null,
  release_id          uuid not null,
  status              text not null check (status in ('pending', 'in_progress', 'delivered', 'rejected', 'action_required',
                                                      'takedown_requested', 'taken_down')),
  is_taken_down       boolean not null generated always as (status = 'taken_down') stored,
  territories         bytea not null check (length(territories) = 32), -- one bit a territory: kernel/territory-set.ts
  revision            integer not null,
  pending_territories bytea check (length(pending_territories) = 32), -- of an update that the store has not confirmed
  pending_revision    integer, -- of the same update
  rejection_code      text,
  rejection_reason    text,
  expected_by         timestamptz, -- business time by which the store should answer
  is_overdue          boolean not null default false,
  live_at             timestamptz,
  store_url           text,
  takedown_wanted     boolean not null default false,
  may_still_publish   boolean not null default false, -- the store flagged an earlier message and may publish it
  -- The last message to the store; only answers to it count.
  message_id          uuid not null,
  message_kind        text not null check (message_kind in ('deliver', 'update', 'takedown')),
  -- queued: not in a lane yet. dispatched: in a lane. sending: claimed by a lane. sent: the store has it.
  -- dropped: will never be sent.
  message_state       text not null check (message_state in ('queued', 'dispatched', 'sending', 'sent', 'dropped')),
  message_in_order    boolean not null default false, -- uses the lane of the message before it, and cannot overtake it
  created_at          timestamptz not null, -- of the delivery
  updated_at          timestamptz not null,
  primary key (org_id, delivery_id, store_id),
  foreign key (org_id, delivery_id) references deliveries (org_id, id)
) with (fillfactor = 60);
call protect_tenant_table('delivery_stores');
-- Contract §3: one delivery per release and store, unless it is taken down there.
create unique index delivery_stores_release_store on delivery_stores (org_id, release_id, store_id) where not is_taken_down;
create index delivery_stores_by_store on delivery_stores (org_id, store_id, created_at desc, delivery_id desc);
grant select, insert, update on delivery_stores to tonearm_app, tonearm_worker;
grant select, update on delivery_stores to tonearm_operator;

create table delivery_timeline (
  org_id      uuid not null,
  id          uuid not null,
  delivery_id uuid not null,
  store_id    text, -- null: the entry is about the whole delivery
  type        text not null,
  data        jsonb not null,
  created_at  timestamptz not null, -- business time; the id carries the real time
  primary key (org_id, id)
) partition by range (id);
call protect_tenant_table('delivery_timeline');
create index delivery_timeline_of_delivery on delivery_timeline (org_id, delivery_id, id);
grant select, insert on delivery_timeline to tonearm_app, tonearm_operator, tonearm_worker;
insert into partitioned_tables (name, partitioned_by, period, periods_kept)
  values ('delivery_timeline', 'uuid7', '1 month', null);

-- Directory: the delivery of each message to a store. A store answers with the message id, which is never used again.
create table store_messages (
  id          uuid primary key,
  org_id      uuid not null,
  delivery_id uuid not null,
  store_id    text not null,
  stored_at   timestamptz not null default now()
) partition by range (id);
create index store_messages_stored_at on store_messages using brin (stored_at) with (autosummarize = on);
grant insert on store_messages to tonearm_app, tonearm_operator;
grant select, insert on store_messages to tonearm_worker;
insert into partitioned_tables (name, partitioned_by, period, periods_kept)
  values ('store_messages', 'uuid7', '1 month', 24);

-- Answers of stores that are not applied yet. Not a tenant table: the worker receives and rechecks the answers of all
-- organizations.
create table store_answers (
  id          uuid primary key,
  org_id      uuid not null,
  delivery_id uuid not null,
  store_id    text not null,
  message_id  uuid not null,
  kind        text not null,
  code        text,
  reason      text,
  url         text,
  due_at      timestamptz not null, -- business time; a simulated store answers in the future
  -- Real time of the enqueueing of the delivery; 30 s later the reconciler repeats it. Null: a timer enqueues the
  -- delivery at due_at.
  recheck_at  timestamptz
);
create index store_answers_of_delivery on store_answers (org_id, delivery_id, id);
create index store_answers_recheck on store_answers (recheck_at);
grant select, insert, delete, update (recheck_at) on store_answers to tonearm_worker;

-- Deletes the scheduled answers of a simulated store to a delivery, because a partner now answers for the store.
-- Security definer: tonearm_app has no right on store_answers. 0008_sandbox.sql grants it, in a sandbox only.
create function discard_pending_answers(delivery uuid, store text) returns void
  language sql security definer set search_path = public, pg_temp as $$
  delete from store_answers where org_id = app_org_id() and delivery_id = delivery and store_id = store
$$;
revoke execute on function discard_pending_answers(uuid, text) from public;

-- Deliveries that wait until a paused store is resumed. Not a tenant table: the worker finds those of all organizations.
create table paused_store_deliveries (
  store_id    text not null,
  org_id      uuid not null,
  delivery_id uuid not null,
  primary key (store_id, org_id, delivery_id)
);
grant select, insert, delete on paused_store_deliveries to tonearm_worker;

-- Many releases delivered, or taken down, as one job (contract §4).
create table delivery_jobs (
  org_id       uuid not null,
  id           uuid not null,
  action       text not null check (action in ('deliver', 'takedown')),
  status       text not null check (status in ('running', 'completed')),
  defaults     jsonb not null, -- stores and territories of the items that name none
  total        integer not null check (total between 1 and 1000),
  succeeded    integer not null default 0,
  failed       integer not null default 0,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  completed_at timestamptz, -- business time, which a sandbox can move
  settled_at   timestamptz, -- when it was completed, by the database's clock
  actor_type   text not null,
  actor_id     text not null,
  primary key (org_id, id),
  check (succeeded + failed <= total)
);
call protect_tenant_table('delivery_jobs');
-- The quota of running jobs (contract §7). It does not limit the jobs of operators.
create index delivery_jobs_running on delivery_jobs (org_id) where status = 'running' and actor_type <> 'operator';
create index delivery_jobs_settled on delivery_jobs (org_id, settled_at) where settled_at is not null;
-- Upkeep deletes completed jobs after 30 days. Outside a transaction of an organization the worker sees these jobs only.
create policy upkeep_removes on delivery_jobs to tonearm_worker
  using (app_org_id() is null and settled_at < now() - interval '30 days') with check (false);
grant select, insert on delivery_jobs to tonearm_app, tonearm_operator;
grant select, update, delete on delivery_jobs to tonearm_worker;

-- The items of a job, in batches: a row has an array of requests and an array of their results. `position` is the
-- position of its first item. `done`: every item of the batch has a result; `succeeded` and `failed` are not written.
create table delivery_job_items (
  org_id   uuid not null,
  job_id   uuid not null,
  position integer not null,
  request  jsonb not null,
  status   text not null check (status in ('pending', 'succeeded', 'failed', 'done')),
  result   jsonb,
  primary key (org_id, job_id, position),
  foreign key (org_id, job_id) references delivery_jobs (org_id, id)
);
call protect_tenant_table('delivery_job_items');
-- Upkeep deletes the items of the jobs that it sees.
create policy upkeep_removes on delivery_job_items to tonearm_worker
  using (app_org_id() is null and exists (
    select from delivery_jobs job where job.org_id = delivery_job_items.org_id and job.id = delivery_job_items.job_id))
  with check (false);
grant select, insert on delivery_job_items to tonearm_app, tonearm_operator;
grant select, update, delete on delivery_job_items to tonearm_worker;

-- Releases that an operator took down for legal reasons: no message about them is sent, except takedowns.
create table legal_holds (
  org_id     uuid not null,
  release_id uuid not null,
  reason     text not null check (char_length(reason) between 1 and 1000),
  placed_at  timestamptz not null,
  actor_type text not null,
  actor_id   text not null,
  primary key (org_id, release_id)
);
call protect_tenant_table('legal_holds');
grant select on legal_holds to tonearm_app, tonearm_worker;
grant select, insert, delete on legal_holds to tonearm_operator;

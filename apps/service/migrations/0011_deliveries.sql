-- Deliveries (spec §2.2, §3.2; contract §2, §3): a release on its way to stores, each store followed by itself.

-- How many sends a store takes at once, and who speaks to it.
alter table stores add column max_concurrent_sends integer not null default 4 check (max_concurrent_sends between 1 and 64);
alter table stores add column connector text not null default 'simulated' check (connector in ('simulated'));

create table deliveries (
  org_id             uuid not null,
  id                 uuid not null,
  reference          text,
  metadata           jsonb not null,
  release_id         uuid not null,
  revision           integer not null, -- the newest that was sent, or is about to be
  status             text not null check (status in ('in_progress', 'delivered', 'rejected', 'action_required', 'taken_down')),
  territory_codes    text[] not null, -- as asked
  -- How many stores are in each state: the status is a function of these.
  pending            integer not null,
  in_progress        integer not null,
  delivered          integer not null,
  rejected           integer not null,
  action_required    integer not null,
  takedown_requested integer not null,
  taken_down         integer not null,
  dispatches         integer not null default 0, -- since something was last sent, or new
  unsent             integer not null default 0, -- at the last of them
  check_at           timestamptz, -- business time: when deadlines are looked at next
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  completed_at       timestamptz,
  actor_type         text not null,
  actor_id           text not null,
  primary key (org_id, id),
  foreign key (org_id, release_id) references releases (org_id, id),
  check (least(pending, in_progress, delivered, rejected, action_required, takedown_requested, taken_down) >= 0)
) with (fillfactor = 60); -- counts change with every answer, in place
call protect_tenant_table('deliveries');
create index deliveries_newest on deliveries (org_id, created_at desc, id desc);
create index deliveries_by_status on deliveries (org_id, status, created_at desc, id desc);
create index deliveries_of_release on deliveries (org_id, release_id, created_at desc, id desc);
create unique index deliveries_reference on deliveries (org_id, reference) where reference is not null;

-- A store's part of a delivery. No column that changes with its state is in an index, so that a change of
-- state writes one row and no index.
create table delivery_stores (
  org_id              uuid not null,
  delivery_id         uuid not null,
  store_id            text not null,
  release_id          uuid not null,
  created_at          timestamptz not null, -- the delivery's
  status              text not null check (status in ('pending', 'in_progress', 'delivered', 'rejected', 'action_required', 'takedown_requested', 'taken_down')),
  territories         bytea not null check (length(territories) = 32), -- one bit a territory: kernel/territory-set.ts
  revision            integer not null,
  pending_revision    integer,
  pending_territories bytea check (length(pending_territories) = 32), -- of an update that is not confirmed
  rejection_code      text,
  rejection_reason    text,
  expected_by         timestamptz,
  is_overdue          boolean not null default false,
  live_at             timestamptz,
  store_url           text,
  takedown_wanted     boolean not null default false,
  may_still_publish             boolean not null default false, -- the store has something it may still publish
  -- The message the store was, or is to be, sent last; only answers to it count.
  message_id          uuid not null,
  message_kind        text not null check (message_kind in ('deliver', 'update', 'takedown')),
  message_state       text not null check (message_state in ('queued', 'dispatched', 'sending', 'sent', 'dropped')),
  message_in_order      boolean not null default false, -- goes through the lane of what it follows
  updated_at          timestamptz not null,
  is_taken_down             boolean not null generated always as (status = 'taken_down') stored,
  primary key (org_id, delivery_id, store_id),
  foreign key (org_id, delivery_id) references deliveries (org_id, id)
) with (fillfactor = 60);
call protect_tenant_table('delivery_stores');
-- Contract §3: one delivery per (release, store) unless that store's part is taken down.
create unique index delivery_stores_once on delivery_stores (org_id, release_id, store_id) where not is_taken_down;
create index delivery_stores_by_store on delivery_stores (org_id, store_id, created_at desc, delivery_id desc);

create table delivery_timeline (
  org_id      uuid not null,
  id          uuid not null,
  delivery_id uuid not null,
  store_id    text, -- null: about the delivery
  type        text not null,
  data        jsonb not null,
  created_at  timestamptz not null, -- business time; the real time is in the id
  primary key (org_id, id)
) partition by range (id);
call protect_tenant_table('delivery_timeline');
create index delivery_timeline_of_delivery on delivery_timeline (org_id, delivery_id, id);
insert into partitioned_tables values ('delivery_timeline', 'uuid7', '1 month', null);

-- Directory: which delivery a message to a store was of. Stores answer with its id, which never comes again.
create table store_messages (
  id          uuid primary key,
  org_id      uuid not null,
  delivery_id uuid not null,
  store_id    text not null
) partition by range (id);
insert into partitioned_tables values ('store_messages', 'uuid7', '1 month', 24);

-- What stores have answered and nobody has heard yet. Not a tenant's: the worker looks after all of it.
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
  recheck_at     timestamptz not null -- real time: when to doubt that the delivery was told
);
create index store_answers_of_delivery on store_answers (org_id, delivery_id, id);
create index store_answers_recheck on store_answers (recheck_at);

-- Deliveries that wait for a paused store.
create table paused_store_deliveries (
  store_id    text not null,
  org_id      uuid not null,
  delivery_id uuid not null,
  primary key (store_id, org_id, delivery_id)
);

-- Many releases delivered, or taken down, as one piece of work (contract §4).
create table delivery_jobs (
  org_id       uuid not null,
  id           uuid not null,
  action       text not null check (action in ('deliver', 'takedown')),
  status       text not null check (status in ('running', 'completed')),
  defaults     jsonb not null, -- stores and territories of items that name none
  total        integer not null check (total between 1 and 1000),
  succeeded    integer not null default 0,
  failed       integer not null default 0,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  completed_at timestamptz,
  actor_type   text not null,
  actor_id     text not null,
  primary key (org_id, id),
  check (succeeded + failed <= total)
);
call protect_tenant_table('delivery_jobs');

create table delivery_job_items (
  org_id   uuid not null,
  job_id   uuid not null,
  position integer not null,
  request  jsonb not null,
  status   text not null check (status in ('pending', 'succeeded', 'failed')),
  result   jsonb,
  primary key (org_id, job_id, position),
  foreign key (org_id, job_id) references delivery_jobs (org_id, id)
);
call protect_tenant_table('delivery_job_items');

-- Releases an operator had taken down for legal reasons: nothing of them is sent any more.
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

grant select, insert, update on deliveries, delivery_stores to tonearm_app, tonearm_worker;
grant select, update on deliveries, delivery_stores to tonearm_operator;
grant select, insert on delivery_timeline to tonearm_app, tonearm_worker, tonearm_operator;
grant insert on store_messages to tonearm_app, tonearm_operator;
grant select, insert on store_messages to tonearm_worker;
grant select, insert, delete, update (recheck_at) on store_answers to tonearm_worker;
grant select, insert, delete on paused_store_deliveries to tonearm_worker;
grant select, insert on delivery_jobs, delivery_job_items to tonearm_app, tonearm_operator;
grant select, update on delivery_jobs, delivery_job_items to tonearm_worker;
grant select on legal_holds to tonearm_app, tonearm_worker;
grant select, insert, delete on legal_holds to tonearm_operator;

-- A job creates deliveries in the worker; an operator takes down, and asks for work.
grant insert on release_snapshots to tonearm_worker;
grant select on tracks to tonearm_worker, tonearm_operator;
grant select on assets to tonearm_operator;
grant insert (id, service, key, handler, send_at, trace_parent, timer, entity_ref) on outbox to tonearm_operator;
grant select, insert on timers to tonearm_operator;
-- Who there is, for what concerns every organization: one after the other.
grant select (org_id) on credentials to tonearm_operator;

-- A delivery or an answer lane is woken only if no earlier message to it is still waiting (ADR 0062).

-- The timer of the last dispatch that was requested at once. While it waits, another request needs none.
alter table deliveries add column dispatch_timer_id uuid;

-- Messages to answer lanes whose handler has not begun. The handler deletes the rows of its lane in the transaction that
-- reads the answers. Not a tenant table: the worker records the answers to all organizations.
create table answer_wakes (
  org_id      uuid not null,
  lane        smallint not null,
  enqueued_at timestamptz not null default now()
);
create index answer_wakes_of_lane on answer_wakes (org_id, lane);
grant select, insert, delete on answer_wakes to tonearm_worker;

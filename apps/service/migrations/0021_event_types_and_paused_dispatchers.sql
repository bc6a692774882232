-- The history filtered by type (GET /v1/events?type=). Without a row for events that have no sequence yet: an insert
-- writes nothing here, only the sequencer's update does.
--
-- Building it keeps writers of each existing partition waiting (about a second for a million events). Where that is too
-- long, build it on every partition first with CREATE INDEX CONCURRENTLY and the same columns and condition: this
-- statement then attaches those instead of building its own.
create index events_type on events (org_id, type, sequence) where sequence is not null;

-- Requests to an endpoint that could not be made for reasons of ours (no name server, no route, no file descriptors) are
-- no attempts at it. Its lane pauses, and its pending deliveries are not changed.
alter table webhook_dispatchers
  add column own_failures smallint not null default 0, -- pauses one after the other: each is longer
  add column paused_until timestamptz; -- real time; null: it is not paused
grant update (own_failures, paused_until) on webhook_dispatchers to tonearm_worker;

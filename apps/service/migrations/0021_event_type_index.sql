-- The history filtered by type (GET /v1/events?type=). Without a row for events that have no sequence yet: an insert
-- writes nothing here, only the sequencer's update does.
--
-- Building it keeps writers of each existing partition waiting (about a second for a million events). Where that is too
-- long, build it on every partition first with CREATE INDEX CONCURRENTLY and the same columns and condition: this
-- statement then attaches those instead of building its own.
create index events_type on events (org_id, type, sequence) where sequence is not null;

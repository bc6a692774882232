-- Purges (ADR 0049): a takedown that an operator had written as a PurgeReleaseMessage. The lane that sends the message
-- reads here how it is written.
alter table store_messages add column is_purge boolean not null default false;

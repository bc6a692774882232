-- A lane of answers reads the deliveries of an organization whose answers have arrived. Scheduled answers of simulated
-- stores (recheck_at is null) are many and wait for days.
create index store_answers_arrived on store_answers (org_id, delivery_id) where recheck_at is not null;

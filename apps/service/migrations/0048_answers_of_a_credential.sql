-- The id of the API key or OAuth client that made the request: no other credential is shown the answer (contract §8). Rows
-- that the previous release wrote have an empty id, so their answers are shown to no credential.
alter table idempotency_keys add column actor_id text not null default '';

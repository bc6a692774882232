-- The credential that made the request: its answer is shown to no other one (contract §8). Rows of the release before
-- have no credential, so nobody is shown their answers.
alter table idempotency_keys add column actor_id text not null default '';

-- The organization as partners see it: contacts, verification; API keys that partners manage; deliveries that wait until
-- their organization is verified (contract §2, §4, §5).

alter table organizations
  add column contacts jsonb not null default '[]' check (jsonb_array_length(contacts) <= 10),
  -- Organizations that exist by now keep delivering.
  add column verification_status text not null default 'verified'
    check (verification_status in ('unverified', 'pending', 'verified', 'rejected')),
  add column verification_requirements jsonb not null default '[]' -- what the organization must still send
    check (jsonb_array_length(verification_requirements) <= 20);

do $$
begin
  if (select name from environment) = 'live' then
    -- For the release before this one, which provisions organizations without naming the column.
    alter table organizations alter column verification_status set default 'unverified';
  end if;
end $$;

grant update (default_metadata_language, contacts, updated_at, actor_type, actor_id) on organizations to tonearm_app;
-- A row is locked with the privilege to update it: a dispatch locks the verification that it has read.
grant update (updated_at) on organizations to tonearm_worker;
do $$
begin
  if (select name from environment) = 'sandbox' then
    -- In a sandbox partners script their verification, and a reset makes the organization verified again.
    grant update (verification_status, verification_requirements) on organizations to tonearm_app, tonearm_worker;
    grant update (actor_type, actor_id) on organizations to tonearm_worker;
  end if;
end $$;

alter table api_keys
  add column last_used_at timestamptz, -- real time, at most a minute old; may be lost with its api process
  -- The actor columns name who changed the key last, for example who revoked it. Null: written by the release before.
  add column created_by_type text,
  add column created_by_id text,
  add check ((created_by_type is null) = (created_by_id is null));
create index api_keys_newest on api_keys (org_id, created_at desc, id desc);
grant insert (org_id, id, name, hint, scopes, expires_at, created_at, updated_at, actor_type, actor_id, created_by_type,
              created_by_id),
      update (revoked_at, last_used_at, updated_at, actor_type, actor_id)
  on api_keys to tonearm_app;
-- The api adds hashes of secrets and cannot read them; tonearm_directory reads them.
grant insert on credentials to tonearm_app;

alter table delivery_stores drop constraint delivery_stores_waiting_for_check;
alter table delivery_stores add constraint delivery_stores_waiting_for_check
  check (waiting_for in ('review', 'verification', 'store_paused'));

-- Deliveries with a message that waits until the organization is verified. Deleted, in batches, when it is.
create table unverified_deliveries (
  org_id      uuid not null,
  delivery_id uuid not null,
  primary key (org_id, delivery_id),
  foreign key (org_id, delivery_id) references deliveries (org_id, id) on delete cascade
);
call protect_tenant_table('unverified_deliveries');
grant select, insert, delete on unverified_deliveries to tonearm_worker;

-- OAuth 2.0 client credentials (contract §5): clients of an organization, their secrets, and access tokens.

create table oauth_clients (
  org_id     uuid not null,
  id         uuid not null,
  name       text not null check (char_length(name) between 1 and 200),
  scopes     text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null, -- real time, as everything here
  updated_at timestamptz not null,
  actor_type text not null,
  actor_id   text not null,
  primary key (org_id, id)
);
call protect_tenant_table('oauth_clients');
create index oauth_clients_created_at on oauth_clients (org_id, created_at, id);
grant select, insert, delete, update (updated_at, actor_type, actor_id) on oauth_clients to tonearm_app, tonearm_operator;

-- A client has several, so that a new one can be in use before the old one is revoked. A revoked secret is deleted, and
-- with it the access tokens that were issued for it stop working.
create table oauth_client_secrets (
  org_id       uuid not null,
  client_id    uuid not null,
  id           uuid not null,
  hint         text not null, -- the last four characters of the secret, to recognize it
  created_at   timestamptz not null,
  last_used_at timestamptz, -- when an access token was last issued for it
  expires_at   timestamptz,
  actor_type   text not null,
  actor_id     text not null,
  primary key (org_id, client_id, id),
  foreign key (org_id, client_id) references oauth_clients (org_id, id) on delete cascade
);
call protect_tenant_table('oauth_client_secrets');
grant select, insert, delete, update (last_used_at, expires_at) on oauth_client_secrets to tonearm_app;
grant select, insert, delete, update (expires_at) on oauth_client_secrets to tonearm_operator;

-- Directory: the organization and client of a client secret. Only the hash of the secret is stored. The row stays when
-- the secret is revoked, as that of an API key does: commands for all organizations list them by their credentials.
create table oauth_credentials (
  sha256    bytea primary key check (length(sha256) = 32),
  org_id    uuid not null,
  client_id uuid not null,
  secret_id uuid not null
);
grant select on oauth_credentials to tonearm_directory;
grant insert on oauth_credentials to tonearm_app;
grant select (org_id), insert on oauth_credentials to tonearm_operator;

-- Directory: access tokens, by the hash of the token. They are never changed: a token ends with its client, its secret
-- or its hour, and leaves with its partition. A look-up reads the partitions around today, so that an expired token is
-- recognized for a day or two.
create table oauth_tokens (
  sha256     bytea not null check (length(sha256) = 32),
  org_id     uuid not null,
  client_id  uuid not null,
  secret_id  uuid not null, -- the secret that it was issued for
  scopes     text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  stored_at  timestamptz not null default now(),
  primary key (sha256, created_at)
) partition by range (created_at);
create index oauth_tokens_stored_at on oauth_tokens using brin (stored_at) with (autosummarize = on);
grant select on oauth_tokens to tonearm_directory;
grant insert on oauth_tokens to tonearm_app;
insert into partitioned_tables (name, partitioned_by, period, periods_kept)
  values ('oauth_tokens', 'timestamp', '1 day', 2);

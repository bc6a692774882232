-- The sandbox's inbox: a webhook receiver of our own, one for each organization. All its times are real time.
create table inboxes (
  org_id              uuid primary key,
  sealed_token        bytea not null, -- its owner is shown the address again and again
  -- How it answers: so many requests more, then the usual way again; null: until told otherwise.
  status              smallint not null check (status between 200 and 599),
  times               smallint check (times between 1 and 1000),
  delay_seconds       smallint not null check (delay_seconds between 0 and 35),
  retry_after_seconds integer check (retry_after_seconds between 0 and 86400),
  received            bigint not null default 0, -- ever: the number of the newest message
  created_at          timestamptz not null,
  updated_at          timestamptz not null, -- when it was last told how to answer
  actor_type          text not null,
  actor_id            text not null
) with (fillfactor = 50); -- changes with every message, in place
call protect_tenant_table('inboxes');
grant select, insert, update on inboxes to tonearm_app;

-- Numbered without gaps, so that the one to go when another comes is found by its number.
create table inbox_messages (
  org_id      uuid not null,
  number      bigint not null,
  id          uuid not null,
  received_at timestamptz not null,
  status      smallint not null, -- what was answered
  headers     jsonb not null,
  body        bytea not null check (length(body) <= 262144),
  body_sha256 bytea not null check (length(body_sha256) = 32),
  primary key (org_id, number)
);
call protect_tenant_table('inbox_messages');
grant select, insert, delete on inbox_messages to tonearm_app;

-- Directory: whose inbox an address is. Only the hash of its token is stored.
create table inbox_tokens (
  sha256 bytea primary key check (length(sha256) = 32),
  org_id uuid not null
);
grant select on inbox_tokens to tonearm_directory;
grant insert on inbox_tokens to tonearm_app;

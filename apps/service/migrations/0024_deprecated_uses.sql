-- The uses of deprecated features (contract §10), one row for each organization, feature and credential: at most as many
-- as the organization has credentials. Written once a minute at most, in real time.
create table deprecated_uses (
  org_id          uuid not null,
  feature         text not null,
  actor_type      text not null,
  actor_id        text not null,
  first_used_at   timestamptz not null,
  last_used_at    timestamptz not null,
  last_request_id uuid not null,
  primary key (org_id, feature, actor_type, actor_id)
);
call protect_tenant_table('deprecated_uses');
grant select, insert, update (last_used_at, last_request_id) on deprecated_uses to tonearm_app;

-- Assets (spec §2.3, §3.3; contract §2, §3): files of partners, uploaded, measured, then never changed.

-- A message to a lane says what it is about; the lane is only how many run at once.
alter table outbox add column entity_ref text;
grant insert (entity_ref) on outbox to tonearm_app, tonearm_worker;
alter table timers add column entity_ref text;

-- Settled timers are kept for a while and then removed.
create index timers_settled on timers (settled_at) where state in ('fired', 'canceled');
grant delete on timers to tonearm_worker;

create table assets (
  org_id            uuid not null,
  id                uuid not null,
  type              text not null check (type in ('audio', 'artwork')),
  status            text not null check (status in ('pending_upload', 'processing', 'ready', 'failed')),
  file_name         text not null check (char_length(file_name) between 1 and 255),
  content_type      text not null,
  size_bytes        bigint not null check (size_bytes > 0),
  sha256            text check (sha256 ~ '^[0-9a-f]{64}$'), -- as declared; measured once it is ready
  facts             jsonb, -- measured
  failure_code      text,
  failure_reason    text,
  upload_id         text, -- of an upload in parts, once it was opened
  upload_parts      jsonb, -- as the partner named them on completion
  object_key        text, -- where the verified bytes are
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  actor_type        text not null,
  actor_id          text not null,
  primary key (org_id, id),
  check ((status = 'ready') = (facts is not null and object_key is not null)),
  check ((status = 'failed') = (failure_code is not null and failure_reason is not null))
);
call protect_tenant_table('assets');
create index assets_newest on assets (org_id, created_at desc, id desc);
create index assets_by_type on assets (org_id, type, created_at desc, id desc);
create index assets_by_status on assets (org_id, status, created_at desc, id desc);
grant select, insert, update on assets to tonearm_app;
grant select, update on assets to tonearm_worker;

alter table releases add constraint releases_artwork
  foreign key (org_id, artwork_asset_id) references assets (org_id, id) not valid;

-- What workflows decide is announced and recorded like any other change.
grant insert (org_id, id, type, data, created_at) on events to tonearm_worker;
grant insert (org_id, id, occurred_at, actor_type, actor_id, action, audited_id, request_id)
  on audit to tonearm_worker;

-- Assets (spec §2.3, §3.3; contract §2, §3): files of partners, uploaded and measured. A ready asset never changes.

create table assets (
  org_id         uuid not null,
  id             uuid not null,
  type           text not null check (type in ('audio', 'artwork')),
  status         text not null check (status in ('pending_upload', 'processing', 'ready', 'failed')),
  file_name      text not null check (char_length(file_name) between 1 and 255),
  content_type   text not null,
  size_bytes     bigint not null check (size_bytes > 0),
  sha256         text check (sha256 ~ '^[0-9a-f]{64}$'), -- as declared; measured once the asset is ready
  facts          jsonb, -- measured
  failure_code   text,
  failure_reason text,
  upload_id      text, -- of a multipart upload, once it is open
  upload_parts   jsonb, -- of a multipart upload, as the partner listed them on completion
  object_key     text, -- where the verified bytes are stored
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  actor_type     text not null,
  actor_id       text not null,
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
grant select on assets to tonearm_operator;

-- How much of its quotas (contract §7, `quota_exceeded`) each organization uses. Triggers on assets count it, so that
-- every change is counted, also the deletes of a sandbox reset. One row an organization: transactions that change the
-- counts of the same organization commit one after the other.
create table asset_usage (
  org_id               uuid primary key,
  open_uploads         integer not null,
  files_in_examination integer not null,
  stored_bytes         bigint not null -- size_bytes of the assets that have not failed
);
call protect_tenant_table('asset_usage');
grant select on asset_usage to tonearm_app, tonearm_worker;

create function update_asset_usage() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into asset_usage as used (org_id, open_uploads, files_in_examination, stored_bytes)
  values (
    coalesce(new.org_id, old.org_id),
    coalesce((new.status = 'pending_upload')::int, 0) - coalesce((old.status = 'pending_upload')::int, 0),
    coalesce((new.status = 'processing')::int, 0) - coalesce((old.status = 'processing')::int, 0),
    coalesce((new.status <> 'failed')::int * new.size_bytes, 0) - coalesce((old.status <> 'failed')::int * old.size_bytes, 0)
  )
  on conflict (org_id) do update
     set open_uploads = used.open_uploads + excluded.open_uploads,
         files_in_examination = used.files_in_examination + excluded.files_in_examination,
         stored_bytes = used.stored_bytes + excluded.stored_bytes;
  return null;
end $$;
revoke execute on function update_asset_usage() from public;

create trigger update_asset_usage after insert or delete on assets
  for each row execute function update_asset_usage();
create trigger update_asset_usage_on_status_change after update on assets
  for each row when (old.status <> new.status) execute function update_asset_usage();

-- Called after the writes of a transaction, when its row of asset_usage is locked: refuses the transaction if another
-- one has used up the quota since it was read. A null quota is not checked.
create function enforce_asset_quotas(open_uploads_max integer, files_in_examination_max integer, stored_bytes_max bigint)
  returns void language plpgsql as $$
begin
  if exists (select from asset_usage
              where org_id = app_org_id()
                and (open_uploads > open_uploads_max
                     or files_in_examination > files_in_examination_max
                     or stored_bytes > stored_bytes_max)) then
    raise exception 'another transaction has used up a quota of assets' using errcode = 'serialization_failure';
  end if;
end $$;

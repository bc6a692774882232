-- Quotas per tier (contract §7, `quota_exceeded`), and jobs whose items cost little.

-- A row holds a batch of items: their requests and results as arrays, from `position` on. Rows written before hold
-- one item. `done`: every item of the batch has its result.
alter table delivery_job_items drop constraint delivery_job_items_status_check;
alter table delivery_job_items add constraint delivery_job_items_status_check
  check (status in ('pending', 'succeeded', 'failed', 'done'));

-- How many of a partner's jobs run. Those of operators are not the partner's to limit.
create index delivery_jobs_running on delivery_jobs (org_id)
  where status = 'running' and actor_type <> 'operator';

-- What assets use of their organization's quotas. Counted by triggers, so no path can forget it, a sandbox reset
-- included. One row an organization: transactions that change the same organization's counts commit one after the other.
create table asset_usage (
  org_id               uuid primary key,
  open_uploads         integer not null,
  files_in_examination integer not null,
  stored_bytes         bigint not null -- declared, of assets that have not failed
);

create function count_asset() returns trigger
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
revoke execute on function count_asset() from public;

-- The triggers lock `assets` against writers until this migration commits: what is counted below is all there is.
create trigger assets_counted after insert or delete on assets
  for each row execute function count_asset();
create trigger assets_recounted after update on assets
  for each row when (old.status <> new.status) execute function count_asset();

-- An owner that is no superuser is under the policy of `assets` as well, and would see nothing.
alter table assets no force row level security;
insert into asset_usage (org_id, open_uploads, files_in_examination, stored_bytes)
select org_id, count(*) filter (where status = 'pending_upload'), count(*) filter (where status = 'processing'),
       coalesce(sum(size_bytes) filter (where status <> 'failed'), 0)
  from assets group by org_id;
alter table assets force row level security;

call protect_tenant_table('asset_usage');
grant select on asset_usage to tonearm_app, tonearm_worker;

-- Null: not to be confirmed.
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

-- Pings of an endpoint in the minute that began then (real time).
alter table webhooks add column pings_minute timestamptz, add column pings integer not null default 0;

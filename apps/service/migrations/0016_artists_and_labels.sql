-- Artists and labels as resources of their own (catalogue §3).

create table artists (
  org_id          uuid not null,
  id              uuid not null,
  reference       text,
  metadata        jsonb not null,
  name            text not null check (char_length(name) between 1 and 500),
  folded_name     text collate "C" not null, -- in lower case, with single spaces: the name filter, and artists of one name
  isni            text check (isni ~ '^\d{15}[\dX]$'),
  ipi             text check (ipi ~ '^\d{9,11}$'),
  localized_names jsonb not null,
  merged_into     uuid, -- always an artist that is not merged itself
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  actor_type      text not null,
  actor_id        text not null,
  primary key (org_id, id),
  foreign key (org_id, merged_into) references artists (org_id, id) on delete cascade,
  check (merged_into <> id)
);
call protect_tenant_table('artists');
create index artists_newest on artists (org_id, created_at desc, id desc);
create index artists_by_name on artists (org_id, folded_name, created_at desc, id desc);
create index artists_by_isni on artists (org_id, isni, created_at desc, id desc) where isni is not null;
create index artists_merged on artists (org_id, merged_into) where merged_into is not null;
create unique index artists_reference on artists (org_id, reference) where reference is not null;
-- One ISNI names one artist. A merged artist keeps its own, which the artist it was merged into has too.
create unique index artists_isni on artists (org_id, isni) where isni is not null and merged_into is null;
grant select, insert, update, delete on artists to tonearm_app;
grant select on artists to tonearm_operator, tonearm_worker;

-- The page of an artist at a store. A table, because under row-level security a condition inside a jsonb document uses no
-- index, and preflight searches for artists with the same page.
create table artist_profiles (
  org_id    uuid not null,
  artist_id uuid not null,
  store_id  text not null,
  profile   text not null check (char_length(profile) between 1 and 200), -- 'new': the store creates a page
  primary key (org_id, artist_id, store_id),
  foreign key (org_id, artist_id) references artists (org_id, id) on delete cascade
);
call protect_tenant_table('artist_profiles');
create index artist_profiles_by_profile on artist_profiles (org_id, store_id, profile, artist_id);
grant select, insert, delete on artist_profiles to tonearm_app;
grant select on artist_profiles to tonearm_operator, tonearm_worker;

-- The artists that a release or one of its tracks names or named. A row stays when the release no longer names the
-- artist: the deletion of an artist reads the releases themselves. While a transaction writes such a release, the
-- foreign key keeps the artist from being deleted.
create table release_artists (
  org_id     uuid not null,
  artist_id  uuid not null,
  release_id uuid not null,
  primary key (org_id, artist_id, release_id),
  foreign key (org_id, artist_id) references artists (org_id, id),
  foreign key (org_id, release_id) references releases (org_id, id) on delete cascade
);
call protect_tenant_table('release_artists');
-- Every read of a release finds the merged ones among its artists.
create index release_artists_of_release on release_artists (org_id, release_id, artist_id);
grant select, insert, delete on release_artists to tonearm_app;
grant select on release_artists to tonearm_operator, tonearm_worker;

create table labels (
  org_id              uuid not null,
  id                  uuid not null,
  reference           text,
  metadata            jsonb not null,
  name                text not null check (char_length(name) between 1 and 500),
  p_line_owner        text,
  c_line_owner        text,
  default_territories text[] check (cardinality(default_territories) > 0),
  is_default          boolean not null, -- the label of a release that is created without one
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  actor_type          text not null,
  actor_id            text not null,
  primary key (org_id, id)
);

-- Every organization has a default label. Its first name is organizations.default_label; later it may be renamed.
alter table organizations no force row level security;
insert into labels (org_id, id, metadata, name, is_default, created_at, updated_at, actor_type, actor_id)
  select org_id, uuidv7(), '{}', default_label, true, created_at, updated_at, actor_type, actor_id from organizations;
alter table organizations force row level security;

-- A trigger, so that the release before this one, too, provisions no organization without a default label.
create function insert_default_label() returns trigger language plpgsql as $$
begin
  insert into labels (org_id, id, metadata, name, is_default, created_at, updated_at, actor_type, actor_id)
  values (new.org_id, uuidv7(), '{}', new.default_label, true, new.created_at, new.updated_at, new.actor_type, new.actor_id);
  return null;
end $$;
create trigger insert_default_label after insert on organizations
  for each row execute function insert_default_label();

call protect_tenant_table('labels');
create index labels_newest on labels (org_id, created_at desc, id desc);
create unique index labels_name on labels (org_id, name);
create unique index labels_reference on labels (org_id, reference) where reference is not null;
create unique index labels_default on labels (org_id) where is_default;
grant select, insert, update, delete on labels to tonearm_app;
grant select on labels to tonearm_worker;
grant select, insert on labels to tonearm_operator;

alter table releases no force row level security;
alter table labels no force row level security;
-- Null if no label had the name when the release was written. The text of a release stays when its label is renamed.
alter table releases add column label_id uuid;
update releases r set label_id = l.id from labels l where l.org_id = r.org_id and l.name = r.label;
alter table releases add foreign key (org_id, label_id) references labels (org_id, id);
create index releases_by_label_id on releases (org_id, label_id, created_at desc, id desc) where label_id is not null;
alter table releases force row level security;
alter table labels force row level security;

-- A delivery job that finds other artist profiles than in the snapshot makes a revision of its release.
grant update (revision) on releases to tonearm_worker;
grant insert on release_revisions to tonearm_worker;

-- How much of its quotas (contract §7) each organization uses; as asset_usage.
create table catalog_usage (
  org_id  uuid primary key,
  artists integer not null,
  labels  integer not null
);
alter table labels no force row level security;
insert into catalog_usage (org_id, artists, labels) select org_id, 0, count(*) from labels group by org_id;
alter table labels force row level security;
call protect_tenant_table('catalog_usage');
grant select on catalog_usage to tonearm_app, tonearm_worker;

create function update_catalog_usage() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  difference constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into catalog_usage as used (org_id, artists, labels)
  values (
    coalesce(new.org_id, old.org_id),
    case tg_table_name when 'artists' then difference else 0 end,
    case tg_table_name when 'labels' then difference else 0 end
  )
  on conflict (org_id) do update
     set artists = used.artists + excluded.artists, labels = used.labels + excluded.labels;
  return null;
end $$;
revoke execute on function update_catalog_usage() from public;
create trigger update_catalog_usage after insert or delete on artists
  for each row execute function update_catalog_usage();
create trigger update_catalog_usage after insert or delete on labels
  for each row execute function update_catalog_usage();

-- Called after the writes of a transaction, when its row of catalog_usage is locked: refuses the transaction if another
-- one has used up the quota since it was read. A null quota is not checked.
create function enforce_catalog_quotas(artists_max integer, labels_max integer) returns void language plpgsql as $$
begin
  if exists (select from catalog_usage
              where org_id = app_org_id() and (artists > artists_max or labels > labels_max)) then
    raise exception 'another transaction has used up a quota of the catalog' using errcode = 'serialization_failure';
  end if;
end $$;

-- Deletes a batch of the catalogue of the transaction's organization, in a sandbox only: at most rows_max rows of one
-- table, the first that has any, children before parents. So concurrent transactions wait for rows of one table at
-- most, and the next call finds rows that were inserted meanwhile. It is security definer because no role may delete
-- from these tables. Returns whether nothing was left, and which assets were deleted.
--
-- Kept: the organization, its default label, its keys, UPC and ISRC ranges, idempotency keys, events and audit rows;
-- settled timers; and timers of real time, which delete files and continue the reset.
create or replace function remove_catalogue(rows_max integer, out was_empty boolean, out removed_assets uuid[])
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org constant uuid := app_org_id();
  target record;
  removed integer;
begin
  if org is null or not exists (select from environment where name = 'sandbox') then
    raise exception 'only an organization of a sandbox is emptied' using errcode = 'insufficient_privilege';
  end if;
  was_empty := false;
  removed_assets := '{}';
  for target in
    select * from (values
      (1, 'timers', 'id', 'state in (''waiting'', ''firing'') and not is_real'),
      (2, 'store_answers', 'id', 'true'),
      (3, 'store_messages', 'id', 'true'),
      (4, 'store_holdings', 'store_id, code, delivery_id, held_from', 'true'),
      (5, 'paused_store_deliveries', 'store_id, delivery_id', 'true'),
      (6, 'sandbox_scenario_uses', 'message_id', 'true'),
      (7, 'sandbox_scenarios', 'id', 'true'),
      (8, 'delivery_timeline', 'id', 'true'),
      (9, 'delivery_stores', 'delivery_id, store_id', 'true'),
      (10, 'deliveries', 'id', 'true'),
      (11, 'delivery_job_items', 'job_id, position', 'true'),
      (12, 'delivery_jobs', 'id', 'true'),
      (13, 'legal_holds', 'release_id', 'true'),
      (14, 'submissions', 'id', 'true'),
      (15, 'release_snapshots', 'release_id, revision', 'true'),
      (16, 'release_revisions', 'release_id, revision', 'true'),
      (17, 'tracks', 'id', 'true'),
      (18, 'release_artists', 'artist_id, release_id', 'true'),
      (19, 'releases', 'id', 'true'),
      (20, 'artists', 'id', 'true'),
      (21, 'labels', 'id', 'not is_default')
    ) as targets (number, table_name, key, condition) order by number
  loop
    -- Locks rows in the order of their key, as other transactions do: no deadlock.
    execute format(
      'delete from %1$I where org_id = $1 and (%2$s) in
         (select %2$s from %1$I where org_id = $1 and %3$s order by %2$s limit $2 for update)',
      target.table_name, target.key, target.condition) using org, rows_max;
    get diagnostics removed = row_count;
    if removed > 0 then
      return;
    end if;
  end loop;
  with removed_rows as (
    delete from assets where org_id = org and id in
      (select id from assets where org_id = org order by id limit rows_max for update)
    returning id
  )
  select count(*) = 0, coalesce(array_agg(id), '{}') into was_empty, removed_assets from removed_rows;
exception
  -- Another transaction has just inserted a child of a row to delete: the next call deletes the child first.
  when foreign_key_violation then
    was_empty := false;
    removed_assets := '{}';
end $$;

do $$
begin
  if (select name from environment) = 'sandbox' then
    -- The worker seeds a catalogue with the commands that partners use. A row is locked with the privilege to update it.
    grant insert, update on artists, labels to tonearm_worker;
    grant insert, delete on artist_profiles to tonearm_worker;
    grant insert on release_artists to tonearm_worker;
  end if;
end $$;

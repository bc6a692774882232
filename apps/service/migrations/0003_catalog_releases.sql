-- Releases (spec §2.1, contract §2) and every revision of them.
create table releases (
  org_id                uuid not null,
  id                    uuid not null,
  reference             text,
  metadata              jsonb,
  title                 text not null check (char_length(title) between 1 and 500),
  version               text,
  artists               jsonb not null,
  release_date          date not null,
  original_release_date date,
  label                 text not null check (char_length(label) between 1 and 500),
  upc                   text not null check (upc ~ '^\d{12}$'),
  territories           text[] not null check (cardinality(territories) > 0),
  status                text not null check (status in ('draft', 'submitted', 'delivered', 'rejected')),
  type                  text check (type in ('single', 'ep', 'album', 'compilation')),
  genre                 text,
  language              text,
  p_line                text,
  c_line                text,
  catalog_number        text,
  explicit              text check (explicit in ('explicit', 'clean', 'none')),
  artwork_asset_id      uuid,
  track_count           integer not null check (track_count >= 0),
  revision              integer not null check (revision > 0),
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  actor_type            text not null,
  actor_id              text not null,
  primary key (org_id, id)
);
call protect_tenant_table('releases');
grant select, insert, update, delete on releases to tonearm_app;

create index releases_newest on releases (org_id, created_at desc, id desc);
create index releases_by_status on releases (org_id, status, created_at desc, id desc);
create index releases_by_upc on releases (org_id, upc, created_at desc, id desc);
create index releases_by_label on releases (org_id, label, created_at desc, id desc);
create index releases_by_update on releases (org_id, updated_at);
create unique index releases_reference on releases (org_id, reference) where reference is not null;
-- Contract §3: one release per fingerprint once it has been submitted.
create unique index releases_fingerprint on releases (org_id, upc, label, release_date) where status <> 'draft';

create table release_revisions (
  org_id         uuid not null,
  release_id     uuid not null,
  revision       integer not null,
  changed_fields text[] not null,
  release        jsonb not null, -- the whole release as it was then
  created_at     timestamptz not null,
  actor_type     text not null,
  actor_id       text not null,
  primary key (org_id, release_id, revision),
  foreign key (org_id, release_id) references releases (org_id, id) on delete cascade
);
call protect_tenant_table('release_revisions');
grant select, insert on release_revisions to tonearm_app;

-- Releases and their tracks (spec §2.1, §2.3; contract §2), submissions and their review (spec §3.1, §4.1; contract §3).

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
  type                  text check (type in ('single', 'ep', 'album', 'compilation')),
  genre                 text,
  language              text,
  p_line                text,
  c_line                text,
  catalog_number        text,
  explicit              text check (explicit in ('explicit', 'clean', 'none')),
  artwork_asset_id      uuid,
  status                text not null check (status in ('draft', 'submitted', 'delivered', 'rejected')),
  submission            jsonb, -- the latest, as the API shows it
  track_count           integer not null check (track_count >= 0),
  content_bytes         integer not null, -- of the JSON without tracks: bounds a release with its tracks, and a page of a list
  revision              integer not null check (revision > 0),
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  actor_type            text not null,
  actor_id              text not null,
  primary key (org_id, id),
  foreign key (org_id, artwork_asset_id) references assets (org_id, id)
);
call protect_tenant_table('releases');
create index releases_newest on releases (org_id, created_at desc, id desc);
create index releases_by_status on releases (org_id, status, created_at desc, id desc);
create index releases_by_upc on releases (org_id, upc, created_at desc, id desc);
create index releases_by_label on releases (org_id, label, created_at desc, id desc);
create index releases_by_update on releases (org_id, updated_at);
create unique index releases_reference on releases (org_id, reference) where reference is not null;
-- Contract §3: one release per fingerprint once it has been submitted.
create unique index releases_fingerprint on releases (org_id, upc, label, release_date) where status <> 'draft';
grant select, insert, update, delete on releases to tonearm_app;
-- The review, automatic in the worker or manual by an operator, sets the status.
grant select, update (status, submission, updated_at, actor_type, actor_id) on releases
  to tonearm_operator, tonearm_worker;

create table release_revisions (
  org_id         uuid not null,
  release_id     uuid not null,
  revision       integer not null,
  changed_fields text[] not null,
  release        jsonb not null, -- the whole release after the change, without its tracks
  created_at     timestamptz not null,
  actor_type     text not null,
  actor_id       text not null,
  primary key (org_id, release_id, revision),
  foreign key (org_id, release_id) references releases (org_id, id) on delete cascade
);
call protect_tenant_table('release_revisions');
grant select, insert on release_revisions to tonearm_app;

create table tracks (
  org_id         uuid not null,
  id             uuid not null,
  release_id     uuid not null,
  reference      text,
  metadata       jsonb not null,
  title          text not null check (char_length(title) between 1 and 500),
  version        text,
  artists        jsonb not null,
  isrc           text not null check (isrc ~ '^[A-Z]{2}[A-Z0-9]{3}\d{7}$'),
  audio_asset_id uuid,
  territory      text[] check (cardinality(territory) > 0), -- null: the territories of the release
  disc           integer not null check (disc between 1 and 99),
  position       integer not null check (position between 1 and 999),
  explicit       text check (explicit in ('explicit', 'clean', 'none')),
  language       text,
  genre          text,
  p_line         text,
  content_bytes  integer not null, -- of the JSON
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  actor_type     text not null,
  actor_id       text not null,
  primary key (org_id, id),
  foreign key (org_id, release_id) references releases (org_id, id) on delete cascade,
  foreign key (org_id, audio_asset_id) references assets (org_id, id)
);
call protect_tenant_table('tracks');
create unique index tracks_disc_position on tracks (org_id, release_id, disc, position);
create index tracks_newest on tracks (org_id, created_at desc, id desc);
create index tracks_of_release on tracks (org_id, release_id, created_at desc, id desc);
create index tracks_by_isrc on tracks (org_id, isrc, created_at desc, id desc);
create unique index tracks_reference on tracks (org_id, reference) where reference is not null;
grant select, insert, update, delete on tracks to tonearm_app;
grant select on tracks to tonearm_operator, tonearm_worker;

-- The next designation of a registrant code in a year.
create table isrc_years (
  org_id           uuid not null,
  registrant       text not null,
  year             integer not null check (year between 0 and 99),
  next_designation integer not null check (next_designation between 0 and 100000),
  primary key (org_id, registrant, year)
);
call protect_tenant_table('isrc_years');
grant select, insert, update on isrc_years to tonearm_app;

-- Allocates the next isrcs_wanted ISRCs of a year that no track of the organization has; returns fewer if its registrant
-- codes are used up, none if it has no code. The row of isrc_years stays locked until the transaction ends. A
-- transaction whose request names ISRCs of the same code and year (named_isrcs) locks the row too, even if it allocates
-- none, so that no ISRC is used twice.
create function allocate_isrcs(org uuid, two_digit_year integer, isrcs_wanted integer, named_isrcs text[]) returns setof text
  language plpgsql as $$
declare
  code text;
  year_prefix text;
  designation integer;
  candidate text;
  allocated integer := 0;
begin
  for code in select registrant from isrc_registrants where org_id = org order by registrant loop
    year_prefix := code || lpad(two_digit_year::text, 2, '0');
    -- Named ISRCs of another registrant or another year cannot collide with this row.
    continue when allocated >= isrcs_wanted and not exists (
      select from unnest(named_isrcs) named_isrc where named_isrc like year_prefix || '%');
    insert into isrc_years (org_id, registrant, year, next_designation) values (org, code, two_digit_year, 1)
      on conflict do nothing;
    select next_designation into designation from isrc_years
      where org_id = org and registrant = code and year = two_digit_year for update;
    while allocated < isrcs_wanted and designation <= 99999 loop
      candidate := year_prefix || lpad(designation::text, 5, '0');
      designation := designation + 1;
      if candidate <> all (named_isrcs) and not exists (select from tracks where org_id = org and isrc = candidate) then
        allocated := allocated + 1;
        return next candidate;
      end if;
    end loop;
    update isrc_years set next_designation = designation
      where org_id = org and registrant = code and year = two_digit_year;
  end loop;
end $$;

create table submissions (
  org_id        uuid not null,
  id            uuid not null,
  release_id    uuid not null,
  revision      integer not null,
  review_status text not null check (review_status in ('pending', 'approved', 'rejected')),
  findings      jsonb not null,
  submitted_at  timestamptz not null,
  decided_at    timestamptz,
  actor_type    text not null,
  actor_id      text not null,
  primary key (org_id, id),
  foreign key (org_id, release_id) references releases (org_id, id),
  check ((review_status = 'pending') = (decided_at is null))
);
call protect_tenant_table('submissions');
create index submissions_of_release on submissions (org_id, release_id, id);
create index submissions_pending on submissions (org_id, id) where review_status = 'pending';
grant select, insert on submissions to tonearm_app;
grant select, update (review_status, findings, decided_at, actor_type, actor_id) on submissions
  to tonearm_operator, tonearm_worker;

-- A revision of a release whole, with its tracks and assets, as it was submitted or sent to stores.
create table release_snapshots (
  org_id     uuid not null,
  release_id uuid not null,
  revision   integer not null,
  snapshot   jsonb not null,
  created_at timestamptz not null,
  primary key (org_id, release_id, revision),
  foreign key (org_id, release_id) references releases (org_id, id)
);
call protect_tenant_table('release_snapshots');
grant select, insert on release_snapshots to tonearm_app, tonearm_worker;
grant select on release_snapshots to tonearm_operator;

-- The ISRCs in the snapshots of a release: a legal takedown finds the release by an ISRC that its tracks no longer have.
-- (The UPC of a release never changes.) A table, because under row-level security a condition inside a jsonb document
-- uses no index.
create table release_isrcs (
  org_id     uuid not null,
  release_id uuid not null,
  isrc       text not null,
  primary key (org_id, release_id, isrc),
  foreign key (org_id, release_id) references releases (org_id, id) on delete cascade
);
call protect_tenant_table('release_isrcs');
create index release_isrcs_by_isrc on release_isrcs (org_id, isrc);
grant insert on release_isrcs to tonearm_app, tonearm_worker;
grant select on release_isrcs to tonearm_operator;

-- A trigger, so that no insert of a snapshot can omit its ISRCs.
create function record_isrcs() returns trigger
  language plpgsql as $$
begin
  insert into release_isrcs (org_id, release_id, isrc)
    select distinct new.org_id, new.release_id, track ->> 'isrc' from jsonb_array_elements(new.snapshot -> 'tracks') track
    on conflict do nothing;
  return null;
end $$;
create trigger record_isrcs after insert on release_snapshots for each row execute function record_isrcs();

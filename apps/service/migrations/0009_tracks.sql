-- Tracks (spec §2.3, contract §2) and the ISRCs they are given.
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
  territory      text[] check (cardinality(territory) > 0), -- null: wherever the release is
  disc           integer not null check (disc between 1 and 99),
  position       integer not null check (position between 1 and 999),
  explicit       text check (explicit in ('explicit', 'clean', 'none')),
  language       text,
  genre          text,
  p_line         text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  actor_type     text not null,
  actor_id       text not null,
  primary key (org_id, id),
  foreign key (org_id, release_id) references releases (org_id, id) on delete cascade,
  foreign key (org_id, audio_asset_id) references assets (org_id, id)
);
call protect_tenant_table('tracks');
grant select, insert, update, delete on tracks to tonearm_app;

create unique index tracks_disc_position on tracks (org_id, release_id, disc, position);
create index tracks_newest on tracks (org_id, created_at desc, id desc);
create index tracks_of_release on tracks (org_id, release_id, created_at desc, id desc);
create index tracks_by_isrc on tracks (org_id, isrc, created_at desc, id desc);
create unique index tracks_reference on tracks (org_id, reference) where reference is not null;

-- Directory: whose a registrant code is. No code has two owners.
create table isrc_owners (
  registrant text primary key check (registrant ~ '^[A-Z]{2}[A-Z0-9]{3}$'),
  org_id     uuid not null
);
grant select, insert on isrc_owners to tonearm_operator;

-- The organization's own codes, used one after the other, and how far each year's designations have been
-- given out.
create table isrc_registrants (
  org_id     uuid not null,
  registrant text not null,
  primary key (org_id, registrant)
);
call protect_tenant_table('isrc_registrants');
grant select on isrc_registrants to tonearm_app;
grant select, insert on isrc_registrants to tonearm_operator;

create table isrc_years (
  org_id           uuid not null,
  registrant       text not null,
  year             integer not null check (year between 0 and 99),
  next_designation integer not null check (next_designation between 0 and 100000),
  primary key (org_id, registrant, year)
);
call protect_tenant_table('isrc_years');
grant select, insert, update on isrc_years to tonearm_app;

-- The next so many ISRCs of this year that no track of the organization has; fewer when its codes are used
-- up, none when it has no code. Whoever takes some holds the year of that code until his transaction ends,
-- and whoever names codes of his own registrant takes none but holds it too, so that none is given out twice.
create function allocate_isrcs(org uuid, year_of integer, wanted integer, named text[]) returns setof text
  language plpgsql as $$
declare
  code text;
  designation integer;
  candidate text;
  taken integer := 0;
begin
  for code in select registrant from isrc_registrants where org_id = org order by registrant loop
    -- Codes of somebody else's, or of another year, are none of the pool's business.
    continue when taken >= wanted and not exists (
      select from unnest(named) given where given like code || lpad(year_of::text, 2, '0') || '%');
    insert into isrc_years values (org, code, year_of, 1) on conflict do nothing;
    select next_designation into designation from isrc_years
      where org_id = org and registrant = code and year = year_of for update;
    while taken < wanted and designation <= 99999 loop
      candidate := code || lpad(year_of::text, 2, '0') || lpad(designation::text, 5, '0');
      designation := designation + 1;
      if candidate <> all (named) and not exists (select from tracks where org_id = org and isrc = candidate) then
        taken := taken + 1;
        return next candidate;
      end if;
    end loop;
    update isrc_years set next_designation = designation
      where org_id = org and registrant = code and year = year_of;
  end loop;
end $$;

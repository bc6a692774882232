-- One ISRC is one recording within an organization: ISRCs that are never allocated again, and indexes by which preflight
-- finds other tracks with the same ISRC or the same audio.

-- The lock on tracks waits for every open transaction that used an ISRC, because each has read tracks before. So the
-- rows that are copied below are all rows, and later transactions call the new allocate_isrcs().
alter table tracks no force row level security;
alter table release_isrcs no force row level security;

-- ISRCs that a track of the organization has or had, named by the partner or allocated. No row is ever removed.
create table isrc_reservations (
  org_id uuid not null,
  isrc   text not null,
  primary key (org_id, isrc)
);
insert into isrc_reservations (org_id, isrc)
  select org_id, isrc from tracks union select org_id, isrc from release_isrcs;
call protect_tenant_table('isrc_reservations');
grant select, insert on isrc_reservations to tonearm_app;

alter table tracks force row level security;
alter table release_isrcs force row level security;

-- Allocates and reserves the next isrcs_wanted ISRCs of a year that are not reserved, then reserves the named ones.
-- Returns fewer if the organization's registrant codes are used up, none if it has no code. The row of isrc_years stays
-- locked until the transaction ends. A transaction whose request names ISRCs of the same code and year (named_isrcs)
-- locks the row too, even if it allocates none, so that the two do not deadlock.
--
-- ISRCs of another year, or of a code that is added meanwhile, are named without a lock. Then the insert of the second
-- transaction waits until the first has ended: a named ISRC is allocated only if the first was rolled back.
create or replace function allocate_isrcs(org uuid, two_digit_year integer, isrcs_wanted integer, named_isrcs text[])
  returns setof text
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
    continue when allocated >= isrcs_wanted and not exists (
      select from unnest(named_isrcs) named_isrc where named_isrc like year_prefix || '%');
    insert into isrc_years (org_id, registrant, year, next_designation) values (org, code, two_digit_year, 1)
      on conflict do nothing;
    select next_designation into designation from isrc_years
      where org_id = org and registrant = code and year = two_digit_year for update;
    while allocated < isrcs_wanted and designation <= 99999 loop
      candidate := year_prefix || lpad(designation::text, 5, '0');
      designation := designation + 1;
      continue when candidate = any (named_isrcs);
      insert into isrc_reservations (org_id, isrc) values (org, candidate) on conflict do nothing;
      if found then
        allocated := allocated + 1;
        return next candidate;
      end if;
    end loop;
    update isrc_years set next_designation = designation
      where org_id = org and registrant = code and year = two_digit_year;
  end loop;
  -- In one order for all transactions, against deadlocks.
  insert into isrc_reservations (org_id, isrc)
    select org, named_isrc from unnest(named_isrcs) named_isrc order by named_isrc on conflict do nothing;
end $$;

-- A column, because under row-level security a condition inside a jsonb document uses no index. Null for artwork, and
-- for audio that was examined before its samples were hashed.
alter table assets add column pcm_sha256 text generated always as (facts ->> 'pcmSha256') stored;
create index assets_by_sha256 on assets (org_id, sha256, id desc) where type = 'audio' and status = 'ready';
create index assets_by_pcm_sha256 on assets (org_id, pcm_sha256, id desc) where pcm_sha256 is not null;
create index tracks_by_audio on tracks (org_id, audio_asset_id, id desc) where audio_asset_id is not null;

do $$
begin
  if (select name from environment) = 'sandbox' then
    -- The worker seeds a catalogue with the commands that partners use.
    grant select, insert on isrc_reservations to tonearm_worker;
  end if;
end $$;

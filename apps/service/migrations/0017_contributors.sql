-- Credits: contributors of tracks with their roles, apart from the artists who are displayed; and the use of AI.

alter table tracks
  add column contributors jsonb not null default '[]',
  add column ai_use       jsonb; -- null: not declared
alter table releases
  add column ai_use       jsonb; -- null: not declared

alter table tracks no force row level security;
alter table releases no force row level security;

-- Artists with a role that is not displayed become contributors: one for each name, with all of its roles, which have
-- the same names. Contributors have no ISNI and no store profiles. Snapshots and revisions stay as they were submitted.
update tracks
   set contributors = (
         select jsonb_agg(jsonb_build_object('name', name, 'roles', roles) order by first)
           from (select artist -> 'name' as name, jsonb_agg(distinct artist -> 'role') as roles, min(i) as first
                   from jsonb_array_elements(artists) with ordinality listed (artist, i)
                  where artist ->> 'role' not in ('main', 'featured', 'remixer')
                  group by artist -> 'name') credited),
       artists = (
         select jsonb_agg(artist order by i)
           from jsonb_array_elements(artists) with ordinality listed (artist, i)
          where artist ->> 'role' in ('main', 'featured', 'remixer'))
 where artists @? '$[*] ? (@.role != "main" && @.role != "featured" && @.role != "remixer")';

-- The tracks have the credits.
update releases
   set artists = (
         select jsonb_agg(artist order by i)
           from jsonb_array_elements(artists) with ordinality listed (artist, i)
          where artist ->> 'role' in ('main', 'featured', 'remixer'))
 where artists @? '$[*] ? (@.role != "main" && @.role != "featured" && @.role != "remixer")';

alter table tracks force row level security;
alter table releases force row level security;

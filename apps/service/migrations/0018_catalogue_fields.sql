-- What stores ask of releases and tracks: codes, origin, languages, genres and prices (catalogue §4).

alter table tracks
  add column original_release_date date,
  add column iswc                  text check (iswc ~ '^T\d{10}$'),
  add column recording_country     text check (recording_country ~ '^[A-Z]{2}$'),
  add column composition           text check (composition in ('original', 'cover', 'public_domain')),
  add column samples               text check (samples in ('none', 'cleared')),
  add column mechanical_licence    text check (char_length(mechanical_licence) between 1 and 500),
  add column lyrics_language       text check (char_length(lyrics_language) <= 35),
  add column ugc_policy            text check (ugc_policy in ('monetize', 'track', 'block')),
  add column localized_titles      jsonb, -- by BCP 47 language
  add column subgenre              text check (char_length(subgenre) between 1 and 100);

-- The language of titles and names of releases that name none.
alter table organizations
  add column default_metadata_language text not null default 'en' check (char_length(default_metadata_language) <= 35);

-- ean: sent to stores instead of the UPC. A UPC is an EAN without its leading 0.
alter table releases
  add column metadata_language text not null default 'en' check (char_length(metadata_language) <= 35),
  add column ean               text check (ean ~ '^\d{13}$'),
  add column price_tier        text check (price_tier in ('budget', 'mid', 'front', 'premium')),
  add column localized_titles  jsonb, -- by BCP 47 language
  add column subgenre          text check (char_length(subgenre) between 1 and 100);

create index releases_by_ean on releases (org_id, ean, created_at desc, id desc) where ean is not null;
-- Contract §3: releases_fingerprint for the code that stores are sent.
create unique index releases_product_code_fingerprint on releases
  (org_id, (case when ean like '0%' then substr(ean, 2) else coalesce(ean, upc) end), label, release_date)
  where status <> 'draft';

-- A legal takedown finds a release by an EAN that it was sent with and has no longer. A column, because under row-level
-- security a condition inside a jsonb document uses no index.
alter table release_snapshots add column ean text generated always as (snapshot -> 'release' ->> 'ean') stored;
create index release_snapshots_by_ean on release_snapshots (org_id, ean) where ean is not null;

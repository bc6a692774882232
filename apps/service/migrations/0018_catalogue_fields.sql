-- What stores ask of releases and tracks: codes, origin, languages, genres and prices (catalogue §4).

alter table tracks
  add column original_release_date date,
  add column iswc                  text check (iswc ~ '^T\d{10}$'),
  add column recording_country     text check (recording_country ~ '^[A-Z]{2}$'),
  add column composition           text check (composition in ('original', 'cover', 'public_domain')),
  add column samples               text check (samples in ('none', 'cleared')),
  add column mechanical_licence    text check (char_length(mechanical_licence) between 1 and 500),
  add column lyrics_language       text check (char_length(lyrics_language) <= 35),
  add column ugc_policy            text check (ugc_policy in ('monetize', 'track', 'block'));

alter table releases
  add column price_tier text check (price_tier in ('budget', 'mid', 'front', 'premium'));

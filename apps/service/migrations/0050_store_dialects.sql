-- What a store is told of a release, and in which words.

-- The store's own names of genres, by ours. Those that it does not name follow from its rule pack.
alter table stores add column genres jsonb not null default '{}' check (jsonb_typeof(genres) = 'object');

-- Buyers of a pre-order get the track at once.
alter table tracks add column instant_gratification boolean;

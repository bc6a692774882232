-- Rights and windows of releases and tracks, and what stores can do with them.

alter table releases
  add column excluded_territories text[] check (cardinality(excluded_territories) > 0),
  add column use_types            text[] check (cardinality(use_types) > 0), -- null: all
  add column release_at           timestamptz, -- the same moment everywhere; null: local midnight of release_date
  add column pre_order_date       date;

alter table tracks
  add column excluded_territories text[] check (cardinality(excluded_territories) > 0),
  add column use_types            text[], -- null: those of the release; empty: withdrawn
  add column preview_start_ms     integer check (preview_start_ms >= 0);

-- Stores before this migration announced when a release was available. Only use types and versions of ERN that a
-- release can name are left.
alter table stores
  add column takedown_method text not null default 'omit_deal' check (takedown_method in ('end_deal', 'omit_deal')),
  add column confirmation    text not null default 'live' check (confirmation in ('live', 'ingest', 'none'));
update stores
   set use_types = coalesce((select array_agg(distinct new_name order by new_name)
                               from (select case old_name when 'stream' then 'ad_supported_stream'
                                                          when 'subscription' then 'subscription_stream'
                                                          when 'user_generated' then 'ugc'
                                                          else old_name end
                                       from unnest(use_types) old_name where old_name <> 'ringtone') renamed (new_name)),
                            '{download}'),
       ern_version = case when ern_version = '4.3.2' then ern_version else '4.3' end;
alter table stores
  add check (use_types <@ array['ad_supported_stream', 'subscription_stream', 'download', 'ugc']),
  add check (ern_version in ('4.3', '4.3.2'));

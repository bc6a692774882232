-- Deals per store and track, stores that answer late or never, and the directory of what stores have.

-- A release's deal at a store: its territories, the ways to use it, and the tracks whose rights differ.
alter table delivery_stores
  add column requested_territory_codes text[] check (cardinality(requested_territory_codes) > 0), -- null: the delivery's
  add column is_worldwide boolean not null default false, -- all of the store's territories, requested as WORLDWIDE
  add column use_types smallint not null default 15 check (use_types between 1 and 15), -- one bit each: kernel/use-type.ts
  add column track_deals jsonb, -- null: every track has the release's deal
  add column update jsonb, -- an update that the store has not confirmed, or has rejected
  add column waiting_for text check (waiting_for in ('review', 'store_paused')),
  add column acknowledged_at timestamptz, -- the store's receipt of the last message
  add column live_basis text check (live_basis in ('store', 'inferred')),
  add column delivered_by uuid, -- the message by which the store got the release
  add column takedown_requested_at timestamptz,
  add column takedown_requested_by text check (takedown_requested_by in ('partner', 'operator')),
  add column taken_down_by text check (taken_down_by in ('partner', 'operator', 'store'));

update delivery_stores store
   set update = case when pending_revision is null then null else jsonb_build_object(
         'revision', pending_revision, 'status', 'pending', 'rejection', null,
         'deal', jsonb_build_object('territories', encode(pending_territories, 'hex'), 'is_worldwide', false,
                                    'use_types', 15, 'tracks', null)) end,
       live_basis = case when live_at is null then null else 'store' end,
       -- Every message id is greater: an answer to any of its messages is about the release that the store has.
       delivered_by = case when live_at is null then null else '00000000-0000-0000-0000-000000000000'::uuid end,
       takedown_requested_at = case when takedown_wanted or status in ('takedown_requested', 'taken_down') then updated_at end,
       takedown_requested_by = case when takedown_wanted or status in ('takedown_requested', 'taken_down') then 'partner' end,
       taken_down_by = case when status = 'taken_down' then 'partner' end,
       rejection_code = case when rejection_reason is null then null else coalesce(rejection_code, 'unspecified') end;

alter table delivery_stores
  drop column pending_revision,
  drop column pending_territories,
  drop column takedown_wanted,
  alter column use_types drop default,
  alter column is_worldwide drop default,
  add check ((rejection_code is null) = (rejection_reason is null)),
  add check ((live_at is null) = (live_basis is null)),
  add check ((takedown_requested_at is null) = (takedown_requested_by is null)),
  add check (taken_down_by is not null or status <> 'taken_down');

-- An answer may name only the release, not a message.
alter table store_answers alter column message_id drop not null;

-- Directory: what stores have and had, by the codes with which stores name it. Late answers, legal takedowns and
-- royalties find the organization by it. Rows never expire. Not a tenant table: only system roles read it.
create table store_holdings (
  store_id    text not null,
  code        text not null, -- UPC or ISRC
  org_id      uuid not null,
  delivery_id uuid not null,
  release_id  uuid not null,
  track_id    uuid, -- null: the release
  territories bytea not null check (length(territories) = 32),
  held_from   timestamptz not null, -- business time
  held_to     timestamptz, -- null: the store has it
  primary key (store_id, code, delivery_id, held_from)
);
create index store_holdings_open on store_holdings (delivery_id, store_id) where held_to is null;
create index store_holdings_by_code on store_holdings (code, org_id);
grant select on store_holdings to tonearm_operator, tonearm_worker;

-- Ends the open holdings of the stores of a delivery, and begins others. Security definer: in the sandbox, tonearm_app
-- answers for stores, and has no right on store_holdings.
create function record_holdings(delivery uuid, release uuid, at timestamptz, ended_stores text[], begun json) returns void
  language sql security definer set search_path = public, pg_temp as $$
  update store_holdings set held_to = greatest(at, held_from)
   where delivery_id = delivery and org_id = app_org_id() and store_id = any(ended_stores) and held_to is null;
  insert into store_holdings (store_id, code, org_id, delivery_id, release_id, track_id, territories, held_from)
  select store_id, code, app_org_id(), delivery, release, track_id, territories, at
    from json_to_recordset(begun) as holding (store_id text, code text, track_id uuid, territories bytea)
  on conflict (store_id, code, delivery_id, held_from)
     do update set territories = excluded.territories, track_id = excluded.track_id, held_to = null
$$;
revoke execute on function record_holdings(uuid, uuid, timestamptz, text[], json) from public;
grant execute on function record_holdings(uuid, uuid, timestamptz, text[], json) to tonearm_worker;
do $$
begin
  if (select name from environment) = 'sandbox' then
    grant execute on function record_holdings(uuid, uuid, timestamptz, text[], json) to tonearm_app;
  end if;
end $$;

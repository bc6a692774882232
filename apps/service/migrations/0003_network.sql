-- The stores of the network (contract §2). Not a tenant table: every organization sees the same stores.

create table stores (
  store_id                text primary key check (store_id ~ '^[a-z][a-z0-9_-]{1,49}$'),
  name                    text not null check (char_length(name) between 1 and 200),
  territory_codes         text[] not null check (cardinality(territory_codes) > 0),
  audio_formats           text[] not null check (cardinality(audio_formats) > 0),
  use_types               text[] not null check (cardinality(use_types) > 0),
  pre_order               boolean not null,
  takedown                boolean not null,
  updates                 boolean not null,
  ern_version             text not null,
  lead_time_business_days integer not null check (lead_time_business_days between 0 and 60),
  rule_pack               text not null check (rule_pack in ('a', 'b', 'base')),
  max_concurrent_sends    integer not null default 4 check (max_concurrent_sends between 1 and 64),
  connector               text not null default 'simulated' check (connector in ('simulated')),
  status                  text not null check (status in ('active', 'paused')),
  updated_at              timestamptz not null,
  actor_type              text not null,
  actor_id                text not null
);
create index stores_by_territory on stores using gin (territory_codes);
grant select on stores to tonearm_app, tonearm_worker;
grant select, insert, update on stores to tonearm_operator;

-- A release with a code that another organization holds live at a store waits there until an operator decides (ADR 0066).

alter table delivery_stores drop constraint delivery_stores_waiting_for_check;
alter table delivery_stores add constraint delivery_stores_waiting_for_check
  check (waiting_for in ('review', 'verification', 'store_paused', 'rights_review'));

-- A release may be sent with this code although another organization holds it.
create table rights_grants (
  org_id     uuid not null,
  release_id uuid not null,
  code       text not null, -- as in store_holdings
  granted_at timestamptz not null,
  actor_type text not null,
  actor_id   text not null,
  primary key (org_id, release_id, code),
  foreign key (org_id, release_id) references releases (org_id, id) on delete cascade
);
call protect_tenant_table('rights_grants');
grant select on rights_grants to tonearm_app, tonearm_worker;
grant select, insert on rights_grants to tonearm_operator;

-- What an operator must decide, and between whom. Not a tenant table: only system roles read it.
create table rights_reviews (
  org_id            uuid not null,
  release_id        uuid not null,
  store_id          text not null,
  code              text not null,
  holder_org_id     uuid not null,
  holder_release_id uuid not null,
  opened_at         timestamptz not null, -- business time
  primary key (org_id, release_id, store_id, code, holder_org_id, holder_release_id)
);
create index rights_reviews_opened on rights_reviews (opened_at);
grant select, insert, delete on rights_reviews to tonearm_worker;
grant select, delete on rights_reviews to tonearm_operator;

-- The codes that another organization holds at these stores, in which territories (null: everywhere), without those that
-- were granted to the release or that the organization has at the store itself. Security definer: store_holdings shows what
-- all organizations have. In the sandbox organizations do not meet: there, every ISRC of the registrant HLD is held.
create function codes_held_elsewhere(release uuid, stores text[], codes text[])
  returns table (store_id text, code text, territories bytea)
  language sql stable security definer set search_path = public, pg_temp as $$
  select found.store_id, found.code, found.territories
    from (select held.store_id, held.code, held.territories
            from store_holdings held
           where (select name from environment) = 'live'
             and held.code = any(codes) and held.store_id = any(stores) and held.org_id <> app_org_id()
             and held.held_to is null
             and not exists (select from store_holdings own
                              where own.store_id = held.store_id and own.code = held.code
                                and own.org_id = app_org_id() and own.held_to is null)
           union all
          select store, held, null
            from unnest(stores) store, unnest(codes) held
           where (select name from environment) = 'sandbox' and held ~ '^[A-Z]{2}HLD\d{7}$') found
   where not exists (select from rights_grants granted
                      where granted.org_id = app_org_id() and granted.release_id = release
                        and granted.code = found.code)
$$;
revoke execute on function codes_held_elsewhere(uuid, text[], text[]) from public;
grant execute on function codes_held_elsewhere(uuid, text[], text[]) to tonearm_app, tonearm_operator, tonearm_worker;
do $$
begin
  if (select name from environment) = 'sandbox' then
    -- Partners decide there themselves.
    grant insert on rights_grants to tonearm_app;
  end if;
end $$;

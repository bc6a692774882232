-- A release with a code that another organization holds live at a store waits there until an operator decides (ADR 0066).

-- It only allows more than before, so the rows need not be read.
alter table delivery_stores drop constraint delivery_stores_waiting_for_check;
alter table delivery_stores add constraint delivery_stores_waiting_for_check
  check (waiting_for in ('review', 'verification', 'store_paused', 'rights_review')) not valid;

-- A release may be sent with this code although another organization holds it.
create table rights_grants (
  org_id     uuid not null,
  release_id uuid not null,
  code       text not null, -- as in store_holdings
  reason     text not null,
  granted_at timestamptz not null,
  actor_type text not null,
  actor_id   text not null,
  primary key (org_id, release_id, code),
  foreign key (org_id, release_id) references releases (org_id, id) on delete cascade
);
call protect_tenant_table('rights_grants');
grant select on rights_grants to tonearm_app, tonearm_worker;
grant select, insert on rights_grants to tonearm_operator;

-- What an operator must decide: where a release waits, for which codes, and who holds them. Not a tenant table: only system
-- roles read it.
create table rights_reviews (
  org_id            uuid not null,
  release_id        uuid not null,
  store_id          text not null,
  holder_org_id     uuid not null,
  holder_release_id uuid not null,
  codes             text[] not null,
  opened_at         timestamptz not null, -- business time
  primary key (org_id, release_id, store_id, holder_org_id, holder_release_id)
);
create index rights_reviews_opened on rights_reviews (opened_at);
grant select, insert, update, delete on rights_reviews to tonearm_worker;
grant select on rights_reviews to tonearm_operator;

-- In the transaction of the step by which stores no longer wait. Security definer: partners end waits too, and read no row.
create function close_rights_reviews(release uuid, stores text[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  delete from rights_reviews where org_id = app_org_id() and release_id = release and store_id = any(stores)
$$;
revoke execute on function close_rights_reviews(uuid, text[]) from public;
grant execute on function close_rights_reviews(uuid, text[]) to tonearm_app, tonearm_operator, tonearm_worker;

-- Who holds these codes at these stores, and in which territories (null: everywhere), without the codes that were granted to
-- the release. Rows of the organization itself are its own. Security definer: store_holdings shows what all organizations
-- have. In the sandbox organizations do not meet: there, every ISRC of the registrant HLD is held by another.
create function holders_of_codes(release uuid, stores text[], codes text[])
  returns table (store_id text, code text, territories bytea, is_own boolean)
  language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select found.store_id, found.code, found.territories, found.is_own
    from (select held.store_id, held.code, held.territories, held.org_id = app_org_id() as is_own
            from store_holdings held
           where (select name from environment) = 'live'
             and held.code = any(codes) and held.store_id = any(stores) and held.held_to is null
           union all
          select store, held, null, false
            from unnest(stores) store, unnest(codes) held
           where (select name from environment) = 'sandbox' and held ~ '^[A-Z]{2}HLD\d{7}$') found
   where not exists (select from rights_grants granted
                      where granted.org_id = app_org_id() and granted.release_id = release
                        and granted.code = found.code)
$$;
revoke execute on function holders_of_codes(uuid, text[], text[]) from public;
grant execute on function holders_of_codes(uuid, text[], text[]) to tonearm_app, tonearm_operator, tonearm_worker;
do $$
begin
  if (select name from environment) = 'sandbox' then
    -- Partners decide there themselves.
    grant insert on rights_grants to tonearm_app;
  end if;
end $$;

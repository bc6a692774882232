-- A reset of a sandbox also removes what the directory says stores have: the rows would name deliveries that are gone. In
-- live no row is removed.

-- Deletes a batch of the catalogue of the transaction's organization, in a sandbox only: at most rows_max rows of one
-- table, the first that has any, children before parents. So concurrent transactions wait for rows of one table at
-- most, and the next call finds rows that were inserted meanwhile. It is security definer because no role may delete
-- from these tables. Returns whether nothing was left, and which assets were deleted.
--
-- Kept: the organization, its keys, UPC and ISRC ranges, idempotency keys, events and audit rows; settled timers; and
-- timers of real time, which delete files and continue the reset.
create or replace function remove_catalogue(rows_max integer, out was_empty boolean, out removed_assets uuid[])
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org constant uuid := app_org_id();
  target record;
  removed integer;
begin
  if org is null or not exists (select from environment where name = 'sandbox') then
    raise exception 'only an organization of a sandbox is emptied' using errcode = 'insufficient_privilege';
  end if;
  was_empty := false;
  removed_assets := '{}';
  for target in
    select * from (values
      (1, 'timers', 'id', 'state in (''waiting'', ''firing'') and not is_real'),
      (2, 'store_answers', 'id', 'true'),
      (3, 'store_messages', 'id', 'true'),
      (4, 'store_holdings', 'store_id, code, delivery_id, held_from', 'true'),
      (5, 'paused_store_deliveries', 'store_id, delivery_id', 'true'),
      (6, 'sandbox_scenario_uses', 'message_id', 'true'),
      (7, 'sandbox_scenarios', 'id', 'true'),
      (8, 'delivery_timeline', 'id', 'true'),
      (9, 'delivery_stores', 'delivery_id, store_id', 'true'),
      (10, 'deliveries', 'id', 'true'),
      (11, 'delivery_job_items', 'job_id, position', 'true'),
      (12, 'delivery_jobs', 'id', 'true'),
      (13, 'legal_holds', 'release_id', 'true'),
      (14, 'submissions', 'id', 'true'),
      (15, 'release_snapshots', 'release_id, revision', 'true'),
      (16, 'release_revisions', 'release_id, revision', 'true'),
      (17, 'tracks', 'id', 'true'),
      (18, 'releases', 'id', 'true')
    ) as targets (number, table_name, key, condition) order by number
  loop
    -- Locks rows in the order of their key, as other transactions do: no deadlock.
    execute format(
      'delete from %1$I where org_id = $1 and (%2$s) in
         (select %2$s from %1$I where org_id = $1 and %3$s order by %2$s limit $2 for update)',
      target.table_name, target.key, target.condition) using org, rows_max;
    get diagnostics removed = row_count;
    if removed > 0 then
      return;
    end if;
  end loop;
  with removed_rows as (
    delete from assets where org_id = org and id in
      (select id from assets where org_id = org order by id limit rows_max for update)
    returning id
  )
  select count(*) = 0, coalesce(array_agg(id), '{}') into was_empty, removed_assets from removed_rows;
exception
  -- Another transaction has just inserted a child of a row to delete: the next call deletes the child first.
  when foreign_key_violation then
    was_empty := false;
    removed_assets := '{}';
end $$;

do $$
begin
  if (select name from environment) = 'sandbox' then
    -- remove_catalogue() deletes by organization; live reads store_holdings by code and by delivery.
    create index store_holdings_of_organization on store_holdings (org_id, store_id);
  end if;
end $$;

-- A reset of the sandbox removes the money rows too. Entries are removed before their transactions, and what a payout has
-- before the payout. Nothing else may delete rows of the ledger (ADR 0035).
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
  update payout_settings
     set mode = 'manual', minimum = '{}', next_payout_at = null, monthly_timer = null
   where org_id = org and has_dual_control
     and (mode, minimum, next_payout_at, monthly_timer) is distinct from ('manual', '{}'::jsonb, null, null);
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
      (18, 'release_artists', 'artist_id, release_id', 'true'),
      (19, 'releases', 'id', 'true'),
      (20, 'artists', 'id', 'true'),
      (21, 'labels', 'id', 'not is_default'),
      (22, 'ledger_verifications', 'currency, account, version', 'true'),
      (23, 'ledger_entries', 'currency, account, version', 'true'),
      (24, 'ledger_transactions', 'id', 'true'),
      (25, 'adjustments', 'id', 'true'),
      (26, 'earning_holds', 'id', 'true'),
      (27, 'payout_attempts', 'payout_id, number', 'true'),
      (28, 'payout_screenings', 'payout_id, stage, number', 'true'),
      (29, 'payout_transitions', 'payout_id, number', 'true'),
      (30, 'payout_holds', 'id', 'true'),
      -- A payout that others retry stays until they are removed: a batch of the oldest payouts would never succeed.
      (31, 'payouts', 'id', 'not exists (select from payouts retry where retry.org_id = $1 and retry.retry_of = payouts.id)'),
      (32, 'payout_methods', 'id', 'true'),
      (33, 'tax_profiles', 'org_id', 'true'),
      -- Dual control is the operator's: a partner cannot switch it off with a reset.
      (34, 'payout_settings', 'org_id', 'not has_dual_control')
    ) as targets (number, table_name, key, condition) order by number
  loop
    -- A posting must not continue an entry that is being removed.
    if target.table_name = 'ledger_entries' then
      perform lock_ledger();
    end if;
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

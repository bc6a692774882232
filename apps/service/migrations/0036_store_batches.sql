-- Batches of messages to stores that speak DDEX (ADR 0047).

alter table stores drop constraint stores_connector_check;
alter table stores add constraint stores_connector_check check (connector in ('simulated', 'ddex'));

-- How a store is reached, and how it wants its messages. Not a tenant table: a store is the same for every organization.
create table store_connections (
  store_id      text primary key,
  settings      jsonb not null,
  secret        bytea not null, -- the private key or the secret access key, sealed
  -- The time in the name of the last batch. Names of batches are times, and a store has one folder for all of them.
  last_batch_at timestamptz not null default 'epoch',
  updated_at    timestamptz not null,
  actor_type    text not null,
  actor_id      text not null
);
-- A dry run shows the message that the store would get, in its dialect.
grant select (store_id, settings) on store_connections to tonearm_app;
grant select on store_connections to tonearm_worker;
grant update (last_batch_at) on store_connections to tonearm_worker;
grant select, insert, update on store_connections to tonearm_operator;

-- One row for each message: the batch in which it was sent, and what the store said. A repeated send after a crash
-- finds its row and writes to the same folder.
create table store_batches (
  org_id           uuid not null,
  message_id       uuid not null,
  delivery_id      uuid not null,
  release_id       uuid not null,
  store_id         text not null,
  batch_id         text not null,
  kind             text not null check (kind in ('deliver', 'update', 'takedown')),
  delivery_type    text not null,
  -- open: being sent; its manifest is not there. complete: the manifest is there, or is about to be. acknowledged: the
  -- store has answered. timed_out: it has not. abandoned: the message was replaced before its manifest was written.
  -- refused: our own check found the message invalid.
  state            text not null check (state in ('open', 'complete', 'acknowledged', 'timed_out', 'abandoned', 'refused')),
  message_sha256   text,
  message_bytes    integer,
  files            jsonb not null default '[]', -- sent in this batch
  held_files       jsonb not null default '[]', -- ids of the assets that the store has after it
  acknowledgements jsonb not null default '[]', -- what the store has answered
  created_at       timestamptz not null, -- real time, as in the message
  completed_at     timestamptz,
  times_out_at     timestamptz, -- business time
  primary key (org_id, message_id),
  foreign key (org_id, delivery_id) references deliveries (org_id, id)
);
call protect_tenant_table('store_batches');
-- A release is never in two open batches of a store.
create unique index store_batches_unanswered on store_batches (org_id, store_id, release_id)
  where state in ('open', 'complete');
create index store_batches_of_release on store_batches (org_id, store_id, release_id, batch_id desc);
create index store_batches_of_delivery on store_batches (org_id, delivery_id, store_id, message_id);
grant select on store_batches to tonearm_app;
grant select, insert, update on store_batches to tonearm_worker;
grant select on store_batches to tonearm_operator;

-- As in 0034_sandbox_money.sql, with batches.
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
      (10, 'store_batches', 'message_id', 'true'),
      (11, 'deliveries', 'id', 'true'),
      (12, 'delivery_job_items', 'job_id, position', 'true'),
      (13, 'delivery_jobs', 'id', 'true'),
      (14, 'legal_holds', 'release_id', 'true'),
      (15, 'submissions', 'id', 'true'),
      (16, 'release_snapshots', 'release_id, revision', 'true'),
      (17, 'release_revisions', 'release_id, revision', 'true'),
      (18, 'tracks', 'id', 'true'),
      (19, 'release_artists', 'artist_id, release_id', 'true'),
      (20, 'releases', 'id', 'true'),
      (21, 'artists', 'id', 'true'),
      (22, 'labels', 'id', 'not is_default'),
      (23, 'ledger_verifications', 'currency, account, version', 'true'),
      (24, 'ledger_entries', 'currency, account, version', 'true'),
      (25, 'ledger_transactions', 'id', 'true'),
      (26, 'adjustments', 'id', 'true'),
      (27, 'earning_holds', 'id', 'true'),
      (28, 'payout_attempts', 'payout_id, number', 'true'),
      (29, 'payout_screenings', 'payout_id, stage, number', 'true'),
      (30, 'payout_transitions', 'payout_id, number', 'true'),
      (31, 'payout_holds', 'id', 'true'),
      -- A payout that others retry stays until they are removed: a batch of the oldest payouts would never succeed.
      (32, 'payouts', 'id', 'not exists (select from payouts retry where retry.org_id = $1 and retry.retry_of = payouts.id)'),
      (33, 'payout_methods', 'id', 'true'),
      (34, 'tax_profiles', 'org_id', 'true'),
      -- Dual control is the operator's: a partner cannot switch it off with a reset.
      (35, 'payout_settings', 'org_id', 'not has_dual_control'),
      (36, 'remittance_reports', 'report_id, currency', 'true'),
      -- Payments that complete a first one are removed before it.
      (37, 'remittances', 'id', 'not exists (select from remittances other where other.org_id = $1 and other.completes = remittances.id)'),
      (38, 'report_shares', 'report_id, part_number, partner_org_id, currency', 'true'),
      (39, 'report_parts', 'report_id, kind, number', 'true'),
      (40, 'report_scopes', 'report_id, service, territory, commercial_model, use_type, period_start, period_end', 'true'),
      (41, 'report_totals', 'report_id, currency', 'true'),
      (42, 'report_files', 'report_id, number', 'true'),
      (43, 'store_reports', 'id', 'true'),
      (44, 'royalty_totals', 'statement_id, store_id, territory, release_id, usage_month', 'true'),
      (45, 'royalty_market_totals', 'statement_id, store_id, territory, usage_month, use_type, accounting_month', 'true'),
      (46, 'royalty_track_totals', 'statement_id, track_id, isrc, release_id, usage_month', 'true'),
      (47, 'royalty_label_totals', 'statement_id, label, usage_month', 'true'),
      (48, 'royalty_sections', 'statement_id, first_position', 'true'),
      (49, 'statement_artifacts', 'statement_id, kind, part', 'true'),
      (50, 'statements', 'id', 'true'),
      (51, 'pending_nets', 'run_id, currency', 'true'),
      (52, 'run_totals', 'run_id, statement_id, store_id, territory, release_id, usage_month, bucket', 'true'),
      (53, 'run_market_totals', 'run_id, statement_id, store_id, territory, usage_month, use_type, accounting_month, bucket', 'true'),
      (54, 'run_track_totals', 'run_id, statement_id, track_id, isrc, release_id, usage_month, bucket', 'true'),
      (55, 'run_statements', 'run_id, statement_id', 'true'),
      (56, 'run_buckets', 'run_id, number', 'true'),
      (57, 'run_reversals', 'run_id, paid_statement_id, report_id', 'true'),
      (58, 'royalty_runs', 'id', 'true'),
      (59, 'sandbox_reports', 'id', 'true'),
      (60, 'sandbox_closings', 'org_id', 'true')
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

-- Reversals (ADR 0040): what a run takes back of reports that earlier runs have paid and that other reports replace.

-- One row for each statement that a superseded report was paid in. Amounts are those that were paid, not their negatives.
create table run_reversals (
  org_id             uuid not null,
  run_id             uuid not null,
  paid_statement_id  uuid not null,
  report_id          uuid not null, -- the superseded one
  superseded_by      uuid not null,
  store_id           text not null,
  paid_run_id        uuid not null,
  partner_org_id     uuid not null,
  currency           text not null check (currency ~ '^[A-Z]{3}$'),
  gross_amount       numeric(28, 6) not null, -- of its line items
  source_tax_amount  numeric(28, 6) not null,
  other_gross_amount numeric(28, 6) not null, -- of its fines and income without a track
  other_fee_amount   numeric(28, 6) not null,
  fee_amount         numeric(28, 6), -- of its line items; null until it is calculated
  payee_tax_amount   numeric(28, 6),
  problem            text, -- why the files and the statement differ
  primary key (org_id, run_id, paid_statement_id, report_id),
  foreign key (org_id, run_id) references royalty_runs,
  check ((fee_amount is null) = (payee_tax_amount is null))
);
call protect_tenant_table('run_reversals');
-- Which reports earlier runs have taken out of a statement.
create index run_reversals_paid on run_reversals (org_id, paid_statement_id);
grant select on run_reversals to tonearm_operator;
grant select, insert, update, delete on run_reversals to tonearm_worker;

-- The report that a store has not paid in full. If another report replaces it, the dispute is over.
alter table earning_holds add column report_id uuid;
create index earning_holds_of_report on earning_holds (org_id, report_id) where report_id is not null;

-- A reset of the sandbox removes reports, runs, statements and what runs reverse too.
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
      (34, 'payout_settings', 'org_id', 'not has_dual_control'),
      (35, 'report_shares', 'report_id, part_number, partner_org_id, currency', 'true'),
      (36, 'report_parts', 'report_id, kind, number', 'true'),
      (37, 'report_scopes', 'report_id, service, territory, commercial_model, use_type, period_start, period_end', 'true'),
      (38, 'report_totals', 'report_id, currency', 'true'),
      (39, 'report_files', 'report_id, number', 'true'),
      (40, 'store_reports', 'id', 'true'),
      (41, 'royalty_totals', 'statement_id, store_id, territory, release_id, usage_month', 'true'),
      (42, 'statement_artifacts', 'statement_id, kind, part', 'true'),
      (43, 'statements', 'id', 'true'),
      (44, 'pending_nets', 'run_id, currency', 'true'),
      (45, 'run_totals', 'run_id, statement_id, store_id, territory, release_id, usage_month, bucket', 'true'),
      (46, 'run_statements', 'run_id, statement_id', 'true'),
      (47, 'run_buckets', 'run_id, number', 'true'),
      (48, 'run_reversals', 'run_id, paid_statement_id, report_id', 'true'),
      (49, 'royalty_runs', 'id', 'true')
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

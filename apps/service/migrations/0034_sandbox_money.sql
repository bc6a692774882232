-- The sandbox for money (ADR 0044): reports that a partner asks for, and months that its clock closes.

-- What a partner asked a fictional store to report. The report that is made of it (store_reports) has the same id.
create table sandbox_reports (
  org_id              uuid not null,
  id                  uuid not null,
  store_id            text not null,
  period              text not null check (period ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'), -- the usage month
  kind                text not null
    check (kind in ('normal', 'late', 'restated', 'returns', 'penalty', 'unmatched', 'short_paid')),
  number              integer not null check (number > 0), -- of this store and period; the rows are made from it
  status              text not null
    check (status in ('expected', 'paid', 'short_paid', 'included', 'superseded', 'failed')),
  arrives_at          timestamptz not null, -- business time
  supersedes          uuid, -- the report that this one replaces
  currency            text check (currency ~ '^[A-Z]{3}$'), -- null until it has arrived, as all below
  row_count           integer,
  unmatched_row_count integer,
  reported_amount     numeric(28, 6),
  paid_amount         numeric(28, 6),
  problem             text, -- why it failed
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  actor_type          text not null,
  actor_id            text not null,
  primary key (org_id, id),
  check ((status = 'failed') = (problem is not null))
);
call protect_tenant_table('sandbox_reports');
create unique index sandbox_reports_number on sandbox_reports (org_id, store_id, period, number);
grant select, insert on sandbox_reports to tonearm_app;
grant select on sandbox_reports to tonearm_worker;
grant update (status, currency, row_count, unmatched_row_count, reported_amount, paid_amount, problem, updated_at,
  actor_type, actor_id) on sandbox_reports to tonearm_worker;

-- When the clock of the partner closes the next month. Without a row it closes none.
create table sandbox_closings (
  org_id    uuid primary key,
  closes_at timestamptz not null -- business time
);
call protect_tenant_table('sandbox_closings');
grant select, insert on sandbox_closings to tonearm_app;
grant select, update on sandbox_closings to tonearm_worker;

-- Whether the fictional catalogue has twelve months of royalties.
alter table sandbox_resets add column wants_royalties boolean not null default false;

-- Recordings of the organization that a store had on one of these days. Security definer: store_holdings shows what all
-- organizations have, and tonearm_app has no right on it.
create function held_recordings(store text, first_day date, last_day date, rows_max integer)
  returns table (isrc text, upc text, territories bytea)
  language sql stable security definer set search_path = public, pg_temp as $$
  select distinct on (track.code) track.code, release.code, track.territories
    from store_holdings track
    left join store_holdings release
      on release.org_id = track.org_id and release.store_id = track.store_id and release.delivery_id = track.delivery_id
     and release.held_from = track.held_from and release.track_id is null
   where track.org_id = app_org_id() and track.store_id = store and track.track_id is not null
     and track.held_from < (last_day + 1)::timestamp at time zone 'utc'
     and (track.held_to is null or track.held_to >= first_day::timestamp at time zone 'utc')
   order by track.code, track.held_from, track.delivery_id
   limit rows_max
$$;
revoke execute on function held_recordings(text, date, date, integer) from public;

do $$
begin
  if (select name from environment) = 'sandbox' then
    grant execute on function held_recordings(text, date, date, integer) to tonearm_app, tonearm_worker;
    -- The worker seeds a history of reports.
    grant insert on sandbox_reports, sandbox_closings to tonearm_worker;
    -- In the sandbox no operator looks at the month of a partner: the worker does what operators do in live.
    grant insert on royalty_runs, remittances, remittance_reports to tonearm_worker;
    grant update (approved_by, approved_at, closing_at) on royalty_runs to tonearm_worker;
    grant update (supersedes, supplements) on store_reports to tonearm_worker;
    grant update (status, decision, updated_at, actor_type, actor_id) on remittances to tonearm_worker;
    -- The rates of runs in the sandbox (sandbox-fx-rates.ts).
    insert into fx_rate_sets (id, name, as_of, rates, created_at, actor_type, actor_id)
    values ('00000000-0000-7000-8000-000000000001', 'sandbox', '2020-01-01',
            '{"USD/EUR": "0.9200000000", "EUR/USD": "1.0800000000", "USD/GBP": "0.7900000000", "GBP/USD": "1.2600000000",
              "EUR/GBP": "0.8600000000", "GBP/EUR": "1.1600000000", "USD/JPY": "151.2000000000", "USD/KWD": "0.3075000000"}',
            now(), 'workflow', 'sandbox-royalties');
  end if;
end $$;

-- A reset removes both, and what stores paid.
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
      (35, 'remittance_reports', 'report_id, currency', 'true'),
      -- Payments that complete a first one are removed before it.
      (36, 'remittances', 'id', 'not exists (select from remittances other where other.org_id = $1 and other.completes = remittances.id)'),
      (37, 'report_shares', 'report_id, part_number, partner_org_id, currency', 'true'),
      (38, 'report_parts', 'report_id, kind, number', 'true'),
      (39, 'report_scopes', 'report_id, service, territory, commercial_model, use_type, period_start, period_end', 'true'),
      (40, 'report_totals', 'report_id, currency', 'true'),
      (41, 'report_files', 'report_id, number', 'true'),
      (42, 'store_reports', 'id', 'true'),
      (43, 'royalty_totals', 'statement_id, store_id, territory, release_id, usage_month', 'true'),
      (44, 'royalty_market_totals', 'statement_id, store_id, territory, usage_month, use_type, accounting_month', 'true'),
      (45, 'royalty_track_totals', 'statement_id, track_id, isrc, release_id, usage_month', 'true'),
      (46, 'royalty_label_totals', 'statement_id, label, usage_month', 'true'),
      (47, 'royalty_sections', 'statement_id, first_position', 'true'),
      (48, 'statement_artifacts', 'statement_id, kind, part', 'true'),
      (49, 'statements', 'id', 'true'),
      (50, 'pending_nets', 'run_id, currency', 'true'),
      (51, 'run_totals', 'run_id, statement_id, store_id, territory, release_id, usage_month, bucket', 'true'),
      (52, 'run_market_totals', 'run_id, statement_id, store_id, territory, usage_month, use_type, accounting_month, bucket', 'true'),
      (53, 'run_track_totals', 'run_id, statement_id, track_id, isrc, release_id, usage_month, bucket', 'true'),
      (54, 'run_statements', 'run_id, statement_id', 'true'),
      (55, 'run_buckets', 'run_id, number', 'true'),
      (56, 'run_reversals', 'run_id, paid_statement_id, report_id', 'true'),
      (57, 'royalty_runs', 'id', 'true'),
      (58, 'sandbox_reports', 'id', 'true'),
      (59, 'sandbox_closings', 'org_id', 'true')
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

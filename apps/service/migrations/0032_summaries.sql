-- What partners read of royalties (ADR 0042): totals for summaries, the places of records, and which months stores have reported.

-- Totals that summaries are read from, beside those of 0030. Their number depends on catalogue and market, not on
-- usage; each table adds up to its statement, to the micro.

-- Of a run, by bucket, so that a bucket that is finished again replaces its own rows.
create table run_market_totals (
  org_id            uuid not null,
  run_id            uuid not null,
  bucket            integer not null,
  statement_id      uuid not null,
  store_id          text not null,
  territory         text not null,
  usage_month       text not null,
  use_type          text not null,
  accounting_month  text not null,
  play_count        bigint not null,
  gross_amount      numeric(28, 6) not null,
  fee_amount        numeric(28, 6) not null,
  source_tax_amount numeric(28, 6) not null,
  payee_tax_amount  numeric(28, 6) not null,
  net_amount        numeric(28, 6) not null,
  primary key (org_id, run_id, statement_id, store_id, territory, usage_month, use_type, accounting_month, bucket),
  foreign key (org_id, run_id) references royalty_runs
);
call protect_tenant_table('run_market_totals');

create table run_track_totals (
  org_id            uuid not null,
  run_id            uuid not null,
  bucket            integer not null,
  statement_id      uuid not null,
  track_id          uuid not null,
  isrc              text not null,
  release_id        uuid not null,
  usage_month       text not null,
  play_count        bigint not null,
  gross_amount      numeric(28, 6) not null,
  fee_amount        numeric(28, 6) not null,
  source_tax_amount numeric(28, 6) not null,
  payee_tax_amount  numeric(28, 6) not null,
  net_amount        numeric(28, 6) not null,
  primary key (org_id, run_id, statement_id, track_id, isrc, release_id, usage_month, bucket),
  foreign key (org_id, run_id) references royalty_runs
);
call protect_tenant_table('run_track_totals');

grant select on run_market_totals, run_track_totals to tonearm_operator;
grant select, insert, delete on run_market_totals, run_track_totals to tonearm_worker;

-- Of published statements. The currency is the statement's: sums never mix two.
create table royalty_market_totals (
  org_id            uuid not null,
  statement_id      uuid not null,
  currency          text not null,
  store_id          text not null,
  territory         text not null,
  usage_month       text not null,
  use_type          text not null,
  accounting_month  text not null,
  play_count        bigint not null,
  gross_amount      numeric(28, 6) not null,
  fee_amount        numeric(28, 6) not null,
  source_tax_amount numeric(28, 6) not null,
  payee_tax_amount  numeric(28, 6) not null,
  net_amount        numeric(28, 6) not null,
  primary key (org_id, statement_id, store_id, territory, usage_month, use_type, accounting_month),
  foreign key (org_id, statement_id) references statements
);
call protect_tenant_table('royalty_market_totals');

create table royalty_track_totals (
  org_id            uuid not null,
  statement_id      uuid not null,
  currency          text not null,
  track_id          uuid not null,
  isrc              text not null,
  release_id        uuid not null,
  usage_month       text not null,
  play_count        bigint not null,
  gross_amount      numeric(28, 6) not null,
  fee_amount        numeric(28, 6) not null,
  source_tax_amount numeric(28, 6) not null,
  payee_tax_amount  numeric(28, 6) not null,
  net_amount        numeric(28, 6) not null,
  primary key (org_id, statement_id, track_id, isrc, release_id, usage_month),
  foreign key (org_id, statement_id) references statements
);
call protect_tenant_table('royalty_track_totals');
-- A page of a summary reads only its own tracks or releases.
create index royalty_track_totals_by_track on royalty_track_totals (org_id, track_id, isrc, release_id, currency);
create index royalty_track_totals_by_isrc on royalty_track_totals (org_id, isrc);
create index royalty_track_totals_by_release on royalty_track_totals (org_id, release_id, currency);

-- The label that the release had when the statement was published. '': the release is gone.
create table royalty_label_totals (
  org_id            uuid not null,
  statement_id      uuid not null,
  currency          text not null,
  label             text not null,
  usage_month       text not null,
  play_count        bigint not null,
  gross_amount      numeric(28, 6) not null,
  fee_amount        numeric(28, 6) not null,
  source_tax_amount numeric(28, 6) not null,
  payee_tax_amount  numeric(28, 6) not null,
  net_amount        numeric(28, 6) not null,
  primary key (org_id, statement_id, label, usage_month),
  foreign key (org_id, statement_id) references statements
);
call protect_tenant_table('royalty_label_totals');

-- Where the royalty records of a store, territory and usage month are in the files of their statement: they follow each other.
create table royalty_sections (
  org_id         uuid not null,
  statement_id   uuid not null,
  first_position bigint not null check (first_position > 0),
  record_count   bigint not null check (record_count > 0),
  store_id       text not null,
  territory      text not null,
  usage_month    text not null,
  primary key (org_id, statement_id, first_position),
  foreign key (org_id, statement_id) references statements
);
call protect_tenant_table('royalty_sections');

grant select on royalty_market_totals, royalty_track_totals, royalty_label_totals, royalty_sections to tonearm_app, tonearm_operator;
grant select, insert on royalty_market_totals, royalty_track_totals, royalty_label_totals, royalty_sections
  to tonearm_worker;

-- How many days after the end of a month the store reports it, as it promised.
alter table stores add column report_due_days integer not null default 45 check (report_due_days between 0 and 400);

-- Security definer: reports, payments and runs belong to the system organization in live. It tells which months of a store are
-- reported, paid for and in published statements, which is no fact about a partner; no amounts, and in the sandbox only
-- what is about the own reports. The month of a fiscal period is that of its middle. Of several reports of one month, the one
-- that came least far counts.
create function reported_months() returns table (store_id text, usage_month text, state text)
  language sql stable security definer set search_path = public, pg_temp as $$
  with reports as (
    select report.store_id,
           to_char(report.period_start + (report.period_end - report.period_start) / 2, 'YYYY-MM') as usage_month,
           report.status = 'included' and not exists (
             select from report_parts part
               left join royalty_runs run on run.org_id = part.org_id and run.id = part.run_id
              where part.org_id = report.org_id and part.report_id = report.id and part.kind in ('matched', 'other')
                and run.status is distinct from 'closed') as is_included,
           not exists (
             select from report_totals total
               left join remittance_reports link on link.org_id = total.org_id and link.report_id = total.report_id
                                                and link.currency = total.currency
               left join remittances payment on payment.org_id = link.org_id and payment.id = link.remittance_id
              where total.org_id = report.org_id and total.report_id = report.id
                and not coalesce(payment.status = 'paid' or payment.decision in ('accept', 'prorate'), false)) as is_paid
      from store_reports report
     where report.org_id in ('00000000-0000-0000-0000-000000000000', app_org_id())
       and report.status in ('validated', 'matched', 'included')
  )
  select store_id, usage_month,
         case when bool_and(is_included) then 'included'
              when bool_and(is_included or is_paid) then 'paid'
              else 'reported' end
    from reports group by store_id, usage_month
$$;
revoke execute on function reported_months from public;
grant execute on function reported_months to tonearm_app;
do $$
declare
  name text;
begin
  foreach name in array array['store_reports', 'report_parts', 'report_totals', 'royalty_runs', 'remittances', 'remittance_reports']
  loop
    execute format('create policy owner_lists on %I for select to %I using (true)', name, current_user);
  end loop;
end $$;

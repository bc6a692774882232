-- Runs and statements (ADR 0039). A run belongs to the owner of its reports: the system organization in live, the partner in
-- the sandbox. What it calculates stays in tables of that owner until it is closed; the rows of partners are written then.

create table royalty_runs (
  org_id          uuid not null,
  id              uuid not null,
  statement_month text not null check (statement_month ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'),
  fx_set_id       uuid not null,
  status          text not null check (status in ('draft', 'calculating', 'review', 'approved', 'closed', 'discarded')),
  rules_version   text not null,
  plan            jsonb, -- the parts of reports, the rates, fees and taxes it is calculated with; null: not planned yet
  input_digest    bytea check (length(input_digest) = 32), -- of the plan
  row_count       bigint not null default 0,
  review          jsonb,
  created_by      text not null,
  approved_by     text,
  started_at      timestamptz, -- of the calculation, real time
  approved_at     timestamptz,
  closing_at      timestamptz, -- from here on it cannot be discarded
  closed_at       timestamptz,
  removed_at      timestamptz, -- real time; what a discarded run had calculated is gone
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  actor_type      text not null,
  actor_id        text not null,
  primary key (org_id, id),
  check ((plan is null) = (input_digest is null)),
  check (status in ('draft', 'discarded', 'calculating') or plan is not null),
  check (status not in ('approved', 'closed') or approved_by is not null),
  check (closing_at is null or status in ('approved', 'closed')),
  check ((closed_at is not null) = (status = 'closed')),
  check (removed_at is null or status = 'discarded')
);
call protect_tenant_table('royalty_runs');
-- Runs of one owner follow each other: the next one takes what the last one left.
create unique index royalty_runs_unfinished on royalty_runs (org_id) where closed_at is null and removed_at is null;
create unique index royalty_runs_closed_month on royalty_runs (org_id, statement_month) where status = 'closed';
create index royalty_runs_newest on royalty_runs (org_id, created_at desc, id desc);

create table run_buckets (
  org_id        uuid not null,
  run_id        uuid not null,
  number        integer not null check (number > 0),
  status        text not null check (status in ('planned', 'calculated', 'finished')),
  statements    jsonb not null,
  row_count     bigint not null,
  calculated    jsonb, -- what the first pass found, with the keys of its files
  taxes         jsonb, -- the taxes of each statement part; null until all buckets are calculated
  finished      jsonb, -- what the second pass found
  primary key (org_id, run_id, number),
  foreign key (org_id, run_id) references royalty_runs,
  check ((status = 'planned') = (calculated is null) and (status = 'finished') = (finished is not null))
);
call protect_tenant_table('run_buckets');

create table run_statements (
  org_id          uuid not null,
  run_id          uuid not null,
  statement_id    uuid not null,
  partner_org_id  uuid not null,
  currency        text not null check (currency ~ '^[A-Z]{3}$'),
  gross_amount    numeric(28, 6) not null default 0,
  fee_amount      numeric(28, 6) not null default 0,
  source_tax_amount numeric(28, 6) not null default 0,
  payee_tax_amount numeric(28, 6) not null default 0,
  net_amount      numeric(28, 6) not null default 0
    check (net_amount = gross_amount - fee_amount - source_tax_amount - payee_tax_amount),
  line_item_count bigint not null default 0,
  artifacts       jsonb not null default '[]',
  adjustments     jsonb not null default '[]',
  holds           jsonb not null default '[]', -- what a store has not paid
  is_announced    boolean not null default false, -- its net amount is pending in the balance of the partner
  is_closed       boolean not null default false,
  primary key (org_id, run_id, statement_id),
  foreign key (org_id, run_id) references royalty_runs
);
call protect_tenant_table('run_statements');
create unique index run_statements_partner on run_statements (org_id, run_id, partner_org_id, currency);

-- Per bucket, so that a bucket that is finished again replaces its own rows.
create table run_totals (
  org_id            uuid not null,
  run_id            uuid not null,
  bucket            integer not null,
  statement_id      uuid not null,
  store_id          text not null,
  territory         text not null,
  release_id        uuid not null,
  usage_month       text not null,
  play_count        bigint not null,
  gross_amount      numeric(28, 6) not null,
  fee_amount        numeric(28, 6) not null,
  source_tax_amount numeric(28, 6) not null,
  payee_tax_amount  numeric(28, 6) not null,
  net_amount        numeric(28, 6) not null,
  primary key (org_id, run_id, statement_id, store_id, territory, release_id, usage_month, bucket),
  foreign key (org_id, run_id) references royalty_runs
);
call protect_tenant_table('run_totals');

grant select, insert on royalty_runs to tonearm_operator;
grant update (status, approved_by, approved_at, closing_at, updated_at, actor_type, actor_id) on royalty_runs to tonearm_operator;
grant select on run_buckets, run_statements, run_totals to tonearm_operator;
grant select on royalty_runs to tonearm_worker;
grant update (status, plan, input_digest, row_count, review, started_at, closed_at, removed_at, updated_at, actor_type, actor_id)
  on royalty_runs to tonearm_worker;
grant select, insert, update, delete on run_buckets, run_statements to tonearm_worker;
grant select, insert, delete on run_totals to tonearm_worker;

-- Of a partner. One statement per currency is open; a published one never changes.
create table statements (
  org_id            uuid not null,
  id                uuid not null,
  status            text not null check (status in ('open', 'published')),
  currency          text not null check (currency ~ '^[A-Z]{3}$'),
  period_start      date not null,
  period_end        date not null check (period_end > period_start),
  opening_balance   numeric(28, 6) not null,
  gross_amount      numeric(28, 6) not null default 0,
  fee_amount        numeric(28, 6) not null default 0,
  source_tax_amount numeric(28, 6) not null default 0,
  payee_tax_amount  numeric(28, 6) not null default 0,
  net_amount        numeric(28, 6) not null default 0
    check (net_amount = gross_amount - fee_amount - source_tax_amount - payee_tax_amount),
  adjustment_amount numeric(28, 6) not null default 0,
  payout_amount     numeric(28, 6) not null default 0,
  closing_balance   numeric(28, 6) not null,
  available_amount  numeric(28, 6) not null default 0,
  reserved_amount   numeric(28, 6) not null default 0,
  held_amount       numeric(28, 6) not null default 0,
  line_item_count   bigint not null default 0,
  opening_versions  jsonb not null, -- the last entry of each account that the statement before reached
  closing_versions  jsonb,
  run_id            uuid,
  published_at      timestamptz,
  created_at        timestamptz not null,
  primary key (org_id, id),
  check ((status = 'published') = (published_at is not null)),
  check ((status = 'published') = (closing_versions is not null and run_id is not null)),
  check (status = 'open' or (
    opening_balance + net_amount + adjustment_amount - payout_amount = closing_balance
    and closing_balance = available_amount + reserved_amount + held_amount))
);
call protect_tenant_table('statements');
create unique index statements_open on statements (org_id, currency) where status = 'open';
create unique index statements_period on statements (org_id, currency, period_start);
create index statements_newest on statements (org_id, created_at desc, id desc);

create table statement_artifacts (
  org_id         uuid not null,
  statement_id   uuid not null,
  kind           text not null check (kind in ('items', 'royalties')),
  part           integer not null check (part > 0),
  object_key     text not null,
  size_bytes     bigint not null check (size_bytes > 0),
  sha256         bytea not null check (length(sha256) = 32),
  row_count      bigint not null,
  amount         numeric(28, 6) not null, -- items: the sum of earnings; royalties: of net amounts
  first_position bigint not null, -- of its first row in the statement
  primary key (org_id, statement_id, kind, part),
  foreign key (org_id, statement_id) references statements
);
call protect_tenant_table('statement_artifacts');

create table royalty_totals (
  org_id            uuid not null,
  statement_id      uuid not null,
  store_id          text not null,
  territory         text not null,
  release_id        uuid not null,
  usage_month       text not null,
  play_count        bigint not null,
  gross_amount      numeric(28, 6) not null,
  fee_amount        numeric(28, 6) not null,
  source_tax_amount numeric(28, 6) not null,
  payee_tax_amount  numeric(28, 6) not null,
  net_amount        numeric(28, 6) not null,
  primary key (org_id, statement_id, store_id, territory, release_id, usage_month),
  foreign key (org_id, statement_id) references statements
);
call protect_tenant_table('royalty_totals');

-- Net amounts of approved runs that are not closed: what a balance shows as pending.
create table pending_nets (
  org_id   uuid not null,
  run_id   uuid not null,
  currency text not null,
  amount   numeric(28, 6) not null,
  primary key (org_id, run_id, currency)
);
call protect_tenant_table('pending_nets');

grant select on statements, statement_artifacts, royalty_totals, pending_nets to tonearm_app, tonearm_operator;
grant select, insert on statements, statement_artifacts, royalty_totals, pending_nets to tonearm_worker;
grant delete on pending_nets to tonearm_worker;
grant update (status, period_end, gross_amount, fee_amount, source_tax_amount, payee_tax_amount, net_amount, adjustment_amount,
  payout_amount, closing_balance, available_amount, reserved_amount, held_amount, line_item_count, closing_versions, run_id,
  published_at) on statements to tonearm_worker;
create function refuse_published_statement() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'statement % is published', old.id using errcode = 'integrity_constraint_violation';
end $$;
create trigger refuse_published_statement before update on statements
  for each row when (old.status = 'published') execute function refuse_published_statement();

-- The statement in which an adjustment is counted; null: the open one.
alter table adjustments add column statement_id uuid;
create index adjustments_of_open_statement on adjustments (org_id, currency) where statement_id is null;
grant update (statement_id) on adjustments to tonearm_worker;

-- Security definer: a run plans the statements of all partners, and row-level security shows one organization at a time.
-- Every (organization, currency) that has an open statement, or money. The run of a partner in the sandbox is about itself.
create function statements_of_run() returns table (org_id uuid, currency text, statement_id uuid)
  language sql stable security definer set search_path = public, pg_temp as $$
  with recursive accounts as (
    (select entry.org_id, entry.currency, entry.account from ledger_entries entry
      order by entry.org_id, entry.currency, entry.account limit 1)
    union all
    select next.org_id, next.currency, next.account from accounts before, lateral (
      select entry.org_id, entry.currency, entry.account from ledger_entries entry
       where (entry.org_id, entry.currency, entry.account) > (before.org_id, before.currency, before.account)
       order by entry.org_id, entry.currency, entry.account limit 1) next
  ), candidates as (
    select accounts.org_id, accounts.currency from accounts where account in ('payable', 'payout_reserved', 'held')
    union
    -- Published ones too: a run may take back what one of them paid, also if its net was zero.
    select statements.org_id, statements.currency from statements
  )
  select candidates.org_id, candidates.currency, open.id
    from candidates
    left join statements open on open.org_id = candidates.org_id and open.currency = candidates.currency
                             and open.status = 'open'
   where candidates.org_id <> '00000000-0000-0000-0000-000000000000'
     and app_org_id() in ('00000000-0000-0000-0000-000000000000', candidates.org_id)
$$;
revoke execute on function statements_of_run from public;
grant execute on function statements_of_run to tonearm_worker;
do $$
begin
  execute format('create policy owner_lists on statements for select to %I using (true)', current_user);
end $$;

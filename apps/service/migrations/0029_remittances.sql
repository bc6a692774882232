-- What stores really paid, and the rules of a run: exchange rates, fees, taxes of payees (ADR 0038).

-- When a report of the store may enter a run: when it is read, or when the store has paid it.
alter table stores add column pay_on text not null default 'remittance' check (pay_on in ('report', 'remittance'));

-- What the statements of an organization are in. After a change, old balances stay in the old currency.
alter table organizations add column statement_currency text not null default 'USD'
  check (statement_currency ~ '^[A-Z]{3}$');

-- One payment of a store. The first one names its reports and says whether they are paid; another one may complete it.
create table remittances (
  org_id           uuid not null,
  id               uuid not null,
  completes        uuid, -- the first payment of the same reports; null: this is the first
  store_id         text not null,
  reference        text not null check (char_length(reference) between 1 and 200), -- of the bank
  currency         text not null check (currency ~ '^[A-Z]{3}$'),
  amount           numeric(28, 6) not null check (amount > 0), -- gross: what the store paid, and what it withheld
  source_tax       numeric(28, 6) not null check (source_tax >= 0 and source_tax <= amount),
  settled_currency text not null check (settled_currency ~ '^[A-Z]{3}$'),
  settled_amount   numeric(28, 6) not null check (settled_amount >= 0), -- before the bank's fee
  bank_fee         numeric(28, 6) not null check (bank_fee >= 0 and bank_fee <= settled_amount), -- in the settled currency
  value_date       date not null,
  due_amount       numeric(28, 10), -- of the reports; null: of the payment that this one completes
  status           text check (status in ('paid', 'short', 'over')),
  decision         text check (decision in ('wait', 'accept', 'prorate')),
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  actor_type       text not null,
  actor_id         text not null,
  primary key (org_id, id),
  foreign key (org_id, completes) references remittances (org_id, id),
  check ((source_tax = amount) = (settled_amount = 0)),
  check (currency <> settled_currency or settled_amount = amount - source_tax),
  check ((completes is null) = (status is not null) and (completes is null) = (due_amount is not null)),
  check (decision is null or completes is null),
  check (decision is distinct from 'prorate' or status <> 'over')
);
call protect_tenant_table('remittances');
-- Recording the same payment again answers the first record.
create unique index remittances_reference on remittances (org_id, store_id, reference);
create index remittances_newest on remittances (org_id, created_at desc, id desc);
create index remittances_completing on remittances (org_id, completes) where completes is not null;

-- A report is paid in one currency by one first payment, and by those that complete it.
create table remittance_reports (
  org_id        uuid not null,
  report_id     uuid not null,
  currency      text not null,
  remittance_id uuid not null,
  primary key (org_id, report_id, currency),
  foreign key (org_id, remittance_id) references remittances (org_id, id),
  foreign key (org_id, report_id, currency) references report_totals
);
call protect_tenant_table('remittance_reports');
create index remittance_reports_of_remittance on remittance_reports (org_id, remittance_id);

grant select, insert on remittances, remittance_reports to tonearm_operator;
grant update (status, decision, updated_at, actor_type, actor_id) on remittances to tonearm_operator;
grant select on remittances, remittance_reports to tonearm_worker;

-- The rules below are not tenant tables: operators set them, and a run reads those of all organizations.

-- Immutable: other rates are another set.
create table fx_rate_sets (
  id         uuid primary key,
  name       text not null check (char_length(name) between 1 and 100),
  as_of      date not null,
  rates      jsonb not null, -- {"EUR/USD": "1.0800000000"}: one euro is 1.08 dollars
  created_at timestamptz not null,
  actor_type text not null,
  actor_id   text not null
);
create unique index fx_rate_sets_name on fx_rate_sets (name);
grant select, insert on fx_rate_sets to tonearm_operator;
grant select on fx_rate_sets to tonearm_worker;

create table fee_rules (
  id             uuid primary key,
  partner_org_id uuid not null, -- the system organization: for organizations without a rule of their own
  store_id       text, -- null: all stores
  use_type       text check (use_type in ('ad_supported_stream', 'subscription_stream', 'download', 'ugc')), -- null: all
  basis_points   integer not null check (basis_points between 0 and 10000),
  valid_from     text not null check (valid_from ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'), -- the first usage month
  valid_to       text check (valid_to ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$' and valid_to >= valid_from), -- the last; null: no end
  updated_at     timestamptz not null,
  actor_type     text not null,
  actor_id       text not null,
  check (partner_org_id <> '00000000-0000-0000-0000-000000000000' or (store_id is null and use_type is null))
);
create unique index fee_rules_start on fee_rules (partner_org_id, store_id, use_type, valid_from) nulls not distinct;
grant select, insert on fee_rules to tonearm_operator;
grant update (basis_points, valid_to, updated_at, actor_type, actor_id) on fee_rules to tonearm_operator;
grant select on fee_rules to tonearm_worker;

create table withholding_rules (
  id               uuid primary key,
  source_territory text not null check (source_territory ~ '^[A-Z]{2}$'),
  income_type      text not null check (income_type in ('royalty', 'sale')),
  payee_country    text check (payee_country ~ '^[A-Z]{2}$'), -- null: every country
  requires_form    boolean not null, -- only for payees with a valid tax form
  basis_points     integer not null check (basis_points between 0 and 10000),
  valid_from       text not null check (valid_from ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'), -- the first statement month
  valid_to         text check (valid_to ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$' and valid_to >= valid_from),
  updated_at       timestamptz not null,
  actor_type       text not null,
  actor_id         text not null
);
create unique index withholding_rules_start
  on withholding_rules (source_territory, income_type, payee_country, requires_form, valid_from) nulls not distinct;
grant select, insert on withholding_rules to tonearm_operator;
grant update (basis_points, valid_to, updated_at, actor_type, actor_id) on withholding_rules to tonearm_operator;
grant select on withholding_rules to tonearm_worker;

-- Security definer: row-level security shows a worker one organization at a time, and a run pays thousands. It returns
-- what a run calculates with and nothing else of the tax profile.
create function payees_of_run(org_ids uuid[])
  returns table (org_id uuid, statement_currency text, residence text, form text, expires_on date)
  language sql stable security definer set search_path = public, pg_temp as $$
  select organizations.org_id, statement_currency, residence, form, expires_on
    from organizations left join tax_profiles using (org_id)
   where organizations.org_id = any (org_ids)
$$;
revoke execute on function payees_of_run from public;
grant execute on function payees_of_run to tonearm_worker;
-- An owner that is not a superuser is under forced row-level security: it would find no payee.
do $$
begin
  execute format('create policy owner_lists on organizations for select to %I using (true)', current_user);
  execute format('create policy owner_lists on tax_profiles for select to %I using (true)', current_user);
end $$;

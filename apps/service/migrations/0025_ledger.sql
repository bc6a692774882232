-- The ledger (ADR 0035): double entry, append only, with accounts per organization and currency.
--
-- Roles may read it, and post with the functions below; none may insert, update, delete or truncate. A posting is one row
-- of ledger_transactions and two or more entries, whose amounts are zero in total per currency. The entries of an account
-- have versions from 1 without a gap, and each has the balance after it: the last entry of an account is its balance.

create table ledger_transactions (
  org_id     uuid not null,
  id         uuid not null,
  key        text not null check (char_length(key) between 1 and 200), -- names the cause, which is posted once
  created_at timestamptz not null, -- business time
  stored_at  timestamptz not null default now(),
  actor_type text not null,
  actor_id   text not null,
  primary key (org_id, id)
);
call protect_tenant_table('ledger_transactions');
create unique index ledger_transactions_key on ledger_transactions (org_id, key);

-- Without a foreign key: only insert_postings() adds entries, and it adds their transaction with them.
create table ledger_entries (
  org_id         uuid not null,
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  account        text not null check (account in (
    'payable', 'payout_reserved', 'held', 'store_receivable', 'cash', 'fee_income', 'withholding_payable', 'rail_fees',
    'bank_fees', 'fx_clearing', 'fx_gain_loss', 'clearing', 'suspense')),
  version        bigint not null check (version > 0),
  transaction_id uuid not null,
  amount         numeric(28, 6) not null check (amount <> 0),
  balance_after  numeric(28, 6) not null,
  primary key (org_id, currency, account, version)
);
call protect_tenant_table('ledger_entries');
create unique index ledger_entries_of_transaction on ledger_entries (org_id, transaction_id, currency, account);

grant select on ledger_transactions, ledger_entries to tonearm_app, tonearm_operator, tonearm_worker;

-- At the commit, when all entries are there. Most postings have one currency, and a run has thousands of postings: the
-- grouped query, which takes as long as the first one, runs only for the others.
create function check_ledger_transaction() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
declare
  entries bigint;
  total numeric;
  has_one_currency boolean;
begin
  select count(*), sum(amount), min(currency) = max(currency) into entries, total, has_one_currency
    from ledger_entries where org_id = new.org_id and transaction_id = new.id;
  if entries >= 2 and total = 0 then
    if has_one_currency then
      return null;
    end if;
    perform from ledger_entries where org_id = new.org_id and transaction_id = new.id
      group by currency having sum(amount) <> 0;
    if not found then
      return null;
    end if;
  end if;
  raise exception 'transaction % of the ledger is not balanced', new.key using errcode = 'check_violation';
end $$;
create constraint trigger check_ledger_transaction after insert on ledger_transactions
  deferrable initially deferred for each row execute function check_ledger_transaction();

-- Advisory locks, because FOR UPDATE would need the privilege to update. A posting waits for others of its
-- organization; a run waits for all postings and stops them while it inserts a batch. Both take the lock of all
-- organizations first, so they cannot deadlock.
create function lock_ledger() returns void
  language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger', 0));
  perform pg_advisory_xact_lock(hashtextextended(app_org_id()::text, 1));
end $$;
create function lock_all_ledgers() returns void
  language sql
  begin atomic select pg_advisory_xact_lock(hashtextextended('ledger', 0)); end;

-- The only way into the ledger. An entry is the next version of its account, and its balance continues the last one. An
-- account occurs once among the entries of a call: a second one would have the same version, which the primary key
-- refuses. posting_numbers are the positions in ids, from 1, of the posting of each entry.
create function insert_postings(
  org_ids uuid[], ids uuid[], keys text[], created_at timestamptz, actor_type text, actor_id text,
  posting_numbers int[], currencies text[], accounts text[], amounts numeric[]) returns void
  -- One plan for calls of every size: index look-ups.
  language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  insert into ledger_transactions (org_id, id, key, created_at, actor_type, actor_id)
  select posting.org_id, posting.id, posting.key,
         insert_postings.created_at, insert_postings.actor_type, insert_postings.actor_id
    from unnest(org_ids, ids, keys) as posting (org_id, id, key);
  insert into ledger_entries (org_id, currency, account, version, transaction_id, amount, balance_after)
  select org_ids[added.posting_number], added.currency, added.account, coalesce(last.version, 0) + 1,
         ids[added.posting_number], added.amount, coalesce(last.balance_after, 0) + added.amount
    from unnest(posting_numbers, currencies, accounts, amounts) as added (posting_number, currency, account, amount)
    left join lateral (
      select version, balance_after from ledger_entries entry
       where entry.org_id = org_ids[added.posting_number] and entry.currency = added.currency
         and entry.account = added.account
       order by version desc limit 1
    ) last on true;
end $$;

-- Posts to the organization of the transaction, and to no other.
create function post_to_ledger(
  id uuid, key text, created_at timestamptz, actor_type text, actor_id text,
  currencies text[], accounts text[], amounts numeric[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_ledger();
  perform insert_postings(array[app_org_id()], array[id], array[key], created_at, actor_type, actor_id,
    array_fill(1, array[cardinality(accounts)]), currencies, accounts, amounts);
end $$;

-- A run posts the statements of many organizations at once.
create function post_to_ledgers(
  org_ids uuid[], ids uuid[], keys text[], created_at timestamptz, actor_type text, actor_id text,
  posting_numbers int[], currencies text[], accounts text[], amounts numeric[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_all_ledgers();
  perform insert_postings(org_ids, ids, keys, created_at, actor_type, actor_id,
    posting_numbers, currencies, accounts, amounts);
end $$;
revoke execute on function insert_postings, post_to_ledger, post_to_ledgers from public;
grant execute on function post_to_ledger to tonearm_app, tonearm_operator, tonearm_worker;
grant execute on function post_to_ledgers to tonearm_worker;

-- How far `ledger verify` has checked each account: the next verification starts there.
create table ledger_verifications (
  org_id      uuid not null,
  currency    text not null,
  account     text not null,
  version     bigint not null,
  balance     numeric(28, 6) not null,
  verified_at timestamptz not null default now(),
  primary key (org_id, currency, account, version)
);
call protect_tenant_table('ledger_verifications');
grant select, insert on ledger_verifications to tonearm_operator;

-- Security definer: row-level security shows an operator one organization at a time, and `ledger verify` needs a list of
-- all that have a row, also of one whose entries or transactions were all deleted.
create function organizations_with_ledger() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  with recursive of_entries as (
    (select org_id from ledger_entries order by org_id limit 1)
    union all
    select next.org_id from of_entries before, lateral (
      select org_id from ledger_entries where org_id > before.org_id order by org_id limit 1) next
  ), of_transactions as (
    (select org_id from ledger_transactions order by org_id limit 1)
    union all
    select next.org_id from of_transactions before, lateral (
      select org_id from ledger_transactions where org_id > before.org_id order by org_id limit 1) next
  )
  select org_id from of_entries union select org_id from of_transactions
$$;
revoke execute on function organizations_with_ledger() from public;
-- An owner that is not a superuser is under forced row-level security: it would list nothing, and post for no run.
do $$
begin
  execute format('create policy owner_lists on ledger_entries for select to %I using (true)', current_user);
  execute format('create policy owner_lists on ledger_transactions for select to %I using (true)', current_user);
  execute format('create policy owner_posts on ledger_entries for insert to %I with check (true)', current_user);
  execute format('create policy owner_posts on ledger_transactions for insert to %I with check (true)', current_user);
end $$;
grant execute on function organizations_with_ledger() to tonearm_operator;

-- Corrections of a balance, never changed once they are made.
create table adjustments (
  org_id       uuid not null,
  id           uuid not null,
  type         text not null check (type in (
    'penalty', 'return', 'chargeback', 'correction', 'non_track_income', 'tax', 'manual')),
  currency     text not null,
  gross_amount numeric(28, 6) not null,
  fee_amount   numeric(28, 6) not null,
  tax_amount   numeric(28, 6) not null,
  amount       numeric(28, 6) not null check (amount <> 0 and amount = gross_amount - fee_amount - tax_amount),
  reason       text not null check (char_length(reason) between 1 and 500),
  refers_to    text, -- the id of what it corrects: stm_…, hld_…, pay_…
  created_at   timestamptz not null,
  actor_type   text not null,
  actor_id     text not null,
  primary key (org_id, id)
);
call protect_tenant_table('adjustments');
create index adjustments_newest on adjustments (org_id, created_at desc, id desc);
grant select on adjustments to tonearm_app;
grant select, insert on adjustments to tonearm_operator, tonearm_worker;

-- Earnings of one line that are not payable for now; the rest of the balance stays payable.
create table earning_holds (
  org_id       uuid not null,
  id           uuid not null,
  status       text not null check (status in ('held', 'released', 'forfeited')),
  reason       text not null check (reason in ('artificial_streaming', 'rights_conflict', 'store_dispute', 'manual')),
  currency     text not null,
  amount       numeric(28, 6) not null check (amount > 0),
  store_id     text,
  isrc         text,
  period_start date,
  period_end   date,
  evidence     text,
  review_by    date,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  actor_type   text not null,
  actor_id     text not null,
  primary key (org_id, id),
  check ((period_start is null) = (period_end is null) and period_start <= period_end)
);
call protect_tenant_table('earning_holds');
create index earning_holds_newest on earning_holds (org_id, created_at desc, id desc);
create index earning_holds_by_status on earning_holds (org_id, status, created_at desc, id desc);
grant select on earning_holds to tonearm_app;
grant select, insert on earning_holds to tonearm_operator, tonearm_worker;
grant update (status, updated_at, actor_type, actor_id) on earning_holds to tonearm_operator, tonearm_worker;

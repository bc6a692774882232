-- Payouts: where money is sent, what must be known about the payee, and each payout with its holds (ADR 0036).

-- Where payouts go. The details (account numbers, holder) are sealed: only the worker opens them, to send a payment.
create table payout_methods (
  org_id         uuid not null,
  id             uuid not null,
  type           text not null check (type in ('bank_account', 'wallet')),
  country        text not null check (country ~ '^[A-Z]{2}$'),
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  last_four      text not null check (char_length(last_four) between 1 and 4),
  sealed_details bytea not null,
  status         text not null check (status in ('pending_approval', 'active', 'removed')),
  usable_from    timestamptz, -- business time, 72 h after it became active; null until then
  requested_by   text not null, -- the id of the actor that created it
  approved_by    text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  actor_type     text not null,
  actor_id       text not null,
  primary key (org_id, id)
);
call protect_tenant_table('payout_methods');
create index payout_methods_newest on payout_methods (org_id, created_at desc, id desc);
grant select, insert on payout_methods to tonearm_app;
grant update (status, usable_from, approved_by, updated_at, actor_type, actor_id) on payout_methods to tonearm_app;
grant select on payout_methods to tonearm_operator, tonearm_worker;

create table tax_profiles (
  org_id        uuid not null primary key,
  residence     text not null check (residence ~ '^[A-Z]{2}$'),
  form          text not null check (form in ('w9', 'w8ben', 'w8bene', 'none')),
  tin_last_four text,
  sealed_tin    bytea,
  signed_on     date,
  expires_on    date, -- the last day of the third year after the signature; null: it does not expire
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  actor_type    text not null,
  actor_id      text not null,
  check ((sealed_tin is null) = (tin_last_four is null))
);
call protect_tenant_table('tax_profiles');
grant select, insert, update on tax_profiles to tonearm_app;
grant select on tax_profiles to tonearm_operator, tonearm_worker;

-- Without a row: manual payouts, the usual minimum, no dual control.
create table payout_settings (
  org_id              uuid not null primary key,
  mode                text not null default 'manual' check (mode in ('manual', 'monthly')),
  minimum             jsonb not null default '{}', -- amounts by currency, at least the usual minimum
  has_dual_control    boolean not null default false, -- only an operator changes it
  next_payout_at      timestamptz, -- business time; the next automatic payout of the mode monthly
  monthly_timer       uuid, -- its timer
  updated_at          timestamptz not null,
  actor_type          text not null,
  actor_id            text not null
);
call protect_tenant_table('payout_settings');
grant select on payout_settings to tonearm_app, tonearm_operator, tonearm_worker;
grant insert (org_id, mode, minimum, next_payout_at, monthly_timer, updated_at, actor_type, actor_id),
      update (mode, minimum, next_payout_at, monthly_timer, updated_at, actor_type, actor_id)
  on payout_settings to tonearm_app;
grant update (next_payout_at, monthly_timer) on payout_settings to tonearm_worker;
grant insert on payout_settings to tonearm_operator;
grant update (has_dual_control, updated_at, actor_type, actor_id) on payout_settings to tonearm_operator;

-- Rates for payouts in another currency than their method. Not a tenant table: operators set them for all.
create table fx_rates (
  from_currency text not null,
  to_currency   text not null,
  rate          numeric(20, 10) not null check (rate > 0),
  set_at        timestamptz not null default now(),
  primary key (from_currency, to_currency)
);
grant select on fx_rates to tonearm_app, tonearm_worker;
grant select, insert, update on fx_rates to tonearm_operator;

create table payouts (
  org_id               uuid not null,
  id                   uuid not null,
  status               text not null check (status in (
    'pending', 'on_hold', 'processing', 'in_transit', 'paid', 'failed', 'returned', 'canceled')),
  currency             text not null,
  amount               numeric(28, 6) not null check (amount > 0),
  fee_amount           numeric(28, 6) not null check (fee_amount >= 0 and fee_amount < amount),
  fee_bearer           text not null check (fee_bearer in ('payee', 'house')),
  destination_currency text not null,
  fx_rate              numeric(20, 10), -- null: the currencies are the same
  destination_amount   numeric(28, 6) not null check (destination_amount > 0),
  payout_method_id     uuid not null,
  destination          jsonb not null, -- the method as partners read it, when the payout was created
  retry_of             uuid,
  statement_ids        uuid[] not null,
  failure_code         text,
  rail_reference       text,
  arrives_on           date,
  cut_off_at           timestamptz not null, -- business time
  expires_at           timestamptz not null, -- business time; later by the time that a compliance hold was open
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  actor_type           text not null,
  actor_id             text not null,
  primary key (org_id, id),
  foreign key (org_id, payout_method_id) references payout_methods (org_id, id),
  foreign key (org_id, retry_of) references payouts (org_id, id)
);
call protect_tenant_table('payouts');
create index payouts_newest on payouts (org_id, created_at desc, id desc);
create index payouts_by_status on payouts (org_id, status, created_at desc, id desc);
create unique index payouts_retried_once on payouts (org_id, retry_of) where retry_of is not null;
grant select, insert on payouts to tonearm_app, tonearm_worker;
grant select on payouts to tonearm_operator;
grant update (status, failure_code, rail_reference, arrives_on, cut_off_at, expires_at, updated_at, actor_type, actor_id)
  on payouts to tonearm_app, tonearm_operator, tonearm_worker;

create table payout_holds (
  org_id       uuid not null,
  id           uuid not null,
  payout_id    uuid not null,
  reason       text not null check (reason in (
    'identity_verification', 'compliance_review', 'tax_form_missing', 'payout_method_changed', 'manual')),
  since        timestamptz not null, -- business time
  requirements jsonb not null,
  due_by       timestamptz,
  resolution   text check (resolution in ('released', 'rejected', 'canceled')), -- null: the hold is open
  resolved_at  timestamptz,
  actor_type   text not null,
  actor_id     text not null,
  primary key (org_id, id),
  foreign key (org_id, payout_id) references payouts (org_id, id) on delete cascade,
  check ((resolution is null) = (resolved_at is null))
);
call protect_tenant_table('payout_holds');
create index payout_holds_of_payout on payout_holds (org_id, payout_id, since, id);
-- A payout has one open hold of a reason.
create unique index payout_holds_open on payout_holds (org_id, payout_id, reason) where resolution is null;
create index payout_holds_open_by_reason on payout_holds (org_id, reason) where resolution is null;
grant select, insert on payout_holds to tonearm_app, tonearm_operator, tonearm_worker;
grant update (resolution, resolved_at, actor_type, actor_id) on payout_holds
  to tonearm_app, tonearm_operator, tonearm_worker;

create table payout_transitions (
  org_id      uuid not null,
  payout_id   uuid not null,
  number      integer not null check (number > 0),
  from_status text,
  to_status   text not null,
  cause       text not null, -- for example created, hold_opened, cut_off, rail_accepted
  at          timestamptz not null, -- business time
  actor_type  text not null,
  actor_id    text not null,
  primary key (org_id, payout_id, number),
  foreign key (org_id, payout_id) references payouts (org_id, id) on delete cascade
);
call protect_tenant_table('payout_transitions');
grant select, insert on payout_transitions to tonearm_app, tonearm_operator, tonearm_worker;

-- Payee and destination are screened when a payout is created, and again at its cut-off.
create table payout_screenings (
  org_id    uuid not null,
  payout_id uuid not null,
  stage     text not null check (stage in ('created', 'cut_off')),
  number    integer not null check (number > 0), -- a payout can come to its cut-off several times
  result    text not null check (result in ('clear', 'review')),
  at        timestamptz not null,
  primary key (org_id, payout_id, stage, number),
  foreign key (org_id, payout_id) references payouts (org_id, id) on delete cascade
);
call protect_tenant_table('payout_screenings');
grant select, insert on payout_screenings to tonearm_app, tonearm_operator, tonearm_worker;

-- Each time the rail was asked: to send a payment, or what has become of one. Always under the id of the payout.
create table payout_attempts (
  org_id    uuid not null,
  payout_id uuid not null,
  number    integer not null check (number > 0),
  action    text not null check (action in ('send', 'ask')),
  outcome   text not null check (outcome in ('accepted', 'refused', 'unknown', 'in_transit', 'confirmed', 'bounced', 'not_found')),
  detail    text,
  at        timestamptz not null,
  primary key (org_id, payout_id, number),
  foreign key (org_id, payout_id) references payouts (org_id, id) on delete cascade
);
call protect_tenant_table('payout_attempts');
grant select, insert on payout_attempts to tonearm_worker;
grant select on payout_attempts to tonearm_operator;

-- Scenarios of the sandbox script payouts too. The step that a payout met: asked again, it meets the same step.
alter table sandbox_scenarios drop constraint sandbox_scenarios_message_check;
alter table sandbox_scenarios add constraint sandbox_scenarios_message_check
  check (message in ('deliver', 'update', 'takedown', 'payout'));
create table sandbox_payout_steps (
  org_id      uuid not null,
  payout_id   uuid not null,
  scenario_id uuid not null,
  number      integer not null, -- of the step within the scenario
  step        jsonb not null, -- kept, because the scenario may be deleted
  primary key (org_id, payout_id),
  foreign key (org_id, payout_id) references payouts (org_id, id) on delete cascade
);
call protect_tenant_table('sandbox_payout_steps');
create index sandbox_payout_steps_of_scenario on sandbox_payout_steps (org_id, scenario_id, number);
grant select, insert on sandbox_payout_steps to tonearm_app, tonearm_worker;

-- Who can use an OAuth client: every credential that ever made a secret of it. An approval of a payout method asks for
-- it, so it stays when a secret is revoked. Earlier secrets are not in it; the makers of those that still work are in
-- oauth_client_secrets.
alter table oauth_clients add column secret_makers text[] not null default '{}';
grant update (secret_makers) on oauth_clients to tonearm_app, tonearm_operator;

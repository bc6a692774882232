-- Reports of stores (ADR 0037): what was used, and what a store says that it owes. A report belongs to the system
-- organization in live, and to the partner itself in the sandbox. Its rows are files on the object store; PostgreSQL has
-- what is decided about them.

create table store_reports (
  org_id          uuid not null,
  id              uuid not null,
  store_id        text not null,
  format          text not null check (format in ('dsr', 'fiscal_csv', 'plain_csv')),
  status          text not null check (status in ('received', 'validated', 'rejected', 'matched', 'included', 'superseded')),
  message_id      text check (char_length(message_id) between 1 and 200), -- the store's own id of the report
  set_digest      bytea not null check (length(set_digest) = 32), -- over the digests of its uncompressed files, sorted
  period_start    date, -- of the usage; null until it is read
  period_end      date,
  rejection       jsonb, -- {code, message, file, line}
  rows_read       bigint not null default 0,
  rows_matched    bigint not null default 0,
  rows_suspense   bigint not null default 0,
  rows_rejected   bigint not null default 0,
  overlaps_with   uuid[] not null default '{}', -- live reports about the same usage, found when it was read
  supersedes      uuid[] not null default '{}', -- what the operator decided about each of them
  supplements     uuid[] not null default '{}',
  progress        jsonb, -- of the reading that runs: {stage, done, total, startedAt, at}, in real time
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  actor_type      text not null,
  actor_id        text not null,
  primary key (org_id, id),
  check ((status = 'rejected') = (rejection is not null)),
  check (status in ('received', 'rejected') or (period_start is not null and period_end is not null)),
  check (status in ('received', 'rejected') or rows_read = rows_matched + rows_suspense + rows_rejected)
);
call protect_tenant_table('store_reports');
-- The same files, also under other names, are the same report. A rejected one can be sent again: the cause may have been
-- ours, or the report that it collided with is rejected by now.
create unique index store_reports_set_digest on store_reports (org_id, store_id, set_digest) where status <> 'rejected';
create unique index store_reports_message_id on store_reports (org_id, store_id, message_id) where status <> 'rejected';
create index store_reports_newest on store_reports (org_id, created_at desc, id desc);
-- What waits: for its reading, or for a decision.
create index store_reports_waiting on store_reports (org_id, created_at) where status in ('received', 'validated');

create table report_files (
  org_id     uuid not null,
  report_id  uuid not null,
  number     integer not null check (number between 1 and 10000),
  name       text not null check (char_length(name) between 1 and 500), -- as the store named it
  object_key text not null,
  size_bytes bigint not null check (size_bytes > 0), -- as stored, perhaps compressed
  sha256     bytea not null check (length(sha256) = 32), -- of the uncompressed file
  primary key (org_id, report_id, number),
  foreign key (org_id, report_id) references store_reports
);
call protect_tenant_table('report_files');

-- Per currency of accounting: the amounts of rows, and what the report declares. Source amounts have ten decimals.
create table report_totals (
  org_id            uuid not null,
  report_id         uuid not null,
  currency          text not null check (currency ~ '^[A-Z]{3}$'),
  declared_amount   numeric(28, 10), -- null: the format declares no total
  matched_amount    numeric(28, 10) not null,
  suspense_amount   numeric(28, 10) not null,
  rejected_amount   numeric(28, 10) not null,
  other_amount      numeric(28, 10) not null, -- fines and fees without usage, which become adjustments
  primary key (org_id, report_id, currency),
  foreign key (org_id, report_id) references store_reports
);
call protect_tenant_table('report_totals');

-- What a report is about. Two live reports with an equal scope and overlapping periods may pay the same usage twice.
create table report_scopes (
  org_id           uuid not null,
  report_id        uuid not null,
  store_id         text not null,
  service          text not null,
  territory        text not null check (territory ~ '^[A-Z]{2}$'),
  commercial_model text not null,
  use_type         text not null,
  period_start     date not null,
  period_end       date not null,
  primary key (org_id, report_id, service, territory, commercial_model, use_type, period_start, period_end),
  foreign key (org_id, report_id) references store_reports
);
call protect_tenant_table('report_scopes');
create index report_scopes_overlap on report_scopes (org_id, store_id, service, territory, commercial_model, use_type, period_end);

-- The rows of a report as Parquet files, written once. A matched part enters one run.
create table report_parts (
  org_id     uuid not null,
  report_id  uuid not null,
  kind       text not null check (kind in ('matched', 'other', 'suspense', 'rejected')),
  number     integer not null check (number > 0),
  object_key text not null,
  size_bytes bigint not null check (size_bytes > 0),
  sha256     bytea not null check (length(sha256) = 32),
  row_count  bigint not null check (row_count > 0),
  run_id     uuid, -- the run that has paid it; null: none yet
  primary key (org_id, report_id, kind, number),
  foreign key (org_id, report_id) references store_reports
);
call protect_tenant_table('report_parts');

-- How much of a report belongs to which partner: for the plan of a run and for its review.
create table report_shares (
  org_id         uuid not null,
  report_id      uuid not null,
  part_number    integer not null, -- of the matched part
  partner_org_id uuid not null,
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  row_count      bigint not null check (row_count > 0),
  amount         numeric(28, 10) not null,
  primary key (org_id, report_id, part_number, partner_org_id, currency),
  foreign key (org_id, report_id) references store_reports
);
call protect_tenant_table('report_shares');

grant select, insert on store_reports, report_files to tonearm_operator, tonearm_worker;
grant select, insert on report_totals, report_scopes, report_parts, report_shares to tonearm_worker;
grant select on report_totals, report_scopes, report_parts, report_shares to tonearm_operator;
grant update (status, message_id, period_start, period_end, rejection, rows_read, rows_matched, rows_suspense,
  rows_rejected, overlaps_with, progress, updated_at, actor_type, actor_id) on store_reports to tonearm_worker;
grant update (status, rejection, supersedes, supplements, updated_at, actor_type, actor_id)
  on store_reports to tonearm_operator;
grant update (run_id) on report_parts to tonearm_worker;

-- A row about a whole release is divided over the tracks that the store has.
create index store_holdings_by_release on store_holdings (release_id, store_id);

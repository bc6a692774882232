-- Submissions and their review (spec §3.1, §4.1; contract §2, §3).
create table submissions (
  org_id        uuid not null,
  id            uuid not null,
  release_id    uuid not null,
  revision      integer not null,
  submitted_at  timestamptz not null,
  review_status text not null check (review_status in ('pending', 'approved', 'rejected')),
  findings      jsonb not null,
  decided_at    timestamptz,
  actor_type    text not null,
  actor_id      text not null,
  primary key (org_id, id),
  foreign key (org_id, release_id) references releases (org_id, id),
  check ((review_status = 'pending') = (decided_at is null))
);
call protect_tenant_table('submissions');
create index submissions_of_release on submissions (org_id, release_id, id);
create index submissions_pending on submissions (org_id, id) where review_status = 'pending';
grant select, insert on submissions to tonearm_app;
grant select, update (review_status, findings, decided_at, actor_type, actor_id) on submissions
  to tonearm_worker, tonearm_operator;

-- The latest one, as the release shows it.
alter table releases add column submission jsonb;

-- The release whole, as it was when somebody relied on it: submitted, delivered, resubmitted, updated.
create table release_snapshots (
  org_id     uuid not null,
  release_id uuid not null,
  revision   integer not null,
  snapshot   jsonb not null,
  created_at timestamptz not null,
  primary key (org_id, release_id, revision),
  foreign key (org_id, release_id) references releases (org_id, id)
);
call protect_tenant_table('release_snapshots');
grant select, insert on release_snapshots to tonearm_app;
grant select on release_snapshots to tonearm_worker, tonearm_operator;

alter table organizations add column manual_review boolean not null default false;

-- The review decides on releases.
grant select, update (status, submission, updated_at, actor_type, actor_id) on releases
  to tonearm_worker, tonearm_operator;
grant insert (org_id, id, type, data, created_at) on events to tonearm_operator;

-- Proofs and documents of statements (ADR 0043).

-- The PDF of a statement is a file of it like the others: `row_count` is its number of pages, `amount` is zero.
alter table statement_artifacts drop constraint statement_artifacts_kind_check;
alter table statement_artifacts add constraint statement_artifacts_kind_check
  check (kind in ('items', 'royalties', 'document'));

-- When the document of a closed statement was made; null: not yet. Real time.
alter table run_statements add column documented_at timestamptz;
create index run_statements_undocumented on run_statements (org_id, run_id, statement_id)
  where is_closed and documented_at is null;

create index adjustments_of_statement on adjustments (org_id, statement_id, created_at desc, id desc)
  where statement_id is not null;

-- Security definer: in live, runs and reports belong to the system organization, and a partner may know of them what its
-- own published statement was made from, and nothing else.
create function run_of_statement(statement uuid) returns table (rules_version text, input_digest bytea)
  language sql stable security definer set search_path = public, pg_temp as $$
  select run.rules_version, run.input_digest
    from statements
    join royalty_runs run on run.id = statements.run_id
                         and run.org_id in ('00000000-0000-0000-0000-000000000000', app_org_id())
   where statements.org_id = app_org_id() and statements.id = statement and statements.status = 'published'
$$;
-- The matched rows of a report that entered the run of the statement. The files have rows of other organizations too.
create function report_parts_of_statement(statement uuid, report uuid)
  returns table (number integer, object_key text, size_bytes bigint, sha256 bytea)
  language sql stable security definer set search_path = public, pg_temp as $$
  select part.number, part.object_key, part.size_bytes, part.sha256
    from statements
    join report_parts part on part.org_id in ('00000000-0000-0000-0000-000000000000', app_org_id())
                          and part.report_id = report and part.kind = 'matched' and part.run_id = statements.run_id
   where statements.org_id = app_org_id() and statements.id = statement and statements.status = 'published'
   order by part.number
$$;
revoke execute on function run_of_statement, report_parts_of_statement from public;
grant execute on function run_of_statement to tonearm_app, tonearm_worker; -- the document of a statement names its run
grant execute on function report_parts_of_statement to tonearm_app;

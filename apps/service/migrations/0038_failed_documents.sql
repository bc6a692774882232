-- A document that cannot be drawn does not hold up the others of its run (ADR 0043).

-- When it was tried alone and failed, and why; null: it was not. Real time. An operator clears both to have it drawn again.
alter table run_statements add column document_failed_at timestamptz;
alter table run_statements add column document_error text check (char_length(document_error) <= 500);
alter table run_statements add constraint run_statements_document_failure
  check ((document_failed_at is null) = (document_error is null));

drop index run_statements_undocumented;
create index run_statements_undocumented on run_statements (org_id, run_id, statement_id)
  where is_closed and documented_at is null and document_failed_at is null;
create index run_statements_document_failed on run_statements (org_id, run_id, statement_id)
  where document_failed_at is not null;
grant update (document_failed_at, document_error) on run_statements to tonearm_operator;

-- Security definer: an alert is about all organizations, and learns nothing of them but this number.
create function count_failed_documents() returns bigint
  language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) from (select from run_statements where document_failed_at is not null limit 10000) failed
$$;
revoke execute on function count_failed_documents from public;
grant execute on function count_failed_documents to tonearm_worker;

-- The request log (ADR 0029): one row for each authenticated request of an organization, with redacted texts. The api
-- buffers rows in memory and inserts them after their answers were sent. Rows may be lost in a crash; the audit log's
-- may not.
create table requests (
  org_id          uuid not null,
  id              uuid not null, -- starts with the real time at which the request arrived
  method          text not null,
  path            text not null, -- with its query
  route           text, -- the path of the operation; null: there was no such path
  status          smallint not null,
  code            text, -- of the error; null: the request succeeded
  actor_type      text not null,
  actor_id        text not null,
  address         text not null, -- of the client
  duration_ms     real not null,
  request_headers jsonb not null, -- a few of them, never a credential
  request_body    text, -- null: the request had none, or it was not read
  request_bytes   integer not null, -- of the body as it was sent
  answer_headers  jsonb not null, -- a few of them
  answer_body     text, -- null: the answer had none
  answer_bytes    integer not null,
  stored_at       timestamptz not null default now(),
  primary key (org_id, id)
) partition by range (id);
call protect_tenant_table('requests');
-- GET /v1/requests?status=4xx and ?code=. Partial, so that a request that succeeded writes no entry. The other filters
-- read a bounded number of rows of the primary key.
create index requests_refused on requests (org_id, id) where status >= 400;
create index requests_stored_at on requests using brin (stored_at) with (autosummarize = on);
grant select, insert on requests to tonearm_app;
insert into partitioned_tables (name, partitioned_by, period, periods_kept)
  values ('requests', 'uuid7', '1 day', 30);

-- Inserts the rows of several organizations in one statement and one transaction: a list of rows with their org_id. Each
-- organization is opened before its rows are inserted, and row-level security checks every row. The JSON is parsed once,
-- not once for each organization.
create function insert_requests(batch json) returns void
  language plpgsql as $$
declare
  entries requests[];
  org uuid;
begin
  -- The api does not wait for these rows, and a crash may lose them: no need to wait for the disk.
  set local synchronous_commit = off;
  entries := array(select entry from json_populate_recordset(null::requests, batch) entry);
  for org in select distinct org_id from unnest(entries) loop
    perform set_config('app.org_id', org::text, true);
    insert into requests (org_id, id, method, path, route, status, code, actor_type, actor_id, address, duration_ms,
                          request_headers, request_body, request_bytes, answer_headers, answer_body, answer_bytes)
    select org_id, id, method, path, route, status, code, actor_type, actor_id, address, duration_ms,
           request_headers, request_body, request_bytes, answer_headers, answer_body, answer_bytes
      from unnest(entries) where org_id = org;
  end loop;
end $$;
revoke execute on function insert_requests(json) from public;
grant execute on function insert_requests(json) to tonearm_app;

-- The request whose transaction appended the event; null for operators and workflows. Not indexed: the events of a
-- request have ids between its own id and its end.
alter table events add column request_id uuid;
grant insert (request_id) on events to tonearm_app, tonearm_operator, tonearm_worker;

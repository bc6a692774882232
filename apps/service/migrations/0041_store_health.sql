-- Whether stores can be reached, and which of their files could not be used (ADR 0051). A store is the same for every
-- organization: these are not tenant tables. All times are real.

-- What the last poll of a store found.
create table store_polls (
  store_id      text primary key,
  reached_at    timestamptz, -- when it was last reached
  failing_since timestamptz, -- null: the last poll reached it
  failure       text check (failure in ('unreachable', 'host_key_wrong', 'credentials_refused', 'misconfigured', 'folder_full')),
  reason        text check (char_length(reason) <= 500),
  constraint store_polls_failure check ((failing_since is null) = (failure is null) and (failure is null) = (reason is null))
);
grant select, insert, update on store_polls to tonearm_worker;
grant select on store_polls to tonearm_operator;

-- Files in a store's folder of acknowledgements that changed no delivery. An operator dismisses them.
create table unusable_acknowledgements (
  store_id   text not null,
  name       text not null check (char_length(name) <= 1024),
  -- too_large, not_readable, not_removable: it is still at the store. not_understood, unmatched: it was removed there,
  -- and is kept in our storage.
  problem    text not null check (problem in ('too_large', 'not_readable', 'not_removable', 'not_understood', 'unmatched')),
  reason     text not null check (char_length(reason) <= 500),
  size_bytes bigint not null,
  sha256     text, -- null: it was not read
  found_at   timestamptz not null,
  primary key (store_id, name)
);
grant select, insert, update on unusable_acknowledgements to tonearm_worker;
grant select, delete on unusable_acknowledgements to tonearm_operator;

-- For alerts. open_since: the oldest batch that is still being sent. overdue_since: the time at which the store should
-- have answered a batch of the last 14 days; stores that confirm nothing are not expected to. Security definer: an alert is
-- about all organizations, and learns nothing of them but these times.
create function waiting_store_batches() returns table (store_id text, open_since timestamptz, overdue_since timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
  with waiting as (
    select batch.store_id, batch.state, batch.created_at,
           batch.completed_at + make_interval(hours => coalesce((settings ->> 'acknowledgement_timeout_hours')::integer, 24)) as due_at,
           stores.confirmation
      from store_batches batch
      join stores on stores.store_id = batch.store_id and stores.status = 'active' and stores.connector = 'ddex'
      join store_connections on store_connections.store_id = batch.store_id
     where batch.state in ('open', 'complete')
  )
  select waiting.store_id,
         min(created_at) filter (where state = 'open'),
         min(due_at) filter (where state = 'complete' and confirmation <> 'none' and due_at < now() and created_at > now() - interval '14 days')
    from waiting group by waiting.store_id
$$;
revoke execute on function waiting_store_batches from public;
grant execute on function waiting_store_batches to tonearm_worker;
do $$
begin
  execute format('create policy owner_lists on store_batches for select to %I using (true)', current_user);
end $$;

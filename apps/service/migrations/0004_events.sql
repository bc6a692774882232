-- Events: appended in the transaction of their change, given their sequence after it has committed.
--
-- No business transaction waits for a shared counter. The sequencer (the relay role) takes what has
-- committed, organization by organization, and numbers it without gaps; it also links audit rows into
-- a chain of hashes. Partners see sequenced events only, so that "after N" can never skip one that
-- commits late.
do $$
begin
  if not exists (select from pg_roles where rolname = 'tonearm_relay') then
    create role tonearm_relay login nosuperuser nocreatedb nocreaterole nobypassrls;
  end if;
end $$;
grant usage on schema public to tonearm_relay;

create table events (
  org_id     uuid not null,
  id         uuid not null,
  type       text not null,
  data       jsonb not null,
  created_at timestamptz not null, -- business time; the real time is in the id
  sequence   bigint,
  primary key (org_id, id)
) partition by range (id);
call protect_tenant_table('events');
grant select on events to tonearm_app;
grant insert (org_id, id, type, data, created_at) on events to tonearm_app;
create index events_pending on events (org_id, id) where sequence is null;
create index events_sequence on events (org_id, sequence);
insert into partitioned_tables values ('events', 'uuid7', '1 day', 30);

alter table audit add column sequence bigint, add column hash bytea;
create index audit_pending on audit (org_id, id) where sequence is null;
create index audit_sequence on audit (org_id, sequence);
-- The application cannot write what the sequencer seals.
revoke insert on audit from tonearm_app, tonearm_operator;
grant insert (org_id, id, occurred_at, actor_type, actor_id, action, audited_id, request_id)
  on audit to tonearm_app, tonearm_operator;

-- How far each organization's events and audit rows have been numbered.
create table sequence_heads (
  org_id         uuid primary key,
  event_sequence bigint not null,
  audit_sequence bigint not null,
  audit_hash     bytea not null
);
call protect_tenant_table('sequence_heads');

-- The relay works for all organizations; what it may touch is only what it numbers.
create policy relay_sequences on events to tonearm_relay using (true);
create policy relay_sequences on audit to tonearm_relay using (true);
create policy relay_sequences on sequence_heads to tonearm_relay using (true);
grant select, update (sequence) on events to tonearm_relay;
grant select, update (sequence, hash) on audit to tonearm_relay;
grant select, insert, update on sequence_heads to tonearm_relay;
grant select on sequence_heads to tonearm_operator;

-- What an audit row says, in one spelling: the hash is over this. JSON, so that nothing can be moved
-- from one column into its neighbour, nor null be taken for empty.
create function audit_text(entry audit) returns text
  language sql stable parallel safe
  return jsonb_build_array(entry.org_id, entry.id, (extract(epoch from entry.occurred_at) * 1000000)::bigint,
    entry.actor_type, entry.actor_id, entry.action, entry.audited_id, entry.request_id, entry.sequence)::text;

create function audit_hash(previous bytea, entry audit) returns bytea
  language sql stable parallel safe
  return sha256(previous || convert_to(audit_text(entry), 'UTF8'));

-- Numbers at most so many pending events and audit rows of one organization; returns how many. Two
-- relays never wait for one another: the second finds the head locked and leaves it.
create function sequence_organization(org uuid, most integer) returns integer
  language plpgsql as $$
declare
  head sequence_heads;
  numbered integer;
  entry audit;
  sealed integer := 0;
begin
  insert into sequence_heads values (org, 0, 0, sha256(convert_to(org::text, 'UTF8'))) on conflict do nothing;
  select * into head from sequence_heads where org_id = org for update skip locked;
  if not found then
    return 0;
  end if;

  with pending as (
    select id, row_number() over (order by id) as place
      from (select id from events where org_id = org and sequence is null order by id limit most) next
  )
  update events set sequence = head.event_sequence + pending.place
    from pending where events.org_id = org and events.id = pending.id;
  get diagnostics numbered = row_count;

  for entry in select * from audit where org_id = org and sequence is null order by id limit most loop
    sealed := sealed + 1;
    entry.sequence := head.audit_sequence + sealed;
    head.audit_hash := audit_hash(head.audit_hash, entry);
    update audit set sequence = entry.sequence, hash = head.audit_hash where org_id = org and id = entry.id;
  end loop;

  update sequence_heads
     set event_sequence = head.event_sequence + numbered,
         audit_sequence = head.audit_sequence + sealed,
         audit_hash = head.audit_hash
   where org_id = org;
  return numbered + sealed;
end $$;

-- Walks an organization's chain; returns the sequence of the first row that does not fit, else null.
create function broken_audit_link(org uuid) returns bigint
  language plpgsql stable as $$
declare
  entry audit;
  expected bigint := 0;
  link bytea := sha256(convert_to(org::text, 'UTF8'));
begin
  for entry in select * from audit where org_id = org and sequence is not null order by sequence loop
    expected := expected + 1;
    link := audit_hash(link, entry);
    if entry.sequence <> expected or entry.hash is distinct from link then
      return expected;
    end if;
  end loop;
  if exists (select from sequence_heads where org_id = org and (audit_sequence <> expected or audit_hash <> link)) then
    return expected + 1;
  end if;
  return null;
end $$;

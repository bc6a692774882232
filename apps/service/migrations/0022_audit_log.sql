-- What an audited resource was before and after its change (ADR 0028): SHA-256 of its JSON as GET presents it. Null: it
-- did not exist. Both are null in the rows of the release before this one, which did not store them.
alter table audit
  add column before_digest bytea check (octet_length(before_digest) = 32),
  add column after_digest bytea check (octet_length(after_digest) = 32);
grant insert (before_digest, after_digest) on audit to tonearm_app, tonearm_operator, tonearm_worker;

-- GET /v1/audit_log: newest first by id, filtered. Partial, so that an insert writes no entry; the sequencer's update
-- does. Without a filter, and by time, the primary key is read.
create index audit_by_actor on audit (org_id, actor_id, id) where sequence is not null;
create index audit_by_action on audit (org_id, action, id) where sequence is not null;
create index audit_by_resource on audit (org_id, audited_id, id) where sequence is not null;

-- The digests are part of the text if the row has one. A row without them has the text that it always had, so the
-- hashes of older rows stay valid; setting or clearing a digest changes the length of the array, and with it the hash.
create or replace function audit_text(entry audit) returns text
  language sql stable parallel safe
  return case
    when entry.before_digest is null and entry.after_digest is null then
      jsonb_build_array(entry.org_id, entry.id, (extract(epoch from entry.occurred_at) * 1000000)::bigint,
        entry.actor_type, entry.actor_id, entry.action, entry.audited_id, entry.request_id, entry.sequence)
    else
      jsonb_build_array(entry.org_id, entry.id, (extract(epoch from entry.occurred_at) * 1000000)::bigint,
        entry.actor_type, entry.actor_id, entry.action, entry.audited_id, entry.request_id, entry.sequence,
        encode(entry.before_digest, 'hex'), encode(entry.after_digest, 'hex'))
  end::text;

-- Recomputes the links of at most rows_max rows after `after_sequence`, whose hash is `after_hash`, and returns the last
-- row that matches; is_broken: the row after it does not. `audit verify` calls it until it has reached the head, so that
-- a chain of any length is verified within the statement timeout. broken_audit_link(), which did it in one statement,
-- stays for the release before this one.
create function verify_audit_links(org uuid, after_sequence bigint, after_hash bytea, rows_max integer,
    out last_sequence bigint, out last_hash bytea, out is_broken boolean)
  language plpgsql stable as $$
declare
  entry audit;
begin
  last_sequence := after_sequence;
  last_hash := after_hash;
  is_broken := false;
  for entry in
    select * from audit where org_id = org and sequence > after_sequence order by sequence limit rows_max
  loop
    if entry.sequence <> last_sequence + 1 or entry.hash is distinct from audit_hash(last_hash, entry) then
      is_broken := true;
      return;
    end if;
    last_sequence := entry.sequence;
    last_hash := entry.hash;
  end loop;
end $$;

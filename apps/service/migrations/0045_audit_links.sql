-- The sequencer links the audit rows of an organization with one statement instead of one for each row: the start of the
-- statement cost several times as much as the row. All else is as in 0043_direct_sends.sql.
create or replace function sequence_organization(org uuid, rows_max integer, first_id uuid, last_id uuid) returns integer
  language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  head sequence_heads;
  numbered_ids uuid[];
  events_numbered integer;
  entry audit;
  linked_ids uuid[] := '{}';
  linked_hashes bytea[] := '{}';
  entries_linked integer := 0;
begin
  select * into head from sequence_heads where org_id = org for update skip locked;
  if not found then
    insert into sequence_heads (org_id, event_sequence, audit_sequence, audit_hash)
      values (org, 0, 0, sha256(convert_to(org::text, 'UTF8'))) on conflict do nothing returning * into head;
    if not found then
      return 0;
    end if;
  end if;

  numbered_ids := array(
    select id from events
     where org_id = org and sequence is null and id between first_id and last_id order by id limit rows_max);
  events_numbered := cardinality(numbered_ids);
  if events_numbered > 0 then
    update events set sequence = head.event_sequence + numbered.place
      from unnest(numbered_ids) with ordinality as numbered (id, place)
     where events.org_id = org and events.id = numbered.id
       and events.id between numbered_ids[1] and numbered_ids[events_numbered];
    update fanout_cursors
       set sequenced_upto = head.event_sequence + events_numbered, recheck_at = coalesce(recheck_at, now()),
           first_event_id = case when recheck_at is null then numbered_ids[1]
                                 else least(first_event_id, numbered_ids[1]) end,
           last_event_id = case when recheck_at is null then numbered_ids[events_numbered]
                                else greatest(last_event_id, numbered_ids[events_numbered]) end
     where org_id = org;
  end if;

  for entry in select * from audit where org_id = org and sequence is null order by id limit rows_max loop
    entries_linked := entries_linked + 1;
    entry.sequence := head.audit_sequence + entries_linked;
    head.audit_hash := audit_hash(head.audit_hash, entry);
    linked_ids := array_append(linked_ids, entry.id);
    linked_hashes := array_append(linked_hashes, head.audit_hash);
  end loop;
  if entries_linked > 0 then
    update audit set sequence = head.audit_sequence + linked.place, hash = linked.hash
      from unnest(linked_ids, linked_hashes) with ordinality as linked (id, hash, place)
     where audit.org_id = org and audit.id = linked.id
       and audit.id between linked_ids[1] and linked_ids[entries_linked];
  end if;

  update sequence_heads
     set event_sequence = head.event_sequence + events_numbered,
         audit_sequence = head.audit_sequence + entries_linked,
         audit_hash = head.audit_hash
   where org_id = org;
  return events_numbered + entries_linked;
end $$;

/**
 * An invariant that every test of `npm test` checks: a transaction that appends an event also appends an audit row. A
 * trigger on `audit` marks the transaction, and one on `events`, deferred to the commit, fails it without the mark.
 * Rows that a test inserts as the owner are not checked.
 */

import pg from 'pg';

const triggers = `
  create function test_mark_audited() returns trigger language plpgsql as $$
  begin
    perform set_config('test.audited', 'yes', true); -- a rollback to a savepoint takes the mark back
    return null;
  end $$;
  create trigger test_mark_audited after insert on audit
    for each row execute function test_mark_audited();

  create function test_require_audited() returns trigger language plpgsql as $$
  begin
    if current_user like 'tonearm%' and current_setting('test.audited', true) is distinct from 'yes' then
      raise exception 'the transaction appended the event % without an audit row', new.type;
    end if;
    return null;
  end $$;
  create constraint trigger test_require_audited after insert on events
    deferrable initially deferred
    for each row execute function test_require_audited();
`;

export async function requireAuditedEvents(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(triggers);
  } finally {
    await client.end();
  }
}

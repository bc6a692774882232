/**
 * Every unique index of a table that tonearm_app writes, from PostgreSQL's catalog. Concurrent requests collide on each
 * of them: the loser gets the answer it would get a moment later, never a 5xx. An index on which requests cannot collide
 * is listed with the reason. A new index that is in neither list fails the test.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../scripts/servers/server.ts';
import { givenBalance, givenMethod, givenTaxProfile } from './money-fixture.ts';
import {
  type OrgClient,
  databaseUrl,
  draft,
  openTestService,
  type Reply,
  completeDraft,
  type TestService,
} from './test-service.ts';

const concurrentRequests = 8;

/** Sends `count` requests at once; none can write to the table of the index before all have read. */
type SendConcurrently = <T>(count: number, request: (i: number) => Promise<T>) => Promise<T[]>;
type Race = (caller: OrgClient, collide: SendConcurrently, service: TestService) => Promise<void>;

/** How many requests got each HTTP status. */
type StatusCounts = Readonly<Record<number, number>>;

const sendAll: SendConcurrently = (count, request) =>
  Promise.all(Array.from({ length: count }, (_, i) => request(i)));

function countByStatus(replies: readonly Reply[]): StatusCounts {
  const byStatus = Object.groupBy(replies, ({ status }) => status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, those]) => [status, those?.length ?? 0]),
  );
}

/** One request succeeds; the others get the refusal they would get if they were sent after it. */
function assertOneWinner(replies: readonly Reply[], won: number, lost: number): void {
  const tally = { [won]: 1, [lost]: replies.length - 1 };
  assert.deepEqual(
    countByStatus(replies),
    tally,
    replies.find(({ status }) => status >= 500)?.text,
  );
}

function assertAll(replies: readonly Reply[], status: number): void {
  const expected = { [status]: replies.length };
  assert.deepEqual(
    countByStatus(replies),
    expected,
    replies.find((each) => each.status !== status)?.text,
  );
}

const createRelease = async ({ call }: OrgClient, fields: object = {}): Promise<string> =>
  (await call('POST', '/v1/releases', completeDraft(fields))).json.id;

const deliver = ({ call }: OrgClient, release_id: string, fields: object = {}) =>
  call('POST', '/v1/deliveries', {
    release_id,
    stores: ['aurora'],
    territory_codes: ['WORLDWIDE'],
    ...fields,
  });

const addTrack = ({ call }: OrgClient, release_id: string, i: number, fields: object = {}) =>
  call('POST', '/v1/tracks', {
    release_id,
    title: `Track of ${i}`,
    isrc: `QZUNI26${String(i).padStart(5, '0')}`,
    ...fields,
  });

const races: Readonly<Record<string, Race>> = {
  deliveries_reference: async (caller, collide, service) => {
    const releases: string[] = [];
    for (let i = 0; i < 20; i++) releases.push(await service.givenSubmittedRelease(caller));
    const reference = 'one of twenty';
    const replies = await collide(20, (i) => deliver(caller, releases[i] ?? '', { reference }));
    assertOneWinner(replies, 201, 422);
    for (const { status, json } of replies) {
      if (status === 422) assert.equal(json.error.details[0].field, 'reference');
    }
  },

  delivery_stores_release_store: async (caller, collide, service) => {
    const release = await service.givenSubmittedRelease(caller);
    assertOneWinner(await collide(concurrentRequests, () => deliver(caller, release)), 201, 409);
  },

  release_snapshots_pkey: async (caller, collide, service) => {
    const release = await service.givenSubmittedRelease(caller);
    const { json } = await caller.call('GET', `/v1/releases/${release}`);
    const { submission_id } = json.submission;
    const whose = ['--org', caller.orgId, '--submission', submission_id];
    await service.admin('review', 'decide', ...whose, '--decision', 'approve');
    // A revision without a snapshot.
    const patched = await caller.call('PATCH', `/v1/releases/${release}`, { genre: 'Pop' });
    assert.equal(patched.status, 200, patched.text);
    const { data } = (await caller.call('GET', '/v1/stores')).json;
    const replies = await collide(4, (i) =>
      deliver(caller, release, { stores: [data[i].store_id] }),
    );
    assertAll(replies, 201);
  },

  idempotency_keys_pkey: async (caller, collide) => {
    const headers = { 'idempotency-key': randomUUID() };
    const replies = await collide(concurrentRequests, () =>
      caller.call('POST', '/v1/releases', draft({ reference: 'keyed' }), headers),
    );
    const { 201: made = 0, 409: inUse = 0 } = countByStatus(replies);
    assert.equal(made + inUse, concurrentRequests, 'created, replayed, or in use');
    const ids = replies.flatMap(({ status, json }) => (status === 201 ? [json.id] : []));
    assert.equal(new Set(ids).size, 1, 'created once');
  },

  releases_reference: async (caller, collide) => {
    const reference = 'mine';
    const create = () => caller.call('POST', '/v1/releases', draft({ reference }));
    assertOneWinner(await collide(20, create), 201, 422);
    const drafts = await Promise.all([createRelease(caller), createRelease(caller)]);
    const patched = await collide(2, (i) =>
      caller.call('PATCH', `/v1/releases/${drafts[i]}`, { reference: 'ours' }),
    );
    assertOneWinner(patched, 200, 422);
  },

  releases_fingerprint: async (caller, collide, service) => {
    const fields = { upc: '614141000036', label: 'One Label', release_date: '2027-06-01' };
    const ids: string[] = [];
    for (let i = 0; i < concurrentRequests; i++) ids.push(await createRelease(caller, fields));
    for (const id of ids) await service.makeSubmittable(caller, id);
    const submit = (i: number) => caller.call('POST', `/v1/releases/${ids[i]}/submit`);
    assertOneWinner(await collide(concurrentRequests, submit), 200, 409);
  },

  releases_product_code_fingerprint: async (caller, collide, service) => {
    const fields = { label: 'One Label', release_date: '2027-06-01' };
    const ids: string[] = [];
    for (let i = 0; i < concurrentRequests; i++) {
      // One of them has the code as its UPC, the others as their EAN.
      const code = i === 0 ? { upc: '614141000036' } : { ean: '0614141000036' };
      ids.push(await createRelease(caller, { ...fields, ...code }));
    }
    for (const id of ids) await service.makeSubmittable(caller, id);
    const submit = (i: number) => caller.call('POST', `/v1/releases/${ids[i]}/submit`);
    assertOneWinner(await collide(concurrentRequests, submit), 200, 409);
  },

  release_revisions_pkey: async (caller, collide) => {
    const id = await createRelease(caller);
    const patch = (i: number) => caller.call('PATCH', `/v1/releases/${id}`, { genre: `G${i}` });
    const replies = await collide(concurrentRequests, patch);
    assertAll(replies, 200);
    assert.equal(new Set(replies.map(({ json }) => json.revision)).size, concurrentRequests);
  },

  upc_reservations_pkey: async (caller, collide) => {
    const create = () => caller.call('POST', '/v1/releases', draft({ upc: '614141000036' }));
    assertAll(await collide(concurrentRequests, create), 201);
  },

  isrc_years_pkey: async (caller, collide, service) => {
    await service.admin('isrc', 'add-registrant', '--org', caller.orgId, '--code', 'QZUNQ');
    const releases = await Promise.all(
      Array.from({ length: concurrentRequests }, () => createRelease(caller)),
    );
    const replies = await collide(concurrentRequests, (i) =>
      caller.call('POST', '/v1/tracks', { release_id: releases[i], title: 'Night Drive' }),
    );
    assertAll(replies, 201);
    assert.equal(new Set(replies.map(({ json }) => json.isrc)).size, concurrentRequests);
  },

  isrc_reservations_pkey: async (caller, collide, service) => {
    await service.admin('isrc', 'add-registrant', '--org', caller.orgId, '--code', 'QZUNR');
    const releases = await Promise.all(
      Array.from({ length: concurrentRequests }, () => createRelease(caller)),
    );
    const named = await collide(concurrentRequests, (i) => addTrack(caller, releases[i] ?? '', 1));
    assertAll(named, 201);
    const replies = await collide(concurrentRequests, (i) =>
      addTrack(caller, releases[i] ?? '', i, { isrc: i % 2 === 0 ? 'QZUNR2600003' : undefined }),
    );
    assertAll(replies, 201);
    const allocated = replies.flatMap(({ json }, i) => (i % 2 === 0 ? [] : [json.isrc]));
    assert.equal(new Set(allocated).size, concurrentRequests / 2);
  },

  tracks_reference: async (caller, collide) => {
    const releases = await Promise.all(Array.from({ length: 20 }, () => createRelease(caller)));
    const replies = await collide(20, (i) =>
      addTrack(caller, releases[i] ?? '', i, { reference: 'r' }),
    );
    assertOneWinner(replies, 201, 422);
  },

  tracks_disc_position: async (caller, collide) => {
    const release = await createRelease(caller);
    const first = { disc: 1, position: 1 };
    assertOneWinner(
      await collide(concurrentRequests, (i) => addTrack(caller, release, i, first)),
      201,
      422,
    );
    const replies = await collide(concurrentRequests, (i) => addTrack(caller, release, 100 + i));
    assertAll(replies, 201);
    assert.equal(new Set(replies.map(({ json }) => json.position)).size, concurrentRequests);
  },

  artists_isni: async (caller, collide) => {
    const body = { name: 'A', isni: '0000000121032683' };
    const create = () => caller.call('POST', '/v1/artists', body);
    assertOneWinner(await collide(concurrentRequests, create), 201, 422);
  },

  artists_reference: async (caller, collide) => {
    const create = () => caller.call('POST', '/v1/artists', { name: 'A', reference: 'r' });
    assertOneWinner(await collide(concurrentRequests, create), 201, 422);
  },

  labels_name: async (caller, collide) => {
    const create = () => caller.call('POST', '/v1/labels', { name: 'L' });
    assertOneWinner(await collide(concurrentRequests, create), 201, 422);
  },

  labels_reference: async (caller, collide) => {
    const create = (i: number) =>
      caller.call('POST', '/v1/labels', { name: `L${i}`, reference: 'r' });
    assertOneWinner(await collide(concurrentRequests, create), 201, 422);
  },

  release_artists_pkey: async (caller, collide) => {
    const { json: artist } = await caller.call('POST', '/v1/artists', { name: 'A' });
    const release = await createRelease(caller);
    const artists = [{ artist_id: artist.id, role: 'main' }];
    const replies = await collide(concurrentRequests, (i) =>
      addTrack(caller, release, i, { artists }),
    );
    assertAll(replies, 201);
  },

  inboxes_pkey: async (caller, collide) => {
    const replies = await collide(concurrentRequests, () =>
      caller.call('GET', '/v1/sandbox/inbox'),
    );
    assertAll(replies, 200);
    assert.equal(new Set(replies.map(({ json }) => json.url)).size, 1);
  },

  inbox_messages_pkey: async (caller, collide) => {
    const { json } = await caller.call('GET', '/v1/sandbox/inbox');
    const statuses = await collide(concurrentRequests, async (i) => {
      const { status } = await fetch(json.url, { method: 'POST', body: `message ${i}` });
      return status;
    });
    assert.deepEqual(statuses, Array(concurrentRequests).fill(200));
    const inbox = await caller.call('GET', '/v1/sandbox/inbox');
    assert.equal(inbox.json.data.length, concurrentRequests, inbox.text);
  },

  sandbox_clocks_pkey: async (caller, collide) => {
    const advance = () => caller.call('POST', '/v1/sandbox/clock/advance', { by: '1h' });
    assertOneWinner(await collide(concurrentRequests, advance), 202, 409);
  },

  sandbox_resets_pkey: async (caller, collide) => {
    const reset = () => caller.call('POST', '/v1/sandbox/reset', { seed: false });
    assertOneWinner(await collide(concurrentRequests, reset), 202, 409);
  },

  tax_profiles_pkey: async (caller, collide) => {
    const body = { residence: 'DE', form: 'none' };
    const patch = () => caller.call('PATCH', '/v1/tax_profile', body);
    assertAll(await collide(concurrentRequests, patch), 200);
  },

  payout_settings_pkey: async (caller, collide) => {
    const body = { mode: 'monthly' };
    const patch = () => caller.call('PATCH', '/v1/payout_schedule', body);
    assertAll(await collide(concurrentRequests, patch), 200);
  },

  payouts_retried_once: async (caller, collide, service) => {
    await givenTaxProfile(caller);
    await givenMethod(caller);
    await givenBalance(service, caller, '1000');
    const body = { amount: '20.00', currency: 'EUR' };
    const { json } = await caller.call('POST', '/v1/payouts', body);
    const canceled = await caller.call('POST', `/v1/payouts/${json.id}/cancel`);
    assert.equal(canceled.status, 200, canceled.text);
    const retry = () => caller.call('POST', '/v1/payouts', { ...body, retry_of: json.id });
    assertOneWinner(await collide(concurrentRequests, retry), 201, 409);
  },

  fanout_cursors_pkey: async (caller, collide, service) => {
    const body = { url: service.url, event_type: '*' };
    assertAll(
      await collide(concurrentRequests, () => caller.call('POST', '/v1/webhooks', body)),
      201,
    );
  },

  webhook_deliveries_pkey: redeliver,
  webhook_dispatchers_pkey: redeliver,
};

/** Several requests redeliver the same event, which was not sent before, to the same two webhooks. */
async function redeliver(
  caller: OrgClient,
  collide: SendConcurrently,
  service: TestService,
): Promise<void> {
  const inbox = await caller.call('GET', '/v1/sandbox/inbox');
  const body = { url: inbox.json.url, event_type: '*' };
  const webhooks = await sendAll(2, () => caller.call('POST', '/v1/webhooks', body));
  assertAll(webhooks, 201);
  await createRelease(caller);
  await service.sequenceEvents();
  const { json } = await caller.call('GET', '/v1/events');
  const path = `/v1/events/${json.data[0].id}/redeliver`;
  const replies = await collide(concurrentRequests, (i) =>
    caller.call('POST', path, { webhook_id: webhooks[i % 2]?.json.id }),
  );
  assertAll(replies, 202);
}

const newIdEachTime = 'Its id is a new UUIDv7 each time, with 74 random bits.';
const unreachable: Readonly<Record<string, string>> = {
  artists_pkey: newIdEachTime,
  assets_pkey: newIdEachTime,
  audit_pkey: newIdEachTime,
  deliveries_pkey: newIdEachTime,
  delivery_jobs_pkey: newIdEachTime,
  delivery_timeline_pkey: newIdEachTime,
  events_pkey: newIdEachTime,
  labels_pkey: newIdEachTime,
  ledger_entries_of_transaction:
    'A new transaction inserts its own entries, and none has an account twice.',
  ledger_entries_pkey: 'A transaction locks the ledger of its organization before it posts.',
  ledger_transactions_key:
    'The key names a move of a row that the transaction has inserted or locked.',
  ledger_transactions_pkey: newIdEachTime,
  oauth_client_secrets_pkey: newIdEachTime,
  oauth_clients_pkey: newIdEachTime,
  outbox_pkey: newIdEachTime,
  payout_holds_open: 'A transaction locks the payout before it opens a hold.',
  payout_holds_pkey: newIdEachTime,
  payout_methods_pkey: newIdEachTime,
  payout_screenings_pkey: 'A transaction has inserted or locked the payout before it screens it.',
  payout_transitions_pkey: 'A transaction has inserted or locked the payout before it moves it.',
  payouts_pkey: newIdEachTime,
  releases_pkey: newIdEachTime,
  requests_pkey: newIdEachTime,
  sandbox_payout_steps_pkey:
    'A transaction has inserted or locked the payout before it screens it.',
  sandbox_closings_pkey: 'A transaction locks the clock before it looks for the next closing.',
  sandbox_reports_number: 'A transaction locks the clock before it counts reports.',
  sandbox_reports_pkey: newIdEachTime,
  sandbox_scenarios_pkey: newIdEachTime,
  store_messages_pkey: newIdEachTime,
  submissions_pkey: newIdEachTime,
  timers_pkey: newIdEachTime,
  tracks_pkey: newIdEachTime,
  webhooks_pkey: newIdEachTime,
  artist_profiles_pkey: 'A transaction locks the artist before it replaces its profiles.',
  labels_default: 'A transaction locks the organization before it chooses another default label.',
  api_keys_pkey: newIdEachTime,
  credentials_pkey: 'The SHA-256 of a key that was just made at random.',
  delivery_job_items_pkey: 'A new job numbers its own items, in one statement.',
  delivery_stores_pkey:
    'A new delivery inserts its own stores, and a store named twice is refused.',
  deprecated_uses_pkey: 'Its rows are inserted with ON CONFLICT DO UPDATE.',
  inbox_tokens_pkey: 'The SHA-256 of 24 random bytes.',
  oauth_credentials_pkey: 'The SHA-256 of a secret with 190 random bits.',
  oauth_tokens_pkey: 'The SHA-256 of a token with 190 random bits.',
  organizations_pkey: 'The api updates organizations and inserts none.',
  release_isrcs_pkey: 'A trigger inserts its rows with ON CONFLICT DO NOTHING.',
  rights_grants_pkey: 'Its rows are inserted with ON CONFLICT DO NOTHING.',
  upc_blocks_pkey: 'The api allocates numbers from a block and inserts no block.',
};

describe('unique indexes under concurrent requests', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T09:00:00Z' });
  });
  after(() => service.close());

  test('each index that requests can collide on has a race, and each other one a reason', async () => {
    const indexes = await service.query(`
      select i.relname as name
        from pg_index x
        join pg_class i on i.oid = x.indexrelid
        join pg_class t on t.oid = x.indrelid
       where (x.indisunique or x.indisexclusion)
         and t.relnamespace = 'public'::regnamespace
         and not i.relispartition
         and (has_any_column_privilege('tonearm_app', t.oid, 'insert')
              or has_any_column_privilege('tonearm_app', t.oid, 'update')
              -- Requests post to them by a function of their owner.
              or t.relname in ('ledger_entries', 'ledger_transactions'))
       order by 1`);
    assert.ok(indexes.length > 30, `only ${indexes.length} indexes`);
    assert.deepEqual(
      new Set([...Object.keys(races), ...Object.keys(unreachable)]),
      new Set(indexes.map(({ name }) => name)),
    );
  });

  /** Locks the table against writes until the number of waiting requests stays the same for five polls. */
  const collideOn =
    (index: string): SendConcurrently =>
    async (count, request) => {
      const gate = new pg.Client(databaseUrl(service.database));
      await gate.connect();
      const { rows } = await gate.query(
        'select indrelid::regclass::text as name from pg_index where indexrelid = $1::regclass',
        [index],
      );
      await gate.query('begin');
      await gate.query(`lock table ${rows[0].name} in share mode`);
      try {
        const replies = sendAll(count, request);
        await until('all of them wait', isSteady(gate));
        await gate.query('commit');
        return await replies;
      } finally {
        await gate.end();
      }
    };

  const isSteady = (gate: pg.Client) => {
    let [earlier, polls] = [-1, 0];
    return async () => {
      const { rows } = await gate.query(
        `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      const { waiting } = rows[0];
      polls = waiting > 0 && waiting === earlier ? polls + 1 : 0;
      earlier = waiting;
      return polls === 5;
    };
  };

  for (const [index, race] of Object.entries(races)) {
    test(`${index}: colliding requests, and no 5xx`, async () =>
      race(await service.givenOrganization(), collideOn(index), service));
  }
});

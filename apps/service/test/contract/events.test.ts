/** Events (spec §6, contract §1, §2, §4, §6): the history, its sequence, and the audit chain beside it. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { storedTypes } from '../../src/app/event-catalogue.ts';
import { toUuid, toWire } from '../../src/kernel/ids.ts';
import { problems } from '../../src/kernel/problem.ts';
import { systemOrgId } from '../../src/kernel/system-organization.ts';
import { appendAudit } from '../../src/platform/db/audit.ts';
import { createSequencer } from '../../src/platform/db/sequencer.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('events', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const create = (fields: object = {}, caller = label) =>
    caller.call('POST', '/v1/releases', draft(fields));
  const sequences = (json: { data: { sequence: number }[] }) =>
    json.data.map(({ sequence }) => sequence);

  test('contract §6: release.created carries the release as it was created', async () => {
    const { json: release } = await create();
    await service.sequenceEvents();
    const { status, json } = await label.call('GET', '/v1/events?limit=1');
    assert.equal(status, 200);
    const [{ id, sequence, ...rest }] = json.data;
    assert.match(id, /^evt_/);
    assert.ok(sequence >= 1);
    assert.deepEqual(rest, {
      type: 'release.created',
      created_at: '2026-11-15T12:00:00.000Z',
      api_version: 'v1',
      environment: 'sandbox',
      data: release,
      webhooks: [],
    });
  });

  test('a refused change adds no event, and neither does a change of other fields than the status', async () => {
    const partner = await service.givenOrganization();
    const { json } = await create({}, partner);
    await create({ title: '' }, partner);
    await create({ upc: '1' }, partner);
    await partner.call('PATCH', `/v1/releases/${json.id}`, { title: 'Other' });
    await service.sequenceEvents();
    assert.equal((await partner.call('GET', '/v1/events')).json.data.length, 1);
  });

  test('spec §6: release.status.changed has the previous and the new status', async () => {
    const partner = await service.givenOrganization();
    const { json } = await create({ release_date: '2030-01-01' }, partner);
    await service.makeSubmittable(partner, json.id);
    const org = toUuid(partner.orgId as `org_${string}`);
    await service.query(
      `update organizations set clock_offset_ms = -80000000000 where org_id = $1`,
      [org],
    );
    const submitted = await partner.call('PATCH', `/v1/releases/${json.id}`, {
      status: 'submitted',
    });
    assert.equal(submitted.status, 200);
    await service.sequenceEvents();
    const { json: list } = await partner.call('GET', '/v1/events?type=release.status.changed');
    assert.equal(list.data.length, 1);
    assert.deepEqual(list.data[0].data, {
      release_id: json.id,
      previous_status: 'draft',
      status: 'submitted',
      release: submitted.json,
    });
  });

  test('an event is listed once it has its sequence, not before', async () => {
    const partner = await service.givenOrganization();
    await create({}, partner);
    assert.deepEqual((await partner.call('GET', '/v1/events')).json.data, []);
    await service.sequenceEvents();
    assert.deepEqual(sequences((await partner.call('GET', '/v1/events')).json), [1]);
  });

  describe('a history of 45', () => {
    let partner: OrgClient;
    before(async () => {
      partner = await service.givenOrganization();
      for (let i = 0; i < 45; i++) await create({ title: `T${i}` }, partner);
      await service.sequenceEvents();
    });
    const range = (from: number, to: number) =>
      Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => (to > from ? from + i : from - i));

    test('contract §1: newest first, in pages', async () => {
      const first = await partner.call('GET', '/v1/events');
      assert.deepEqual(sequences(first.json), range(45, 26));
      const second = await partner.call('GET', `/v1/events?cursor=${first.json.next_cursor}`);
      assert.deepEqual(sequences(second.json), range(25, 6));
    });

    test('contract §1: with after, ascending, in pages to the end', async () => {
      const first = await partner.call('GET', '/v1/events?after=10&limit=20');
      assert.deepEqual(sequences(first.json), range(11, 30));
      const rest = await partner.call(
        'GET',
        `/v1/events?after=10&limit=20&cursor=${first.json.next_cursor}`,
      );
      assert.deepEqual(sequences(rest.json), range(31, 45));
      assert.equal(rest.json.has_more, false);
      assert.deepEqual((await partner.call('GET', '/v1/events?after=45')).json.data, []);
    });

    for (const query of ['after=-1', 'after=x', 'type=Release!', 'delivered=1']) {
      test(`contract §1: ?${query} is 400`, async () => {
        assert.equal(
          (await partner.call('GET', `/v1/events?${query}`)).json.error.code,
          'invalid_parameter',
        );
      });
    }
  });

  test('contract §4: every event type is listed with the schema of its data', async () => {
    const { status, json } = await service.request(undefined, 'GET', '/v1/event_types');
    assert.equal(status, 200);
    assert.deepEqual(
      json.data.map(({ type }: { type: string }) => type),
      [
        'ping',
        'release.created',
        'release.status.changed',
        'asset.ready',
        'asset.failed',
        'delivery.completed',
        'delivery.taken_down',
        'delivery.store.updated',
        'delivery.store.overdue',
        'payout.status.changed',
        'payout_method.changed',
        'statement.published',
        'adjustment.created',
        'earnings.held',
        'earnings.released',
        'earnings.forfeited',
        'webhook.disabled',
        'organization.verification.changed',
        'api.changelog.published',
      ],
    );
    const rows = await service.query('select distinct on (type) type, data from events');
    assert.equal(rows.length, 2);
    for (const { type, data } of rows) {
      const { data: schema } = storedTypes.find((each) => each.type === type)!;
      assert.deepEqual(Compile(schema).Errors(data), [], type);
    }
  });

  test('contract §7: every error code is listed with its status, cause and cure', async () => {
    const { json } = await service.request(undefined, 'GET', '/v1/error_codes');
    assert.deepEqual(
      json.data.map(({ code }: { code: string }) => code),
      Object.keys(problems),
    );
    assert.ok(json.data.every(({ cause, cure }: { cause: string; cure: string }) => cause && cure));
  });
});

describe('the sequencer', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  test('every organization has its turn, however many events others have', async () => {
    const callers = await Promise.all([1, 2, 3].map(() => service.givenOrganization()));
    await service.sequenceEvents();
    const turns: string[] = [];
    let previous: string | null = null;
    while (turns.length < callers.length) {
      // The first organization has a new event in each round.
      for (const caller of callers) await caller.call('POST', '/v1/releases', draft());
      const [round]: readonly { next_after: string }[] = await service.relayDb.withoutTenant.query(
        sql`select next_after from sequence_round(${previous}, 1, 100, true)`,
      );
      previous = round!.next_after;
      turns.push(toWire('org', round!.next_after));
    }
    assert.deepEqual(turns, callers.map(({ orgId }) => orgId).toSorted());
    await service.sequenceEvents();
  });

  test('the system organization, whose id is the smallest, has its turn too', async () => {
    const owner = { orgId: systemOrgId, actor: { type: 'operator', id: 'test' } } as const;
    await service.workerDb.transact(owner, async (tx) =>
      appendAudit(tx, { action: 'a.b', auditedId: 'x', before: undefined, after: undefined }),
    );
    await service.sequenceEvents();
    const unlinked = await service.query('select org_id from audit where sequence is null');
    assert.deepEqual(unlinked, []);
  });

  test('three at once, while events are added: no gap, no duplicate, and a reader misses none', async () => {
    const callers = await Promise.all([1, 2, 3].map(() => service.givenOrganization()));
    const run = { isDone: false };
    const sequencers = Array.from({ length: 3 }, async () => {
      const sequence = createSequencer(service.relayDb.withoutTenant);
      while (!run.isDone) await sequence({ isFull: true });
      await service.sequenceEvents();
    });
    /** The event ids that each partner has read. */
    const idsRead = new Map<OrgClient, string[]>(callers.map((caller) => [caller, []]));
    /** Reads as a partner does: everything after the last event it has. */
    const catchUp = async (caller: OrgClient) => {
      const ids = idsRead.get(caller)!;
      const { json } = await caller.call('GET', `/v1/events?after=${ids.length}&limit=100`);
      json.data.forEach((event: { id: string; sequence: number }) => {
        assert.equal(event.sequence, ids.length + 1, 'the next number');
        ids.push(event.id);
      });
    };
    const readers = callers.map(async (caller) => {
      while (!run.isDone) await catchUp(caller);
    });
    await Promise.all(
      callers.flatMap((caller) =>
        Array.from({ length: 8 }, async () => {
          for (let i = 0; i < 15; i++) await caller.call('POST', '/v1/releases', draft());
        }),
      ),
    );
    run.isDone = true;
    await Promise.all([...sequencers, ...readers]);
    for (const caller of callers) {
      await catchUp(caller);
      await catchUp(caller);
      assert.equal(idsRead.get(caller)?.length, 120);
      assert.equal(new Set(idsRead.get(caller)).size, 120);
    }
  });

  test('the text that the audit chain hashes changes when characters move from one column to the next', async () => {
    const text = (fields: string) => `audit_text(jsonb_populate_record(null::audit, '${fields}'))`;
    const [{ differ }] = await service.query(`
      select ${text('{"actor_type":"a|b","actor_id":"c"}')}
          <> ${text('{"actor_type":"a","actor_id":"b|c"}')} as differ`);
    assert.equal(differ, true);
  });

  test('the audit chain verifies, and reports a row that was changed, removed or inserted', async () => {
    const { orgId, call } = await service.givenOrganization();
    for (let i = 0; i < 5; i++) await call('POST', '/v1/releases', draft());
    await service.sequenceEvents();
    const org = toUuid(orgId as `org_${string}`);
    const verify = () =>
      service.admin('audit', 'verify', '--org', orgId) as Promise<Record<string, unknown>>;
    assert.deepEqual(await verify(), { org_id: orgId, intact: true, first_broken: null });
    await service.sequenceEvents();

    const breakAndRestore = async (change: string, restore: string, firstBroken: number) => {
      await service.query(change, [org]);
      assert.equal((await verify())['first_broken'], firstBroken, change);
      await service.query(restore, [org]);
      assert.equal((await verify())['intact'], true, restore);
      await service.sequenceEvents();
    };
    const third = 'where org_id = $1 and sequence = 3';
    await breakAndRestore(
      `update audit set actor_id = 'x' || actor_id ${third}`,
      `update audit set actor_id = substr(actor_id, 2) ${third}`,
      3,
    );
    await breakAndRestore(
      `update audit set sequence = 99999 ${third}`,
      `update audit set sequence = 3 where org_id = $1 and sequence = 99999`,
      3,
    );
  });
});

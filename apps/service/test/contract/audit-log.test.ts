/** The audit log (contract §4, §5): who changed what, with digests of the resource before and after. */

import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { OrgId } from '../../src/kernel/ids.ts';
import { appendEvent } from '../../src/platform/db/events.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

type Entry = {
  readonly id: string;
  readonly sequence: number;
  readonly action: string;
  readonly resource_id: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly request_id: string | null;
  readonly before_digest: string | null;
  readonly after_digest: string | null;
  readonly occurred_at: string;
  readonly hash: string;
};

const sha256 = (text: string): string => hash('sha256', text, 'hex');

describe('the audit log', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const list = async (query = '', caller = label): Promise<Entry[]> => {
    await service.sequenceEvents();
    const { status, text, json } = await caller.call('GET', `/v1/audit_log${query}`);
    assert.equal(status, 200, text);
    return json.data;
  };

  test('contract §4: a change has an entry with its actor, its action, its resource and its request', async () => {
    const { json: release, headers } = await label.call('POST', '/v1/releases', draft());
    const [entry] = await list('?limit=1');
    const { id, sequence, hash: entryHash, actor, ...rest } = entry ?? assert.fail();
    assert.match(id, /^aud_/);
    assert.match(entryHash, /^[0-9a-f]{64}$/);
    assert.ok(sequence > 0);
    assert.equal(actor.type, 'api_key');
    assert.match(actor.id, /^key_/);
    assert.deepEqual(rest, {
      action: 'release.create',
      resource_id: release.id,
      request_id: headers.get('x-request-id'),
      before_digest: null,
      after_digest: sha256(JSON.stringify(release)),
      occurred_at: '2026-11-15T12:00:00.000Z',
    });
  });

  test('contract §4: entries appear once they are linked into the chain, newest first', async () => {
    const caller = await service.givenOrganization();
    await list('', caller);
    await caller.call('POST', '/v1/artists', { name: 'One' });
    const { json } = await caller.call('GET', '/v1/audit_log?action=artist.create');
    assert.deepEqual(json.data, []);
    await caller.call('POST', '/v1/artists', { name: 'Two' });
    const sequences = (await list('', caller)).map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => b - a),
    );
    assert.equal(sequences.at(-1), 1);
    assert.equal(sequences.length, sequences[0]);
  });

  test('a refused request, a read and a replay add no entry', async () => {
    const caller = await service.givenOrganization();
    const key = { 'idempotency-key': randomUUID() };
    await caller.call('POST', '/v1/releases', draft(), key);
    const count = (await list('', caller)).length;
    const replayed = await caller.call('POST', '/v1/releases', draft(), key);
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
    await caller.call('POST', '/v1/releases', draft({ upc: '1' }));
    await caller.call('GET', '/v1/releases');
    assert.equal((await list('', caller)).length, count);
  });

  test('architecture §4: no transaction appends an event without an audit row; the tests refuse it', async () => {
    const actor = { type: 'workflow', id: 'test' } as const;
    const owner = { orgId: label.orgId as OrgId, actor };
    const appending = service.workerDb.transact(owner, async (tx) =>
      appendEvent(tx, { type: 'test', data: {} }),
    );
    await assert.rejects(appending, /appended the event test without an audit row/);
  });

  describe('filters', () => {
    test('contract §4: by actor, action, resource and time, together and page by page', async () => {
      const caller = await service.givenOrganization();
      const second = await service.admin('key', 'create', '--org', caller.orgId);
      for (const [i, time] of ['13:00', '14:00', '15:00', '16:00'].entries()) {
        await service.clock.set(`2026-11-15T${time}:00Z`);
        const key = i % 2 === 0 ? caller.key : second['secret'];
        const { json } = await service.request(key, 'POST', '/v1/artists', { name: `A${i}` });
        await service.request(key, 'PATCH', `/v1/artists/${json.id}`, { name: `B${i}` });
      }
      const all = await list('?limit=100', caller);
      const some = (...filters: ((entry: Entry) => boolean)[]) =>
        all.filter((entry) => filters.every((filter) => filter(entry))).map(({ id }) => id);
      const ofSecond = ({ actor }: Entry) => actor.id === second['id'];
      const ofUpdates = ({ action }: Entry) => action === 'artist.update';
      const resource = all.find(ofUpdates)?.resource_id;
      const inTime = ({ occurred_at: at }: Entry) =>
        at >= '2026-11-15T14:00:00.000Z' && at < '2026-11-15T16:00:00.000Z';
      const time = 'since=2026-11-15T14:00:00Z&until=2026-11-15T16:00:00Z';
      const cases: [string, string[]][] = [
        [`actor=${second['id']}`, some(ofSecond)],
        ['action=artist.update', some(ofUpdates)],
        [`resource=${resource}`, some(({ resource_id }) => resource_id === resource)],
        [time, some(inTime)],
        [`actor=${second['id']}&action=artist.update&${time}`, some(ofSecond, ofUpdates, inTime)],
        ['since=2026-11-15T16:00:00.001Z', []],
      ];
      assert.deepEqual(
        cases.map(([, expected]) => expected.length),
        [4, 4, 2, 4, 1, 0],
      );
      for (const [query, expected] of cases) {
        const found: string[] = [];
        for (let cursor = ''; ;) {
          const { json } = await caller.call('GET', `/v1/audit_log?limit=1&${query}${cursor}`);
          found.push(...json.data.map(({ id }: Entry) => id));
          if (!json.has_more) break;
          cursor = `&cursor=${json.next_cursor}`;
        }
        assert.deepEqual(found, expected, query);
      }
      await service.clock.set('2026-11-15T12:00:00Z');
    });

    test('contract §1: a cursor is bound to its filters, and a bad filter is refused', async () => {
      const { json } = await label.call('GET', '/v1/audit_log?limit=1');
      const other = await label.call(
        'GET',
        `/v1/audit_log?limit=1&action=release.create&cursor=${json.next_cursor}`,
      );
      assert.equal(other.json.error.code, 'invalid_cursor');
      for (const cursor of ['%00', '', 'x', '%F0%9F%8E%B5']) {
        const refused = await label.call('GET', `/v1/audit_log?cursor=${cursor}`);
        assert.deepEqual(
          [refused.status, refused.json.error.code],
          [400, 'invalid_cursor'],
          cursor,
        );
      }
      for (const query of [
        'since=today',
        'resource=rel_1',
        'resource=release',
        'action=A',
        'actor=%20',
        'page=1',
      ]) {
        const { status, json: refusal } = await label.call('GET', `/v1/audit_log?${query}`);
        assert.deepEqual([status, refusal.error.code], [400, 'invalid_parameter'], query);
      }
    });

    test('each filter is one index scan that begins with the organization', async () => {
      const plans: Record<string, string> = {
        "actor_id = 'key_x'": 'actor_id_id_idx',
        "action = 'release.create'": 'action_id_idx',
        "audited_id = 'rel_x'": 'audited_id_id_idx',
        "id < uuid7_floor('2026-11-15')": 'pkey',
      };
      for (const [filter, index] of Object.entries(plans)) {
        const rows = await service.query(
          `explain select * from audit
            where org_id = '00000000-0000-0000-0000-000000000000' and sequence is not null and ${filter}
            order by id desc limit 20`,
        );
        const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
        assert.doesNotMatch(plan, /Seq Scan|Sort  /, `${filter}\n${plan}`);
        assert.match(plan, new RegExp(index), `${filter}\n${plan}`);
      }
    });
  });

  describe('access', () => {
    test('contract §5: needs the scope audit:read', async () => {
      const caller = await service.givenOrganization({ scopes: 'releases:read,events:read' });
      for (const path of ['/v1/audit_log', '/v1/audit_log.jsonl']) {
        const { status, json } = await caller.call('GET', path);
        assert.deepEqual([status, json.error.code], [403, 'insufficient_scope'], path);
        assert.match(json.error.message, /audit:read/);
      }
    });

    test('contract §5: entries of another organization are never shown', async () => {
      const [one, other] = await service.givenOrganizations(2);
      if (one === undefined || other === undefined) assert.fail();
      const { json } = await one.call('POST', '/v1/releases', draft());
      const [entry] = await list(`?resource=${json.id}`, one);
      assert.ok(entry !== undefined);
      assert.deepEqual(await list(`?resource=${json.id}`, other), []);
      assert.deepEqual(await list(`?actor=${entry.actor.id}`, other), []);
      const { json: page } = await one.call('GET', '/v1/audit_log?limit=1');
      const stolen = await other.call('GET', `/v1/audit_log?limit=1&cursor=${page.next_cursor}`);
      assert.equal(stolen.json.error.code, 'invalid_cursor');
      const response = await fetch(`${service.url}/v1/audit_log.jsonl`, {
        headers: { authorization: `Bearer ${other.key}` },
      });
      assert.doesNotMatch(await response.text(), new RegExp(json.id));
    });
  });
});

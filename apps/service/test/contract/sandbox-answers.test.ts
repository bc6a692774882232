/** POST /v1/sandbox/deliveries/{id}/stores/{store_id}/answer: contract §1, §4, §5, §6, §7, §8. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { withoutRequestIds, codeOf, fieldsOf, type Json, monday } from '../delivery-fixture.ts';
import {
  addMs,
  hourMs,
  openSandboxFixture,
  type DrivenPartner,
  type SandboxFixture,
} from '../sandbox-fixture.ts';

const [url, unknown] = ['https://aurora.example/night-drive', 'dlv_01h455vb4pex5vsknk084sn02q'];

describe('answering for a store', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
  });
  beforeEach(async () => {
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  const answer = (id: string, body: object, storeId = 'aurora') =>
    partner.answer(id, storeId, body);
  /** A delivery whose stores confirm after an hour. */
  const givenScripted = async (
    stores = ['aurora'],
    step: object = { action: 'confirm', after: '1h' },
  ) => {
    await partner.addScenario([step], { repeats: true });
    return partner.givenDelivery(stores);
  };
  const timelineTypes = async ({ id }: Json) =>
    (await partner.storeTimeline(id, 'aurora')).map(([type]) => type);

  test('contract §4, §6: applied at once: the response is the changed delivery, and its events exist', async () => {
    const delivery = await givenScripted(['aurora', 'cascade']);
    const { now } = await partner.advance({ by: '10m' });
    const { status, json } = await answer(delivery.id, { answer: 'delivered', url });
    assert.equal(status, 200);
    const { stores } = json;
    assert.deepEqual(json, { ...delivery, stores, updated_at: now });
    assert.deepEqual(stores, [
      {
        ...delivery.stores[0],
        status: 'delivered',
        live_at: now,
        live_basis: 'store',
        updated_at: now,
        store_url: url,
        expected_by: null,
      },
      delivery.stores[1],
    ]);
    const [updated, changed] = (await partner.events()).slice(-2);
    assert.deepEqual([updated.type, updated.created_at], ['delivery.store.updated', now]);
    assert.deepEqual(updated.data.store, stores[0]);
    assert.deepEqual([changed.type, changed.data.status], ['release.status.changed', 'delivered']);
  });

  test('contract §4: applied also while the clock is frozen', async () => {
    const delivery = await givenScripted();
    await partner.setMode('manual');
    const { json } = await answer(delivery.id, { answer: 'delivered' });
    assert.deepEqual([json.status, json.completed_at], ['delivered', monday]);
    const release = await partner.ask('GET', `/v1/releases/${delivery.release_id}`);
    assert.equal(release.status, 'delivered');
  });

  for (const [given, outcome] of [
    ['rejected', 'rejected'],
    ['action_required', 'action_required'],
  ] as const) {
    test(`contract §4: ${given}: replaces the answer that the store had scheduled`, async () => {
      const delivery = await givenScripted();
      await answer(delivery.id, { answer: given, code: 'c', reason: 'r' });
      await partner.advance({ by: '30d' });
      assert.equal((await partner.storeOf(delivery.id)).status, outcome);
      assert.deepEqual(await timelineTypes(delivery), ['created', 'dispatched', given]);
    });
  }

  test('contract §4: replaces the scheduled answer after a flag', async () => {
    const flag = { action: 'flag', after: '1h', resolves: 'reject', resolves_after: '1h' };
    const delivery = await givenScripted(['aurora'], flag);
    await partner.advance({ by: '1h' });
    await answer(delivery.id, { answer: 'action_required', reason: 'Something else.' });
    await partner.advance({ by: '30d' });
    const store = await partner.storeOf(delivery.id);
    assert.deepEqual(
      [store.status, store.rejection_reason],
      ['action_required', 'Something else.'],
    );
  });

  test('contract §4: the scheduled answers of another store and another delivery stay', async () => {
    const delivery = await givenScripted(['aurora', 'cascade']);
    const other = await partner.givenDelivery();
    await answer(delivery.id, { answer: 'rejected' });
    await partner.advance({ by: '1h' });
    assert.deepEqual(await partner.statusByStore(delivery.id), {
      aurora: 'rejected',
      cascade: 'delivered',
    });
    assert.deepEqual(await partner.statusByStore(other.id), { aurora: 'delivered' });
  });

  test('contract §4: a refused answer leaves the scheduled answer', async () => {
    const delivery = await givenScripted();
    assert.equal((await answer(delivery.id, { answer: 'removed' })).status, 409);
    await partner.advance({ by: '1h' });
    assert.equal((await partner.storeOf(delivery.id)).live_at, addMs(monday, hourMs));
  });

  test('contract §4: the store answers a later message itself', async () => {
    const delivery = await givenScripted();
    await answer(delivery.id, { answer: 'rejected' });
    await partner.ask('POST', `/v1/deliveries/${delivery.id}/resubmit`, { force: true });
    await partner.advance({ by: '1h' });
    assert.equal((await partner.storeOf(delivery.id)).status, 'delivered');
  });

  test('contract §3: updates: delivered confirms the revision, rejected leaves the one before', async () => {
    const delivery = await givenScripted();
    await answer(delivery.id, { answer: 'delivered', url });
    const update = async (title: string) => {
      await partner.ask('PATCH', `/v1/releases/${delivery.release_id}`, { title });
      await partner.ask('POST', `/v1/deliveries/${delivery.id}/update`, {});
      await sandbox.runUntilIdle();
    };
    await update('Second');
    const [second] = (await answer(delivery.id, { answer: 'delivered' })).json.stores;
    assert.deepEqual([second.revision, second.pending_revision, second.store_url], [4, null, url]);
    await update('Third');
    const refusal = { answer: 'rejected', code: 'no', reason: 'Not this title.' };
    const [third] = (await answer(delivery.id, refusal)).json.stores;
    assert.deepEqual(
      [third.status, third.revision, third.pending_revision, third.rejection_code, third.update],
      [
        'delivered',
        4,
        null,
        null,
        {
          revision: 5,
          status: 'rejected',
          rejection_code: 'no',
          rejection_reason: 'Not this title.',
        },
      ],
    );
    assert.deepEqual((await timelineTypes(delivery)).slice(-1), ['update_refused']);
  });

  test('contract §3, §6: takedowns: removed → taken_down; refused → delivered, with the reason', async () => {
    const delivery = await givenScripted();
    await answer(delivery.id, { answer: 'delivered' });
    const takeDown = async () => {
      await partner.ask('POST', `/v1/deliveries/${delivery.id}/takedown`, {});
      await sandbox.runUntilIdle();
    };
    await takeDown();
    const refused = (
      await answer(delivery.id, { answer: 'removal_refused', code: 'promo', reason: 'On air.' })
    ).json;
    assert.deepEqual(
      [
        refused.status,
        refused.stores[0].status,
        refused.stores[0].rejection_code,
        refused.stores[0].rejection_reason,
      ],
      ['delivered', 'delivered', 'promo', 'On air.'],
    );
    await takeDown();
    const removed = (await answer(delivery.id, { answer: 'removed' })).json;
    assert.deepEqual([removed.status, removed.stores[0].status], ['taken_down', 'taken_down']);
    const ended = (await partner.events()).filter(({ type }) => type === 'delivery.taken_down');
    assert.equal(ended.length, 1);
  });

  test('contract §3: a takedown requested before the answer is sent once the store delivers', async () => {
    const delivery = await givenScripted();
    await partner.ask('POST', `/v1/deliveries/${delivery.id}/takedown`, {});
    await sandbox.runUntilIdle();
    const { json } = await answer(delivery.id, { answer: 'delivered' });
    assert.equal(json.stores[0].status, 'takedown_requested');
    await sandbox.runUntilIdle();
    assert.deepEqual(sandbox.sentOf(delivery.id), ['aurora deliver 3', 'aurora takedown 3']);
  });

  test('contract §2: without code and reason: a rejection and a flag get both', async () => {
    const delivery = await givenScripted(['aurora', 'cascade']);
    await answer(delivery.id, { answer: 'rejected' });
    const { stores } = (await answer(delivery.id, { answer: 'action_required' }, 'cascade')).json;
    assert.deepEqual(
      stores.map(({ rejection_code, rejection_reason }: Json) => [
        rejection_code,
        rejection_reason,
      ]),
      [
        ['unspecified', 'The store gave no reason.'],
        ['unspecified', 'The store gave no reason.'],
      ],
    );
  });

  test('contract §1: code, reason and url at their maximum length', async () => {
    const delivery = await givenScripted(['aurora', 'cascade']);
    const [code, reason] = ['c'.repeat(100), 'r'.repeat(2_000)];
    const longest = `https://cascade.example/${'x'.repeat(2_000 - 24)}`;
    const [aurora] = (await answer(delivery.id, { answer: 'rejected', code, reason })).json.stores;
    assert.deepEqual([aurora.rejection_code, aurora.rejection_reason], [code, reason]);
    const { stores } = (await answer(delivery.id, { answer: 'delivered', url: longest }, 'cascade'))
      .json;
    assert.equal(stores[1].store_url, longest);
  });

  const refusals: readonly [body: object, code: string, fields: readonly string[]][] = [
    [{}, 'missing_required_field', ['answer']],
    [{ answer: 'accepted' }, 'invalid_field', ['answer']],
    [{ answer: 'taken_down' }, 'invalid_field', ['answer']],
    [{ answer: null }, 'invalid_field', ['answer']],
    [{ answer: 'delivered', code: 'c', reason: 'r' }, 'invalid_field', ['code', 'reason']],
    [
      { answer: 'removed', code: 'c', reason: 'r', url },
      'invalid_field',
      ['code', 'reason', 'url'],
    ],
    [{ answer: 'rejected', url }, 'invalid_field', ['url']],
    [{ answer: 'action_required', url }, 'invalid_field', ['url']],
    [{ answer: 'removal_refused', url }, 'invalid_field', ['url']],
    [{ answer: 'rejected', code: 'c'.repeat(101) }, 'invalid_field', ['code']],
    [{ answer: 'rejected', code: '' }, 'invalid_field', ['code']],
    [{ answer: 'rejected', code: ' ' }, 'invalid_field', ['code']],
    [{ answer: 'rejected', reason: 'r'.repeat(2_001) }, 'invalid_field', ['reason']],
    [{ answer: 'delivered', url: `https://${'x'.repeat(2_000)}` }, 'invalid_field', ['url']],
    [{ answer: 'delivered', url: `${url}\u202e` }, 'invalid_field', ['url']],
    [{ answer: 'action_required', about: 'track' }, 'invalid_field', ['about']],
    [{ answer: 'acknowledged', about: 'release' }, 'invalid_field', ['about']],
    [{ answer: 'removal_refused', about: 'release' }, 'invalid_field', ['about']],
    [{ answer: 'acknowledged', code: 'c', url }, 'invalid_field', ['code', 'url']],
    [{ answer: 'delivered', at: monday }, 'unknown_field', ['at']],
    [{ answer: 'delivered', message_id: 'msg_1' }, 'unknown_field', ['message_id']],
  ];
  test('contract §1, §7: extra fields and values out of bounds → 422, and nothing changes', async () => {
    const delivery = await givenScripted();
    for (const [body, code, fields] of refusals) {
      const reply = await answer(delivery.id, body);
      assert.deepEqual(
        [codeOf(reply), fieldsOf(reply)],
        [[422, code], fields],
        JSON.stringify(body),
      );
    }
    assert.deepEqual(await partner.delivery(delivery.id), delivery);
  });

  test('contract §5: an unknown delivery, one of another organization and a malformed id get the same answer', async () => {
    const delivery = await givenScripted();
    const other = await sandbox.newPartner();
    const body = { answer: 'delivered' };
    const missing = await other.answer(unknown, 'aurora', body);
    assert.deepEqual(codeOf(missing), [404, 'resource_not_found']);
    for (const id of [delivery.id, 'dlv_1', 'x']) {
      const reply = await other.answer(id, 'aurora', body);
      assert.equal(withoutRequestIds(reply), withoutRequestIds(missing), id);
    }
    assert.deepEqual(await partner.delivery(delivery.id), delivery);
  });

  test('contract §4: a store that is not part of the delivery, or does not exist: 404', async () => {
    const delivery = await givenScripted();
    for (const storeId of ['cascade', 'nowhere', 'x'.repeat(60)]) {
      const reply = await answer(delivery.id, { answer: 'delivered' }, storeId);
      assert.deepEqual(codeOf(reply), [404, 'resource_not_found'], storeId);
    }
  });

  test('contract §8: a replay is not applied twice; a stored refusal stays one', async () => {
    const delivery = await givenScripted();
    const path = `/deliveries/${delivery.id}/stores/aurora/answer`;
    const send = (body: object, key: string) =>
      partner.call('POST', path, body, { 'idempotency-key': key });
    const [key, other] = [randomUUID(), randomUUID()];
    const refused = await send({ answer: 'removed' }, other);
    assert.equal(refused.status, 409);
    const first = await send({ answer: 'rejected' }, key);
    await partner.ask('POST', `/v1/deliveries/${delivery.id}/resubmit`, { force: true });
    await sandbox.runUntilIdle();
    const replay = await send({ answer: 'rejected' }, key);
    assert.deepEqual([replay.status, replay.text], [200, first.text]);
    assert.equal((await partner.storeOf(delivery.id)).status, 'in_progress', 'not applied again');
    assert.equal((await send({ answer: 'removed' }, other)).text, refused.text);
  });
});

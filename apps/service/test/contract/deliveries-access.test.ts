/** Organization, scope and idempotency on every route of deliveries: spec §4.2, §5.3 and contract §5, §7, §8. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  withoutRequestIds,
  codeOf,
  openDeliveryFixture,
  storeDeliveryOf,
  type DeliveryFixture,
} from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';

const unknown = 'dlv_01h455vb4pex5vsknk084sn02q';

const routes: readonly [method: string, path: (id: string) => string, body?: object][] = [
  ['GET', (id) => `/v1/deliveries/${id}`],
  ['GET', (id) => `/v1/deliveries/${id}/timeline`],
  ['POST', (id) => `/v1/deliveries/${id}/resubmit`, {}],
  ['POST', (id) => `/v1/deliveries/${id}/update`, {}],
  ['POST', (id) => `/v1/deliveries/${id}/takedown`, { stores: ['aurora'] }],
];

describe('access to deliveries', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  for (const [method, path, body] of routes) {
    test(`contract §5: ${method} ${path('{id}')} answers another organization’s id as an unknown one`, async () => {
      const { id } = await fixture.givenDelivery();
      const earlier = await fixture.get(id);
      const stranger = await fixture.service.givenOrganization();
      const foreign = await stranger.call(method, path(id), body);
      const notFound = await stranger.call(method, path(unknown), body);
      const malformed = await stranger.call(method, path('dlv_x'), body);
      assert.deepEqual(codeOf(foreign), [404, 'resource_not_found']);
      assert.equal(withoutRequestIds(foreign), withoutRequestIds(notFound), 'byte for byte');
      assert.equal(withoutRequestIds(malformed), withoutRequestIds(notFound));
      assert.deepEqual(await fixture.get(id), earlier, 'no trace');
    });

    test(`contract §5: ${method} ${path('{id}')} needs its scope`, async () => {
      const required = method === 'GET' ? 'deliveries:read' : 'deliveries:write';
      const other = method === 'GET' ? 'deliveries:write' : 'deliveries:read';
      const lacking = await fixture.service.givenOrganization({ scopes: `${other},releases:read` });
      assert.deepEqual(codeOf(await lacking.call(method, path(unknown), body)), [
        403,
        'insufficient_scope',
      ]);
      const having = await fixture.service.givenOrganization({ scopes: required });
      assert.equal((await having.call(method, path(unknown), body)).status, 404);
    });

    test(`contract §7: ${method} ${path('{id}')} without a key → 401`, async () => {
      const reply = await fixture.service.request(undefined, method, path(unknown), body);
      assert.deepEqual(codeOf(reply), [401, 'authentication_required']);
    });
  }

  test('contract §5: creating needs deliveries:write, listing deliveries:read', async () => {
    const reader = await fixture.service.givenOrganization({ scopes: 'deliveries:read' });
    const writer = await fixture.service.givenOrganization({ scopes: 'deliveries:write' });
    assert.equal((await reader.call('GET', '/v1/deliveries')).status, 200);
    assert.deepEqual(codeOf(await writer.call('GET', '/v1/deliveries')), [
      403,
      'insufficient_scope',
    ]);
    assert.deepEqual(codeOf(await reader.call('POST', '/v1/deliveries', {})), [
      403,
      'insufficient_scope',
    ]);
    assert.equal((await writer.call('POST', '/v1/deliveries', {})).status, 422);
  });

  describe('spec §5.3, contract §8: a retry with the same key', () => {
    const postWithKey = (
      path: string,
      body: object,
      key: string,
      caller: OrgClient = fixture.label,
    ) => caller.call('POST', `/v1/deliveries${path}`, body, { 'idempotency-key': key });

    test('creates one delivery and gets the same answer', async () => {
      const release_id = await fixture.givenApprovedRelease();
      const body = { release_id, stores: ['aurora'], territory_codes: ['WORLD'] };
      const key = randomUUID();
      const first = await postWithKey('', body, key);
      const replay = await postWithKey('', body, key);
      assert.deepEqual([first.status, replay.status], [201, 201]);
      assert.equal(replay.text, first.text);
      assert.equal(replay.headers.get('location'), first.headers.get('location'));
      assert.equal(replay.headers.get('idempotency-replayed'), 'true');
      assert.equal(first.headers.get('idempotency-replayed'), null);
      const { json } = await fixture.label.call('GET', `/v1/deliveries?release_id=${release_id}`);
      assert.equal(json.data.length, 1);
      const reused = await postWithKey('', { ...body, stores: ['cascade'] }, key);
      assert.deepEqual(codeOf(reused), [422, 'idempotency_key_reused']);
    });

    test('ten at once create one delivery', async () => {
      const release_id = await fixture.givenApprovedRelease();
      const body = { release_id, stores: ['aurora'], territory_codes: ['WORLD'] };
      const key = randomUUID();
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => postWithKey('', body, key)),
      );
      const created = replies.filter(({ status }) => status === 201);
      assert.ok(created.length >= 1);
      assert.equal(new Set(created.map(({ text }) => text)).size, 1);
      for (const reply of replies.filter(({ status }) => status !== 201)) {
        assert.deepEqual(codeOf(reply), [409, 'idempotency_key_in_use']);
        assert.equal(reply.headers.get('retry-after'), '1');
      }
    });

    test('resubmits once, although the delivery has changed since', async () => {
      const delivery = await fixture.givenDelivery({ simulate: '*=reject' });
      await fixture.advanceTime(1_000);
      const key = randomUUID();
      const first = await postWithKey(`/${delivery.id}/resubmit`, { force: true }, key);
      assert.equal(first.json.stores[0].status, 'pending');
      await fixture.runUntilIdle();
      await fixture.advanceTime(1_000);
      const replay = await postWithKey(`/${delivery.id}/resubmit`, { force: true }, key);
      assert.deepEqual([replay.status, replay.text], [200, first.text]);
      assert.equal(storeDeliveryOf(await fixture.get(delivery.id), 'aurora').status, 'rejected');
    });

    test('takes down once', async () => {
      const delivery = await fixture.givenDelivery({ simulate: '*=confirm' });
      await fixture.advanceTime(1_000);
      const key = randomUUID();
      const first = await postWithKey(`/${delivery.id}/takedown`, {}, key);
      const replay = await postWithKey(`/${delivery.id}/takedown`, {}, key);
      assert.deepEqual([replay.status, replay.text], [200, first.text]);
      const { data } = await fixture.timelineOf(delivery.id);
      assert.equal(data.filter(({ type }: { type: string }) => type === 'takedown').length, 1);
    });

    test('a refusal decided after execution began is replayed; a validation error is not', async () => {
      const delivery = await fixture.givenDelivery();
      const refusedKey = randomUUID();
      const refusal = await postWithKey(`/${delivery.id}/resubmit`, {}, refusedKey);
      assert.deepEqual(codeOf(refusal), [409, 'invalid_state']);
      await fixture.answer(delivery, {
        aurora: { kind: 'rejected', rejection: { code: null, reason: 'No.' } },
      });
      const replay = await postWithKey(`/${delivery.id}/resubmit`, {}, refusedKey);
      assert.deepEqual(
        [...codeOf(replay), replay.headers.get('idempotency-replayed')],
        [409, 'invalid_state', 'true'],
      );
      const release_id = await fixture.givenApprovedRelease();
      const key = randomUUID();
      assert.equal((await postWithKey('', { release_id }, key)).status, 422);
      const body = { release_id, stores: ['aurora'], territory_codes: ['WORLD'] };
      assert.equal((await postWithKey('', body, key)).status, 201);
    });

    test('must be a UUID v4', async () => {
      assert.deepEqual(codeOf(await postWithKey(`/${unknown}/takedown`, {}, 'x')), [
        400,
        'invalid_idempotency_key',
      ]);
    });
  });
});

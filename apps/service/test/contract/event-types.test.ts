/** The public list of event types (spec §6, contract §4, §6). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import type { Json } from '../delivery-fixture.ts';
import {
  respondUnavailable,
  dayMs,
  openWebhookFixture,
  type WebhookFixture,
} from '../webhook-fixture.ts';

/** The types of spec §6 and contract §6, without those of statements and payouts, which do not exist yet. */
const specifiedTypes = [
  'ping',
  'release.status.changed',
  'release.created',
  'delivery.completed',
  'delivery.taken_down',
  'delivery.store.updated',
  'delivery.store.overdue',
  'asset.ready',
  'asset.failed',
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
];

describe('contract §4: GET /v1/event_types', () => {
  let fixture: WebhookFixture;
  let types: readonly Json[];
  before(async () => {
    fixture = await openWebhookFixture();
    types = (await fixture.service.request(undefined, 'GET', '/v1/event_types')).json.data;
  });
  after(() => fixture.close());

  const errorsIn = (type: string, data: unknown) =>
    Compile(types.find((each) => each.type === type).schema).Errors(data);

  test('is public: without a credential, and with any', async () => {
    const { status, json } = await fixture.service.request(undefined, 'GET', '/v1/event_types');
    assert.equal(status, 200);
    const caller = await fixture.service.givenOrganization({ scopes: 'stores:read' });
    assert.deepEqual((await caller.call('GET', '/v1/event_types')).json, json);
  });

  test('spec §6, contract §6: lists every specified type once, with a description', () => {
    assert.deepEqual(types.map(({ type }): string => type).toSorted(), specifiedTypes.toSorted());
    for (const each of types) {
      assert.deepEqual(Object.keys(each), ['type', 'description', 'schema', 'example']);
      assert.match(each.description, /^[A-Z].*\.$/);
    }
  });

  for (const type of specifiedTypes) {
    test(`contract §4: ${type}: a schema of all its fields that accepts new ones (spec §9.2), and an example that fits it`, () => {
      const { schema, example } = types.find((each) => each.type === type);
      assert.equal(schema.type, 'object');
      assert.ok(Object.keys(schema.properties).length > 0);
      assert.deepEqual(errorsIn(type, example), []);
      assert.notDeepEqual(errorsIn(type, {}), [], 'the schema does not accept everything');
      assert.deepEqual(errorsIn(type, { ...example, surprise: 1 }), []);
      assert.deepEqual(Object.keys(example).toSorted(), Object.keys(schema.properties).toSorted());
      assert.doesNotMatch(JSON.stringify(schema), /"x-/, 'no keyword of validation');
    });
  }

  test('contract §6: webhooks of the enterprise tier can subscribe to every type except ping', async () => {
    const caller = await fixture.service.givenOrganization({ tier: 'enterprise' });
    const { url } = await fixture.receiver();
    const event_type = specifiedTypes.filter((type) => type !== 'ping');
    const webhook = await fixture.register(caller, url, { event_type });
    assert.deepEqual(webhook.event_type, event_type);
  });

  test('contract §6: sent events match their documented schema', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    const other = await fixture.receiver();
    await fixture.register(caller, other.url);
    const releaseId = await fixture.service.givenSubmittedRelease(caller);
    await fixture.deliverPending();
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    await fixture.advanceTime(5 * dayMs);
    await fixture.triggerEvent(caller);
    await fixture.deliverPending();
    const sentTypes = new Set<string>();
    for (const { json } of [...receiver.all, ...other.all]) {
      sentTypes.add(json.type);
      assert.deepEqual(errorsIn(json.type, json.data), [], json.type);
    }
    assert.ok(releaseId);
    assert.deepEqual([...sentTypes].toSorted(), [
      'ping',
      'release.created',
      'release.status.changed',
      'webhook.disabled',
    ]);
  });
});

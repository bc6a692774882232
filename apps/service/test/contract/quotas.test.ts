/** Contract §7: 429 `quota_exceeded` names the quota, its limit and what frees it. Delivery jobs and pings. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type OrgId, toUuid } from '../../src/kernel/ids.ts';
import { codeOf, openDeliveryFixture, type DeliveryFixture } from '../delivery-fixture.ts';
import { draft, type OrgClient, type Reply } from '../test-service.ts';
import { openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

/** Which quota a refusal names. */
const quotaOf = ({ json }: Reply): unknown => json.error.details[0].field;

describe('contract §7: at most 5 delivery jobs of an organization run at once', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  /** An organization with a release; the jobs name that release. */
  const givenLabel = async (): Promise<OrgClient> => {
    const label = await fixture.service.givenOrganization();
    await givenRelease(label);
    return label;
  };
  const givenRelease = async (label: OrgClient): Promise<void> => {
    const { json } = await label.call('POST', '/v1/releases', draft());
    releaseOf.set(label.orgId, json.id);
  };
  const releaseOf = new Map<string, string>();
  const post = (caller: OrgClient, headers?: Record<string, string>): Promise<Reply> => {
    const body = { action: 'takedown', items: [{ release_id: releaseOf.get(caller.orgId) }] };
    return caller.call('POST', '/v1/delivery_jobs', body, headers);
  };
  const givenRunning = async (caller: OrgClient, count: number): Promise<void> => {
    for (let i = 0; i < count; i++) assert.equal((await post(caller)).status, 202);
  };

  test('the sixth is 429 with Retry-After and names the quota and its limit; other organizations are not refused', async () => {
    const [label, other] = [await givenLabel(), await givenLabel()];
    await givenRunning(label, 5);
    const sixth = await post(label);
    assert.deepEqual(codeOf(sixth), [429, 'quota_exceeded']);
    assert.equal(sixth.headers.get('retry-after'), '5');
    assert.equal(quotaOf(sixth), 'delivery_jobs_running');
    assert.match(sixth.json.error.message, /at most 5 .*completed/i);
    assert.match(sixth.json.error.details[0].issue, /limit is 5/);
    assert.equal((await post(other)).status, 202);
    await fixture.runUntilIdle();
  });

  test('contract §8: the refusal is not stored: the same key is accepted once a job is completed', async () => {
    const label = await givenLabel();
    await givenRunning(label, 5);
    const key = { 'idempotency-key': randomUUID() };
    assert.deepEqual(codeOf(await post(label, key)), [429, 'quota_exceeded']);
    await fixture.runUntilIdle();
    const accepted = await post(label, key);
    assert.deepEqual(
      [accepted.status, accepted.headers.get('idempotency-replayed')],
      [202, null],
      accepted.text,
    );
    await givenRunning(label, 4);
    const replayed = await post(label, key);
    assert.deepEqual([replayed.status, replayed.json.id], [202, accepted.json.id], 'no new job');
    await fixture.runUntilIdle();
  });

  test('of ten concurrent requests for the last place one succeeds', async () => {
    const label = await givenLabel();
    await givenRunning(label, 4);
    const replies = await Promise.all(Array.from({ length: 10 }, () => post(label)));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [202, ...Array.from({ length: 9 }, () => 429)]);
    await fixture.runUntilIdle();
  });

  test('a job that is not valid is 422, also when the quota is used up', async () => {
    const label = await givenLabel();
    await givenRunning(label, 5);
    const body = { action: 'deliver', items: [{ release_id: releaseOf.get(label.orgId) }] };
    const reply = await label.call('POST', '/v1/delivery_jobs', body);
    assert.deepEqual(codeOf(reply), [422, 'missing_required_field']);
    await fixture.runUntilIdle();
  });

  test('jobs of an operator are not counted', async () => {
    const label = await givenLabel();
    await givenRunning(label, 5);
    await fixture.service.query(
      `update delivery_jobs set actor_type = 'operator' where org_id = $1`,
      [toUuid(label.orgId as OrgId)],
    );
    await givenRunning(label, 5);
    await fixture.runUntilIdle();
  });

  test('a sandbox reset frees them', async () => {
    const label = await givenLabel();
    await givenRunning(label, 5);
    await label.call('POST', '/v1/sandbox/reset', { seed: false });
    await fixture.runUntilIdle();
    await givenRelease(label);
    await givenRunning(label, 5);
    await fixture.runUntilIdle();
  });
});

describe('contract §7: at most 10 pings of a webhook a minute', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture('2026-11-16T12:00:20.000Z');
  });
  after(() => fixture.close());

  const ping = (caller: OrgClient, id: string, headers?: Record<string, string>): Promise<Reply> =>
    caller.call('POST', `/v1/webhooks/${id}/ping`, undefined, headers);

  test('the eleventh is 429 until the minute ends; another webhook can still be pinged', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const other = await fixture.register(caller, receiver.url);
    const pinged = receiver.all.length;
    for (let i = 0; i < 10; i++) assert.equal((await ping(caller, webhook.id)).status, 200);
    const key = { 'idempotency-key': randomUUID() };
    const refused = await ping(caller, webhook.id, key);
    assert.deepEqual(codeOf(refused), [429, 'quota_exceeded']);
    assert.equal(refused.headers.get('retry-after'), '40');
    assert.equal(quotaOf(refused), 'webhook_pings_per_minute');
    assert.equal(receiver.all.length, pinged + 10, 'nothing was sent');
    assert.equal((await ping(caller, other.id)).status, 200);
    await fixture.advanceTime(40_000);
    assert.equal((await ping(caller, webhook.id, key)).status, 200, 'the refusal was not stored');
    await fixture.advanceTime(20_000);
  });

  test('of twenty concurrent pings ten are sent', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const pinged = receiver.all.length;
    const replies = await Promise.all(Array.from({ length: 20 }, () => ping(caller, webhook.id)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 10);
    assert.equal(receiver.all.length, pinged + 10);
  });

  test('a change of the URL is a ping too, and is refused without a trace', async () => {
    const { caller, webhook } = await fixture.givenWebhook();
    const otherReceiver = await fixture.receiver();
    for (let i = 0; i < 10; i++) assert.equal((await ping(caller, webhook.id)).status, 200);
    const patch = (body: object) => caller.call('PATCH', `/v1/webhooks/${webhook.id}`, body);
    assert.deepEqual(codeOf(await patch({ url: otherReceiver.url })), [429, 'quota_exceeded']);
    assert.equal((await fixture.webhookOf(caller, webhook.id)).url, webhook.url);
    assert.equal(otherReceiver.all.length, 0);
    assert.equal((await patch({ description: 'No ping, no quota.' })).status, 200);
  });
});

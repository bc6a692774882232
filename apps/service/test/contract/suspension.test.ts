/** Suspended organizations: contract §5, §6, §7. What reads may do is in `authentication.test.ts`. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { composeApi } from '../../src/app/compose.ts';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { createIds } from '../../src/platform/crypto/new-id.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/telemetry/logger.ts';
import { requeueStaleWebhooks } from '../../src/webhooks/commands/requeue-stale-webhooks.ts';
import { countLateDispatchers } from '../../src/webhooks/store/webhook-dispatchers.ts';
import type { Json } from '../delivery-fixture.ts';
import { givenInbox, postToInbox } from '../inbox-fixture.ts';
import {
  databaseUrl,
  draft,
  type OrgClient,
  type TestService,
  unlimited,
} from '../test-service.ts';
import {
  dayMs,
  openWebhookFixture,
  respondUnavailable,
  retryBasesMs,
  type WebhookFixture,
} from '../webhook-fixture.ts';

/** A second api process, as far as caches are concerned, on the database of the first. */
async function openSecondApi(service: TestService) {
  const { clock, database, db, keyUses, keyring, storage } = service;
  const newId = createIds(clock);
  const directory = openDatabase({
    url: databaseUrl(database, 'tonearm_directory'),
    connectionsMax: 1,
    clock,
    newId,
    onIdleError: () => undefined,
  });
  const api = await composeApi({
    environment: 'sandbox',
    clock,
    newId,
    db,
    directory,
    keyUses,
    keyring,
    logger: createLogger('silent'),
    isDraining: () => false,
    limiter: unlimited,
    storage,
    proxyHops: 0,
    outbound: { allowHttp: true, allowLoopback: true },
    publicUrl: undefined,
    requestLog: undefined,
  });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    close: async () => {
      await api.close();
      await directory.close();
    },
  };
}

describe('a suspended organization', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const suspend = ({ orgId }: OrgClient) => fixture.service.admin('org', 'suspend', '--org', orgId);
  const resume = ({ orgId }: OrgClient) => fixture.service.admin('org', 'resume', '--org', orgId);
  const advance = (ms: number) =>
    fixture.service.clock.set(new Date(fixture.service.clock.now().getTime() + ms).toISOString());
  const pendingOf = async (id: string): Promise<Json[]> =>
    fixture.service.query(
      'select attempts, status from webhook_deliveries where webhook_id = $1 order by event_id',
      [toUuid(id as Id<'wh'>)],
    );

  test('contract §5: writes are refused on every instance within 5 s, and allowed again within 5 s', async () => {
    const second = await openSecondApi(fixture.service);
    const caller = await fixture.service.givenOrganization();
    const postAt = async (url: string): Promise<string> => {
      const response = await fetch(`${url}/v1/releases`, {
        method: 'POST',
        headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(draft()),
      });
      const { error } = (await response.json()) as { error?: { code: string } };
      return error?.code ?? String(response.status);
    };
    const postAtBoth = () => Promise.all([fixture.service.url, second.url].map(postAt));
    assert.deepEqual(await postAtBoth(), ['201', '201']);
    await suspend(caller);
    await advance(5_000);
    const refused = 'organization_suspended';
    assert.deepEqual(await postAtBoth(), [refused, refused]);
    const { json } = await caller.call('GET', '/v1/organization');
    assert.notEqual(json.suspended_at, null, 'it reads, and reads since when');
    await resume(caller);
    await advance(5_000);
    assert.deepEqual(await postAtBoth(), ['201', '201']);
    assert.equal((await caller.call('GET', '/v1/organization')).json.suspended_at, null);
    await second.close();
  });

  test('contract §7: a suspended organization keeps the time of its first suspension', async () => {
    const caller = await fixture.service.givenOrganization();
    await suspend(caller);
    const { suspended_at } = (await caller.call('GET', '/v1/organization')).json;
    await advance(60_000);
    await suspend(caller);
    assert.equal((await caller.call('GET', '/v1/organization')).json.suspended_at, suspended_at);
  });

  test('contract §6: no webhook attempt is made; when it is resumed, every event is sent', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    const { caller: other, receiver: otherReceiver } = await fixture.givenWebhook();
    const first = await caller.call('POST', '/v1/releases', draft());
    await suspend(caller);
    await fixture.deliverPending();
    await fixture.triggerEvent(other);
    assert.equal(receiver.events().length, 0);
    assert.equal(otherReceiver.events().length, 1, 'others are served');
    await fixture.advanceTime(dayMs);
    assert.equal(receiver.events().length, 0);
    await resume(caller);
    await fixture.deliverPending();
    const [received, ...more] = receiver.events();
    assert.deepEqual([received?.json.data.id, more], [first.json.id, []]);
  });

  test('contract §6: retries wait without being used up, and the webhook is not disabled by the time', async () => {
    let isUp = true;
    const { caller, receiver, webhook } = await fixture.givenWebhook({}, () =>
      isUp ? { status: 200 } : respondUnavailable(),
    );
    isUp = false;
    await fixture.triggerEvent(caller);
    await fixture.advanceTime(2 * retryBasesMs[0]);
    assert.deepEqual(await pendingOf(webhook.id), [{ attempts: 2, status: 'pending' }]);
    const requests = receiver.events().length;
    await suspend(caller);
    for (const days of [1, 2, 4]) await fixture.advanceTime(days * dayMs);
    assert.equal(receiver.events().length, requests);
    assert.deepEqual(await pendingOf(webhook.id), [{ attempts: 2, status: 'pending' }]);
    await resume(caller);
    await fixture.deliverPending();
    assert.deepEqual(await pendingOf(webhook.id), [{ attempts: 3, status: 'pending' }]);
    assert.equal((await fixture.webhookOf(caller, webhook.id)).status, 'verified', 'after 7 days');
    isUp = true;
    await fixture.advanceTime(2 * retryBasesMs[2]);
    assert.deepEqual(await pendingOf(webhook.id), [{ attempts: 4, status: 'delivered' }]);
  });

  test('contract §6: its dispatchers sleep: no message, no timer, no alert, until it is resumed', async () => {
    const { caller, webhook } = await fixture.givenWebhook({}, (request) =>
      request.json?.type === 'ping' ? { status: 200 } : respondUnavailable(),
    );
    await fixture.triggerEvent(caller);
    await suspend(caller);
    await fixture.advanceTime(dayMs);
    const state = () =>
      fixture.service.query(
        `select state, recheck_at, recheck_count,
                (select count(*)::int from outbox where key = $2) as messages,
                (select count(*)::int from timers where key = $2 and state in ('waiting', 'firing')) as timers
           from webhook_dispatchers where webhook_id = $1`,
        [toUuid(webhook.id), webhook.id],
      );
    const asleep = [{ state: 'idle', recheck_at: null, recheck_count: 0, messages: 0, timers: 0 }];
    assert.deepEqual(await state(), asleep);
    const { workerDb, clock } = fixture.service;
    const reconciler = { db: workerDb, clock, newId: createIds(clock) };
    await advance(dayMs);
    assert.equal(await requeueStaleWebhooks(reconciler), 0);
    assert.equal(await countLateDispatchers(workerDb.withoutTenant, clock), 0);
    assert.deepEqual(await state(), asleep);
  });

  test('contract §6: an attempt in flight when the suspension commits is recorded; its retry is not made', async () => {
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    let isHanging = false;
    const { caller, receiver, webhook } = await fixture.givenWebhook({}, async () => {
      if (!isHanging) return { status: 200 };
      arrived.resolve();
      await answer.promise;
      return respondUnavailable();
    });
    isHanging = true;
    await caller.call('POST', '/v1/releases', draft());
    const delivering = fixture.deliverPending();
    await arrived.promise;
    await suspend(caller);
    answer.resolve();
    await delivering;
    assert.deepEqual(await pendingOf(webhook.id), [{ attempts: 1, status: 'pending' }]);
    await fixture.advanceTime(dayMs);
    assert.equal(receiver.events().length, 1);
    await resume(caller);
    await fixture.deliverPending();
    assert.equal(receiver.events().length, 2);
  });

  test('contract §7: its inbox answers 403 organization_suspended within 5 s, and receives again when resumed', async () => {
    const { label, url, readInbox } = await givenInbox(fixture.service);
    assert.equal((await postToInbox(url, '1')).status, 200);
    await suspend(label);
    await advance(5_000);
    const refused = await postToInbox(url, '2');
    const { error } = (await refused.json()) as { error: { code: string } };
    assert.deepEqual([refused.status, error.code], [403, 'organization_suspended']);
    assert.equal((await readInbox()).data.length, 1);
    await resume(label);
    await advance(5_000);
    assert.equal((await postToInbox(url, '3')).status, 200);
    assert.equal((await readInbox()).data.length, 2);
  });
});

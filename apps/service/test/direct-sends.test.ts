/** New events that a worker sends without the engine (ADR 0055): crashes, take-overs, and what stays with the engine. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { OrgId } from '../src/kernel/ids.ts';
import { toUuid } from '../src/kernel/ids.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { appendAudit } from '../src/platform/db/audit.ts';
import { appendEvent } from '../src/platform/db/events.ts';
import { claimAttempts } from '../src/webhooks/commands/make-attempts.ts';
import { requeueStaleWebhooks } from '../src/webhooks/commands/requeue-stale-webhooks.ts';
import { createDirectSender, type DirectSender } from '../src/webhooks/commands/send-new-events.ts';
import { enterpriseTypes, type WebhookId } from '../src/webhooks/domain/webhook.ts';
import { runDispatcher } from '../src/webhooks/messages.ts';
import {
  fanOutRound,
  renewLeases,
  settleDirectSends,
  type TakenAttempt,
} from '../src/webhooks/store/direct-sends.ts';
import type { Json } from './delivery-fixture.ts';
import { draft, type OrgClient } from './test-service.ts';
import { openWebhookFixture, respondUnavailable, type WebhookFixture } from './webhook-fixture.ts';

const delivered = {
  statusCode: 200,
  failure: null,
  response: 'ok',
  durationMs: 3,
  retryAfterSeconds: null,
};

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

const ownerOf = ({ orgId }: OrgClient) =>
  ({ orgId: orgId as OrgId, actor: { type: 'workflow', id: 'test' } }) as const;

/** What a worker takes in one round, and does not send. */
const take = async (attempts = 100, attemptsPerEndpoint = 4) => {
  await fixture.service.sequenceEvents();
  const { workerDb, clock } = fixture.service;
  const limits = { organizations: 50, attempts, attemptsPerEndpoint, enterpriseTypes };
  return workerDb.transactWithoutTenant((outside) => fanOutRound(outside, clock.now(), limits));
};
const settle = (attempts: readonly TakenAttempt[]) => {
  const { workerDb, clock } = fixture.service;
  const settled = attempts.map(({ event, ...attempt }) => ({
    ...attempt,
    eventId: event.id,
    nextAttemptId: createIds(clock)('att'),
    outcome: delivered,
  }));
  return workerDb.transactWithoutTenant((outside) =>
    settleDirectSends(outside, clock.now(), settled),
  );
};
const dispatcherOf = async (webhook: Json): Promise<Json> => {
  const [row] = await fixture.service.query(
    'select state, is_direct, has_more, recheck_at, is_slow from webhook_dispatchers where webhook_id = $1',
    [toUuid(webhook.id as WebhookId)],
  );
  return row;
};
const createRelease = (caller: OrgClient) => caller.call('POST', '/v1/releases', draft());
const requeueStale = async (afterMs: number): Promise<number> => {
  const { workerDb: db, clock } = fixture.service;
  await clock.set(new Date(clock.now().getTime() + afterMs).toISOString());
  return requeueStaleWebhooks({ db, clock, newId: createIds(clock) });
};

/** Its dispatcher has run once, after the registration. */
const givenIdleWebhook = async () => {
  const created = await fixture.givenWebhook();
  await fixture.deliverPending();
  return created;
};

describe('a new event of an idle, healthy endpoint', () => {
  let created: Awaited<ReturnType<WebhookFixture['givenWebhook']>>;
  beforeEach(async () => {
    created = await givenIdleWebhook();
  });

  test('is sent and recorded without a message to the engine', async () => {
    const { caller, receiver, webhook } = created;
    await createRelease(caller);
    const { attempts, queued } = await take();
    assert.deepEqual([attempts.length, queued], [1, []]);
    assert.deepEqual(await settle(attempts), []);
    assert.deepEqual(await dispatcherOf(webhook), {
      state: 'idle',
      is_direct: false,
      has_more: false,
      recheck_at: null,
      is_slow: false,
    });
    assert.deepEqual(await fixture.service.query('select 1 from outbox'), []);
    const event = await fixture.eventOf(caller, attempts[0]!.event.id);
    assert.deepEqual(
      event.attempts.map((each: Json) => [each.id, each.status_code, each.number]),
      [[attempts[0]!.attemptId, 200, 1]],
    );
    assert.equal(event.webhooks[0].delivery_status, 'delivered');
    await fixture.deliverPending();
    assert.equal(receiver.events().length, 0, 'not once more');
  });

  test('is sent by the engine, once, when the worker that took it has died', async () => {
    const { caller, receiver } = created;
    await createRelease(caller);
    const { attempts } = await take();
    assert.equal(await requeueStale(10_000), 0, 'its lease has not ended');
    assert.equal(await requeueStale(6_000), 1);
    await fixture.deliverPending();
    assert.equal(receiver.events().length, 1);
    assert.equal(receiver.events()[0]!.headers['x-svc-delivery'], attempts[0]!.attemptId);
    await settle(attempts);
    const event = await fixture.eventOf(caller, attempts[0]!.event.id);
    assert.equal(event.attempts.length, 1, 'the late result of the first worker counts no more');
    assert.equal(await requeueStale(600_000), 0);
  });

  test('is left alone by the engine while a worker holds it, also after its lease was renewed', async () => {
    const { caller, receiver, webhook } = created;
    const orgId = caller.orgId as OrgId;
    const webhookId = webhook.id as WebhookId;
    await createRelease(caller);
    const { attempts } = await take();
    await fixture.handle(runDispatcher(orgId, webhookId));
    assert.equal(receiver.events().length, 0);
    const { workerDb, clock } = fixture.service;
    await clock.set(new Date(clock.now().getTime() + 12_000).toISOString());
    await renewLeases(workerDb.withoutTenant, clock.now(), [{ orgId, webhookId, isSlow: true }]);
    assert.equal(await requeueStale(12_000), 0);
    assert.equal((await dispatcherOf(webhook)).is_direct, true);
    await settle(attempts);
    assert.equal((await dispatcherOf(webhook)).state, 'idle');
  });

  test('that follows while a worker sends the first goes to the engine afterwards', async () => {
    const { caller, receiver, webhook } = created;
    await createRelease(caller);
    const first = await take();
    await createRelease(caller);
    assert.deepEqual(await take(), { attempts: [], queued: [] }, 'the endpoint is held');
    assert.equal((await dispatcherOf(webhook)).has_more, true);
    const [queued] = await settle(first.attempts);
    assert.ok(queued !== undefined);
    assert.deepEqual(queued, { orgId: caller.orgId, webhookId: webhook.id });
    assert.equal((await dispatcherOf(webhook)).state, 'queued');
    await fixture.handle(runDispatcher(queued.orgId, queued.webhookId));
    assert.equal(receiver.events().length, 1);
    assert.equal((await dispatcherOf(webhook)).state, 'idle');
  });

  test('a redelivery requested while it is in flight is sent too', async () => {
    const { caller, receiver } = created;
    await createRelease(caller);
    const { attempts } = await take();
    const eventId = attempts[0]!.event.id;
    const { status, text } = await caller.call('POST', `/v1/events/${eventId}/redeliver`);
    assert.equal(status, 202, text);
    for (const { orgId, webhookId } of await settle(attempts)) {
      await fixture.handle(runDispatcher(orgId, webhookId));
    }
    assert.equal(receiver.events().length, 1);
    const event = await fixture.eventOf(caller, eventId);
    assert.equal(event.attempts.length, 2);
    assert.equal(event.webhooks[0].delivery_status, 'delivered');
  });
});

describe('the engine sends', () => {
  const queuedFor = async (caller: OrgClient, limits: Parameters<typeof take> = []) => {
    await createRelease(caller);
    const { attempts, queued } = await take(...limits);
    assert.deepEqual(attempts, []);
    for (const { orgId, webhookId } of queued)
      await fixture.handle(runDispatcher(orgId, webhookId));
    return queued.length;
  };

  test('to endpoints that fail, until they answer', async () => {
    const { caller, receiver } = await givenIdleWebhook();
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    assert.equal(await queuedFor(caller), 1);
    receiver.respondWith(() => ({ status: 200 }));
    await fixture.advanceTime(600_000);
    assert.deepEqual(
      (await fixture.eventsOf(caller)).map((each) => each.webhooks[0].delivery_status),
      ['delivered', 'delivered'],
    );
  });

  test('when the worker has no attempt left', async () => {
    const { caller, receiver } = await givenIdleWebhook();
    assert.equal(await queuedFor(caller, [0]), 1);
    assert.equal(receiver.events().length, 1);
  });

  test('when an endpoint has many new events at once', async () => {
    const { caller, receiver } = await givenIdleWebhook();
    await createRelease(caller);
    assert.equal(await queuedFor(caller, [100, 1]), 1);
    assert.equal(receiver.events().length, 2);
  });
});

test('contract §6: an event goes to the webhooks of its type, and those of the enterprise tier to that tier', async () => {
  const type = 'api.changelog.published';
  const received = async (tier: 'enterprise' | 'growth', event_type: string | string[]) => {
    const caller = await fixture.service.givenOrganization({ tier: 'enterprise' });
    const receiver = await fixture.receiver();
    await fixture.register(caller, receiver.url, { event_type });
    await fixture.service.query('update organizations set tier = $2 where org_id = $1', [
      toUuid(caller.orgId as OrgId),
      tier,
    ]);
    await fixture.service.workerDb.transact(ownerOf(caller), async (tx) => {
      for (const each of [type, 'release.created']) appendEvent(tx, { type: each, data: {} });
      appendAudit(tx, {
        action: 'release.create',
        auditedId: caller.orgId,
        before: undefined,
        after: undefined,
      });
    });
    await fixture.deliverPending();
    return receiver.events().map(({ json }) => json.type);
  };
  assert.deepEqual(await received('enterprise', '*'), [type, 'release.created']);
  assert.deepEqual(await received('enterprise', type), [type]);
  assert.deepEqual(await received('growth', '*'), ['release.created']);
  assert.deepEqual(await received('growth', [type, 'asset.ready']), []);
});

test('an organization whose events cannot be fanned out holds up no other', async () => {
  const [poisoned, other] = [await givenIdleWebhook(), await givenIdleWebhook()];
  const setOffset = (ms: string) =>
    fixture.service.query('update organizations set clock_offset_ms = $2 where org_id = $1', [
      toUuid(poisoned.caller.orgId as OrgId),
      ms,
    ]);
  await createRelease(poisoned.caller);
  await createRelease(other.caller);
  await setOffset('9000000000000000000');
  const { attempts } = await take();
  assert.deepEqual(
    attempts.map(({ webhookId }) => webhookId),
    [other.webhook.id],
  );
  await settle(attempts);
  await setOffset('0');
  await fixture.service.query(
    'update fanout_cursors set recheck_at = now() where recheck_count > 0',
  );
  assert.equal((await take()).attempts.length, 1, 'it is tried again');
});

test('an organization whose fan-out fails at its last step sends nothing', async () => {
  const { caller, webhook } = await givenIdleWebhook();
  const { query } = fixture.service;
  await createRelease(caller);
  await query(`create function refuse() returns trigger language plpgsql as
               $$ begin raise exception 'refused'; end $$`);
  await query(`create trigger refuse before update on fanout_cursors for each row
                 when (new.fanned_out_upto > old.fanned_out_upto) execute function refuse()`);
  assert.deepEqual(await take(), { attempts: [], queued: [] });
  assert.equal((await dispatcherOf(webhook)).state, 'idle');
  await query('drop function refuse() cascade');
  await query('update fanout_cursors set recheck_at = now() where recheck_count > 0');
  const { attempts } = await take();
  assert.equal(attempts.length, 1);
  await settle(attempts);
});

describe('the sandbox does not wait for a slow endpoint', () => {
  /** A worker that has sent an event, gets its answer with `answer()`, and records it when `record()` was called. */
  const givenSend = async () => {
    const { caller, webhook } = await givenIdleWebhook();
    const { workerDb, clock, keyring, environment } = fixture.service;
    const [answered, recordable] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isSent = false;
    const sender = createDirectSender({
      keyring,
      environment,
      clock,
      newId: createIds(clock),
      logger: { error: ({ err }: { err: Error }) => assert.ifError(err) },
      db: {
        ...workerDb,
        transactWithoutTenant: async (work) => {
          if (isSent) await recordable.promise;
          return workerDb.transactWithoutTenant(work);
        },
      },
      post: async (_to, { headers }) => {
        headers();
        isSent = true;
        await answered.promise;
        return delivered;
      },
    });
    await createRelease(caller);
    await fixture.service.sequenceEvents();
    assert.equal(await sender.takeNext(), 1);
    const isSlow = async () => (await dispatcherOf(webhook)).is_slow;
    return { sender, isSlow, answer: answered.resolve, record: recordable.resolve };
  };

  const renewLater = async (t: TestContext, sender: DirectSender) => {
    const later = performance.now() + 10_000;
    const now = t.mock.method(performance, 'now', () => later);
    await sender.renew();
    now.mock.restore();
  };

  test('that has not answered', async (t) => {
    const { sender, isSlow, answer, record } = await givenSend();
    await renewLater(t, sender);
    assert.equal(await isSlow(), true);
    answer();
    record();
    await sender.drain();
  });

  test('but for one that has answered, although the answer is not recorded yet', async (t) => {
    const { sender, isSlow, answer, record } = await givenSend();
    answer();
    await setImmediate();
    await renewLater(t, sender);
    assert.equal(await isSlow(), false);
    record();
    await sender.drain();
  });
});

test('a claim of the engine does not take what a worker holds', async () => {
  const { caller, webhook } = await givenIdleWebhook();
  await createRelease(caller);
  const { attempts } = await take();
  const inFlight = { attempts: [], hasSlow: false };
  const claimed = await fixture.service.workerDb.transact(ownerOf(caller), (tx) =>
    claimAttempts(tx, webhook.id as WebhookId, inFlight, fixture.service),
  );
  assert.deepEqual(claimed, []);
  assert.equal((await dispatcherOf(webhook)).is_direct, true);
  await settle(attempts);
});

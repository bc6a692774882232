/** Webhook work that the engine lost with its disk, or runs twice at once. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hourMs } from '../src/kernel/duration.ts';
import type { OrgId } from '../src/kernel/ids.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { claimAttempts, recordAttempts } from '../src/webhooks/commands/make-attempts.ts';
import { requeueStaleWebhooks } from '../src/webhooks/commands/requeue-stale-webhooks.ts';
import type { AttemptOutcome } from '../src/webhooks/domain/attempt.ts';
import type { WebhookId } from '../src/webhooks/domain/webhook.ts';
import { fanOutRound } from '../src/webhooks/store/direct-sends.ts';
import { expediteRunningDispatchers } from '../src/webhooks/store/webhook-dispatchers.ts';
import { draft } from './test-service.ts';
import { openWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';

const answered = (statusCode: number): AttemptOutcome => ({
  statusCode,
  failure: null,
  response: '',
  durationMs: 1,
  retryAfterSeconds: null,
});

/** Makes the webhook deliveries of new events and leaves them to the engine, whose messages are lost. */
const fanOutForEngine = async ({ service }: WebhookFixture): Promise<void> => {
  const limits = { organizations: 10, attempts: 0, attemptsPerEndpoint: 1 };
  await service.workerDb.transactWithoutTenant((outside) =>
    fanOutRound(outside, service.clock.now(), { ...limits, enterpriseTypes: new Set() }),
  );
};

const noneInFlight = { attempts: [], hasSlow: false };

describe('webhook work that the engine lost', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
    // The sequencer uses the database's clock, which the manual clock does not move: the manual one is ahead of it.
    await fixture.service.clock.set(new Date(Date.now() + hourMs).toISOString());
  });
  after(() => fixture.close());

  /** A numbered event. */
  const givenStaleDispatch = async () => {
    const created = await fixture.givenWebhook();
    await fixture.deliverPending();
    await created.caller.call('POST', '/v1/releases', draft());
    await fixture.service.sequenceEvents();
    return created;
  };
  const requeueStale = async (afterMs: number): Promise<number> => {
    const { service } = fixture;
    await service.clock.set(new Date(service.clock.now().getTime() + afterMs).toISOString());
    return requeueStaleWebhooks({
      db: service.workerDb,
      clock: service.clock,
      newId: createIds(service.clock),
    });
  };

  test('a dispatcher that was queued and never ran is requeued', async () => {
    const { receiver } = await givenStaleDispatch();
    await fanOutForEngine(fixture);
    assert.equal(await requeueStale(1_000), 0, 'not too early');
    assert.equal(await requeueStale(20_000), 1);
    await fixture.deliverPending();
    assert.equal(receiver.events().length, 1);
    assert.equal(await requeueStale(600_000), 0, 'once');
  });

  test('a clock that is advanced and waits for a lost dispatcher requeues it', async () => {
    const { caller, receiver } = await givenStaleDispatch();
    await fanOutForEngine(fixture);
    await fixture.deliverPending();
    assert.equal(receiver.events().length, 0, 'its message is lost');
    const { status } = await caller.call('POST', '/v1/sandbox/clock/advance', { by: '1h' });
    assert.equal(status, 202);
    await fixture.deliverPending();
    assert.equal(receiver.events().length, 1);
    assert.equal((await caller.call('GET', '/v1/sandbox/clock')).json.status, 'idle');
  });

  test('a dispatcher that ran on a worker that is gone is requeued at once, not a minute later', async () => {
    const { caller, receiver, webhook } = await givenStaleDispatch();
    const { service } = fixture;
    const owner = {
      orgId: caller.orgId as OrgId,
      actor: { type: 'workflow', id: 'test' },
    } as const;
    await fanOutForEngine(fixture);
    await service.workerDb.transact(owner, (tx) =>
      claimAttempts(tx, webhook.id as WebhookId, noneInFlight, service),
    );
    assert.equal(await requeueStale(20_000), 0, 'it may still run');
    await expediteRunningDispatchers(service.workerDb.withoutTenant, service.clock.now());
    assert.equal(await requeueStale(0), 1);
    await fixture.deliverPending();
    assert.equal(receiver.events().length, 1);
    assert.equal(await requeueStale(600_000), 0, 'once');
  });
});

describe('two dispatchers of one endpoint', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  test('make the same attempt, and only the result that is recorded first counts', async () => {
    const { caller, webhook } = await fixture.givenWebhook();
    const { service } = fixture;
    const webhookId = webhook.id as WebhookId;
    const owner = {
      orgId: caller.orgId as OrgId,
      actor: { type: 'workflow', id: 'test' },
    } as const;
    const transact = <T>(work: Parameters<typeof service.workerDb.transact<T>>[1]) =>
      service.workerDb.transact(owner, work);
    const claim = () => transact((tx) => claimAttempts(tx, webhookId, noneInFlight, service));

    await caller.call('POST', '/v1/releases', draft());
    await service.sequenceEvents();
    await fanOutForEngine(fixture);
    const [[first], [second]] = [await claim(), await claim()];
    assert.ok(first !== undefined && second !== undefined);
    assert.equal(second.payload.attemptId, first.payload.attemptId, 'the same attempt id');
    await transact((tx) => recordAttempts(tx, webhookId, [{ item: first, result: answered(503) }]));
    await transact((tx) =>
      recordAttempts(tx, webhookId, [{ item: second, result: answered(200) }]),
    );

    const { attempts, webhooks } = await fixture.eventOf(caller, first.payload.eventId);
    assert.deepEqual(
      attempts.map((each: { id: string; status_code: number }) => [each.id, each.status_code]),
      [[first.payload.attemptId, 503]],
    );
    assert.deepEqual([webhooks[0].delivery_status, webhooks[0].attempts], ['pending', 1]);
  });
});

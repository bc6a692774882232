/**
 * The sandbox clock and webhook receivers (contract §4, §6, ADR 0011): with a real engine, a relay, a worker and real
 * receivers, because the clock waits for receivers in real time.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import type { Json } from '../delivery-fixture.ts';
import { openFullStack } from '../full-stack.ts';
import { noResponse, openReceiver, type Receiver, type Responder } from '../receiver.ts';
import { type Partner, partnerOf } from '../sandbox-partner.ts';
import { draft } from '../test-service.ts';
import { hourMs, respondOk, respondUnavailable, retryBasesMs } from '../webhook-fixture.ts';

/** Before the clock stopped waiting for receivers it was 121 s: four attempts of 30 s. */
const advanceSecondsMax = 15;
const attemptTimeoutMs = 30_000;

describe('the sandbox clock and webhook receivers', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  const receivers: Receiver[] = [];
  before(async () => {
    stack = await openFullStack(27_880);
  });
  after(async () => {
    for (const receiver of receivers) await receiver.close();
    await stack.close();
  });

  /** A partner with a manual clock. */
  const newPartner = async (): Promise<Partner> => {
    const partner = partnerOf(stack.service, await stack.service.givenOrganization());
    await partner.setMode('manual');
    return partner;
  };
  /** Verified first: a ping to a receiver that hangs would leave the webhook unverified. */
  const givenEndpoint = async (partner: Partner, responder: Responder) => {
    const receiver = await openReceiver();
    receivers.push(receiver);
    const webhook = await partner.ask('POST', '/v1/webhooks', {
      url: receiver.url,
      event_type: 'release.created',
    });
    assert.equal(webhook.status, 'verified');
    receiver.respondWith(responder);
    return { receiver, webhookId: webhook.id as string };
  };
  const createRelease = (partner: Partner) => partner.ask('POST', '/v1/releases', draft());
  const untilReceived = ({ receiver }: { receiver: Receiver }, count: number) =>
    until(`${count} requests`, () => receiver.events().length === count);
  const advanceInSeconds = async (partner: Partner, by: string): Promise<number> => {
    const begunAt = performance.now();
    await partner.advance({ by }, 150_000);
    return (performance.now() - begunAt) / 1_000;
  };
  /** The newest event as one endpoint sees it. */
  const newestDelivery = async ({ ask }: Partner, webhookId: string): Promise<Json> => {
    const [{ id }] = (await ask('GET', '/v1/events?limit=1')).data;
    const { webhooks, attempts } = await ask('GET', `/v1/events/${id}`);
    const isOfWebhook = ({ webhook_id }: Json) => webhook_id === webhookId;
    return { ...webhooks.find(isOfWebhook), attempts: attempts.filter(isOfWebhook) };
  };
  const untilRecorded = async (partner: Partner, webhookId: string, count: number) => {
    const isRecorded = async () =>
      (await newestDelivery(partner, webhookId)).attempts.length === count;
    await until(`attempt ${count} is recorded`, isRecorded, attemptTimeoutMs + 15_000);
    return newestDelivery(partner, webhookId);
  };
  const assertRetriesInTime = (attempts: readonly Json[], names: string) => {
    const times = attempts.map(({ created_at }) => Date.parse(created_at));
    for (const [i, base] of retryBasesMs.slice(0, attempts.length - 1).entries()) {
      const gap = times[i + 1]! - times[i]!;
      assert.ok(gap >= base * 0.8 && gap <= base * 1.2, `${names}: retry ${i + 1} after ${gap} ms`);
    }
  };

  test('contract §4, §6: an hour passes in seconds while an endpoint hangs, and each attempt ends with an outcome', async (t) => {
    const partner = await newPartner();
    const hanging = await givenEndpoint(partner, () => noResponse);
    await createRelease(partner);
    await untilReceived(hanging, 1);

    const seconds = await advanceInSeconds(partner, '1h');
    t.diagnostic(`an hour took ${seconds.toFixed(1)} s`);
    assert.ok(seconds < advanceSecondsMax, `${seconds} s`);
    const inTheAir = await newestDelivery(partner, hanging.webhookId);
    assert.deepEqual(
      [inTheAir.delivery_status, inTheAir.attempts],
      ['pending', []],
      'the clock has arrived while the attempt is in flight',
    );

    const recorded = await untilRecorded(partner, hanging.webhookId, 1);
    const [attempt] = recorded.attempts;
    const { now } = await partner.clock();
    assert.deepEqual(
      [attempt.failure, attempt.created_at],
      ['The receiver did not answer in time.', now],
      'recorded at the time of the clock when it ended',
    );
    assert.ok(attempt.duration_ms >= attemptTimeoutMs - 500, 'the receiver had all of its time');
    const waitMs = Date.parse(attempt.next_retry_at) - Date.parse(attempt.created_at);
    assert.ok(waitMs >= 4_000 && waitMs <= 6_000, `the retry is due ${waitMs} ms later`);
    assert.equal((await partner.clock()).next_due_at, attempt.next_retry_at);

    const secondsAgain = await advanceInSeconds(partner, '1h');
    await untilReceived(hanging, 2);
    t.diagnostic(`the next hour took ${secondsAgain.toFixed(1)} s`);
    assert.ok(secondsAgain < advanceSecondsMax, `${secondsAgain} s`);
  });

  test('contract §6: a hanging endpoint changes nothing for the others: retries at their times, all made when the clock arrives', async () => {
    const partner = await newPartner();
    const hanging = await givenEndpoint(partner, () => noResponse);
    const failing = await givenEndpoint(partner, respondUnavailable);
    const good = await givenEndpoint(partner, respondOk);
    await createRelease(partner);
    for (const each of [hanging, failing, good]) await untilReceived(each, 1);

    const seconds = await advanceInSeconds(partner, '12h');
    assert.ok(seconds < advanceSecondsMax, `${seconds} s`);
    const { attempts, delivery_status } = await newestDelivery(partner, failing.webhookId);
    assert.deepEqual([delivery_status, attempts.length], ['undelivered', 6]);
    assertRetriesInTime(attempts, 'the failing endpoint');
    assert.equal((await newestDelivery(partner, good.webhookId)).delivery_status, 'delivered');
    assert.deepEqual(
      [hanging, failing, good].map(({ receiver }) => receiver.events().length),
      [1, 6, 1],
    );
  });

  test('contract §6: an answer that comes after the clock has moved on counts; the clock waits again once the endpoint is quick', async () => {
    const partner = await newPartner();
    const endpoint = await givenEndpoint(partner, () => ({ status: 200, delayMs: 8_000 }));
    await createRelease(partner);
    await untilReceived(endpoint, 1);
    const begun = (await partner.clock()).now;
    await advanceInSeconds(partner, '1h');
    assert.deepEqual((await newestDelivery(partner, endpoint.webhookId)).attempts, []);
    const late = await untilRecorded(partner, endpoint.webhookId, 1);
    assert.deepEqual(
      [late.delivery_status, late.attempts[0].status_code],
      ['delivered', 200],
      'within its 30 s',
    );
    assert.equal(Date.parse(late.attempts[0].created_at) - Date.parse(begun), hourMs);

    endpoint.receiver.respondWith(respondUnavailable);
    await createRelease(partner);
    await untilReceived(endpoint, 2);
    await untilRecorded(partner, endpoint.webhookId, 1);
    await advanceInSeconds(partner, '12h');
    const { delivery_status, attempts } = await newestDelivery(partner, endpoint.webhookId);
    assert.deepEqual([delivery_status, attempts.length], ['undelivered', 6]);
    assertRetriesInTime(attempts, 'the endpoint that was slow');
  });
});

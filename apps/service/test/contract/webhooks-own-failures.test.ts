/**
 * Contract §6: a receiver gets six attempts, and the event is undelivered after the last. A request that the worker
 * could not make, because its name server or network is down, is not an attempt.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import { openOutbound } from '../../src/platform/outbound/post.ts';
import { resolveByDns } from '../../src/platform/outbound/resolve.ts';
import type { Json } from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';
import { hourMs, openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

/**
 * No name server listens at this UDP port, so a query is refused at once. It is below the range from which the system
 * gives out ports: a port that was only closed could belong to another process by then.
 */
const unusedServer = '127.0.0.1:1';

describe('while the worker’s name server is down', () => {
  let fixture: WebhookFixture;
  let isDown = false;
  before(async () => {
    const unreachable = resolveByDns([unusedServer]);
    const outbound = openOutbound({
      policy: { allowHttp: true, allowLoopback: true },
      resolve: (name) => (isDown ? unreachable(name) : Promise.resolve(['127.0.0.1'])),
    });
    fixture = await openWebhookFixture(undefined, outbound);
  });
  after(() => fixture.close());

  /** A verified webhook whose URL has a name, which the worker has to resolve. */
  const givenWebhookByName = async () => {
    const created = await fixture.givenWebhook();
    const url = created.receiver.url.replace('127.0.0.1', 'hooks.example.com');
    await fixture.service.query('update webhooks set url = $2 where id = $1', [
      toUuid(created.webhook.id),
      url,
    ]);
    return created;
  };
  const newestEvent = async (caller: OrgClient): Promise<Json> => {
    const [event] = await fixture.eventsOf(caller);
    return fixture.eventOf(caller, event.id);
  };

  test('contract §6: no attempt is counted, for hours; afterwards the event arrives with the first attempt', async () => {
    const { caller, receiver, webhook } = await givenWebhookByName();
    isDown = true;
    await fixture.triggerEvent(caller);
    // Longer than six attempts take.
    for (let hours = 0; hours < 9; hours++) await fixture.advanceTime(hourMs);
    const waiting = await newestEvent(caller);
    assert.deepEqual(
      [waiting.webhooks[0].delivery_status, waiting.webhooks[0].attempts, waiting.attempts],
      ['pending', 0, []],
    );
    const [health] = await fixture.service.query(
      'select failing_since from webhooks where id = $1',
      [toUuid(webhook.id)],
    );
    assert.equal(health.failing_since, null, 'the endpoint does not count as failing');

    isDown = false;
    await fixture.advanceTime(90_000);
    assert.equal(receiver.events().length, 1);
    const { webhooks, attempts } = await newestEvent(caller);
    assert.deepEqual([webhooks[0].delivery_status, webhooks[0].attempts], ['delivered', 1]);
    assert.equal(attempts.length, 1);
  });

  test('contract §6: events meanwhile wait too, with one timer for the endpoint instead of one per event', async () => {
    const { caller, receiver, webhook } = await givenWebhookByName();
    isDown = true;
    for (let i = 0; i < 3; i++) await fixture.triggerEvent(caller, `T${i}`);
    const [timers] = await fixture.service.query(
      `select count(*)::int as count from timers where entity_ref like $1 and state = 'waiting'`,
      [`%${webhook.id}`],
    );
    const { attempts } = await newestEvent(caller);
    assert.equal(
      timers.count,
      1,
      `one timer for the endpoint; attempts: ${JSON.stringify(attempts)}`,
    );
    isDown = false;
    await fixture.advanceTime(90_000);
    assert.equal(receiver.events().length, 3);
  });
});

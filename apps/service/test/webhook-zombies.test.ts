/** Two handlers of one lane at once: the engine gave the first up, and it lives on. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OrgId } from '../src/kernel/ids.ts';
import { fanOutNext } from '../src/webhooks/commands/fan-out.ts';
import { nextTrips, noteTrips } from '../src/webhooks/commands/make-attempts.ts';
import type { Outcome } from '../src/webhooks/domain/attempt.ts';
import type { WebhookId } from '../src/webhooks/domain/webhook.ts';
import { openWebhookScene, type WebhookScene } from './webhook-scene.ts';
import { draft } from './world.ts';

const answered = (statusCode: number): Outcome => ({
  statusCode,
  failure: null,
  response: '',
  durationMs: 1,
  retryAfterSeconds: null,
});

describe('two who send to one endpoint', () => {
  let scene: WebhookScene;
  before(async () => {
    scene = await openWebhookScene();
  });
  after(() => scene.close());

  test('make the same attempt, and it counts once: whoever notes it first is believed', async () => {
    const { caller, webhook } = await scene.given();
    const { world } = scene;
    const webhookId = webhook.id as WebhookId;
    const owner = {
      orgId: caller.orgId as OrgId,
      actor: { type: 'workflow', id: 'test' },
    } as const;
    const inTurn = <T>(work: Parameters<typeof world.worker.transact<undefined, T>>[2]) =>
      world.worker.transact(owner, async () => undefined, work);
    const look = () => inTurn((tx) => nextTrips(tx, webhookId, [], world));

    await caller.call('POST', '/v1/releases', draft());
    await world.sequence();
    await inTurn(fanOutNext);
    const [[first], [second]] = [await look(), await look()];
    assert.ok(first !== undefined && second !== undefined);
    assert.equal(second.letter.attemptId, first.letter.attemptId, 'the same name');
    await inTurn((tx) => noteTrips(tx, webhookId, [{ item: first, got: answered(503) }]));
    await inTurn((tx) => noteTrips(tx, webhookId, [{ item: second, got: answered(200) }]));

    const { attempts, webhooks } = await scene.eventOf(caller, first.letter.eventId);
    assert.deepEqual(
      attempts.map((each: { id: string; status_code: number }) => [each.id, each.status_code]),
      [[first.letter.attemptId, 503]],
    );
    assert.deepEqual([webhooks[0].delivery_status, webhooks[0].attempts], ['pending', 1]);
  });
});

/** A handler that always fails is ended and frees its key; its work is requeued. */

import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../scripts/servers/server.ts';
import { type Clock, systemClock } from '../src/kernel/clock.ts';
import type { OrgId } from '../src/kernel/ids.ts';
import { isClockInSync } from '../src/platform/db/clock-skew.ts';
import type { TxOwner } from '../src/platform/db/database.ts';
import { readOverdueTimers } from '../src/platform/engine/backlog.ts';
import { createDeploymentReaper } from '../src/platform/engine/deployments.ts';
import { checkEngineHealth } from '../src/platform/engine/engine-health.ts';
import { openIngress } from '../src/platform/engine/ingress.ts';
import { enqueueDueSlots } from '../src/platform/engine/schedules.ts';
import { expediteFiringTimers, reconcileTimers, setTimer } from '../src/platform/engine/timers.ts';
import type { HandlerContext, Workflow } from '../src/platform/engine/workflow.ts';
import { createLogger } from '../src/platform/telemetry/logger.ts';
import { kill, type RoleProcess, startRelay } from './processes.ts';
import { openServiceWithEngine } from './service-with-engine.ts';

const clockAheadBy = (ms: number): Clock => ({
  now: () => new Date(systemClock.now().getTime() + ms),
});

describe('an engine whose handlers fail', { concurrency: true }, () => {
  let stack: Awaited<ReturnType<typeof openServiceWithEngine>>;
  let relay: RoleProcess;
  let owner: TxOwner;
  let ingress: ReturnType<typeof openIngress>;
  const poisoned = new Set<string>();
  const attempts = new Map<string, number>();
  const done: string[] = [];

  const tryOnce = async (what: string): Promise<void> => {
    attempts.set(what, (attempts.get(what) ?? 0) + 1);
    if (poisoned.has(what)) throw new Error(`permission denied for ${what}`);
    done.push(what);
  };
  const handlers: Workflow['handlers'] = {
    step: (run) => run.step('work', owner, () => tryOnce(run.entityRef ?? run.key)),
    act: async (run) => {
      await run.externalStep('work', async () => {
        await tryOnce(run.entityRef ?? run.key);
        return null;
      });
    },
    throw: (run) => tryOnce(run.entityRef ?? run.key),
    run: (run: HandlerContext) => run.stepWithoutTenant('work', () => tryOnce(run.key)),
  };

  before(async () => {
    stack = await openServiceWithEngine(21_180);
    const { orgId } = await stack.service.givenOrganization();
    owner = { orgId: orgId as OrgId, actor: { type: 'workflow', id: 'test' } };
    await stack.serve([{ service: 'worked', handlers }], 'one');
    relay = await startRelay(stack.service.database, stack.urls);
    ingress = openIngress(stack.urls.ingressUrl);
  });
  after(async () => {
    await kill(relay);
    await ingress.close();
    await stack.close();
  });

  const isDone = (what: string) => until(`${what} is done`, () => done.includes(what));

  for (const handler of ['step', 'act']) {
    test(`a ${handler} that always fails is tried a few times; then the next message of its lane runs`, async () => {
      const bad = `bad ${handler}`;
      const good = `good ${handler}`;
      poisoned.add(bad);
      const message = { service: 'worked', key: `lane-${handler}`, handler };
      await ingress.send(bad, { ...message, entityRef: bad });
      await until('it has begun', () => attempts.has(bad));
      await ingress.send(good, { ...message, entityRef: good });
      await isDone(good);
      assert.ok((attempts.get(bad) ?? 0) <= 8, `${attempts.get(bad)} attempts`);
    });
  }

  test('a handler that always fails outside its steps is killed; then the next message of its key runs', async () => {
    poisoned.add('bad throw');
    const message = { service: 'worked', key: 'lane-throw', handler: 'throw' };
    await ingress.send('bad throw', { ...message, entityRef: 'bad throw' });
    await until('it has begun', () => attempts.has('bad throw'));
    await ingress.send('good throw', { ...message, entityRef: 'good throw' });
    await isDone('good throw');
  });

  test('a timer whose handler was ended is requeued, and fires once the handler works', async () => {
    poisoned.add('timer');
    const overdue = () => readOverdueTimers(stack.service.workerDb.withoutTenant, systemClock);
    await stack.service.workerDb.transact(
      owner,
      async (tx) => void setTimer(tx, tx.now, { service: 'worked', key: 'timer', handler: 'step' }),
    );
    await until('it was tried', () => (attempts.get('timer') ?? 0) >= 8);
    await reconcileTimers(stack.service.workerDb, clockAheadBy(31_000));
    // Read before the handler works: the requeued timer may fire at once.
    const [oldest] = await overdue();
    poisoned.delete('timer');
    assert.ok(oldest?.service === 'worked' && oldest.seconds >= 30, JSON.stringify(oldest));
    await isDone('timer');
    await until(
      'it has fired',
      async () =>
        (await stack.service.query(`select 1 from timers where key = 'timer' and state = 'fired'`))
          .length === 1,
    );
  });

  test('a timer that was firing when its worker died is requeued at once, not when it is overdue', async () => {
    poisoned.add('begun');
    await stack.service.workerDb.transact(
      owner,
      async (tx) => void setTimer(tx, tx.now, { service: 'worked', key: 'begun', handler: 'step' }),
    );
    await until('it was tried', () => (attempts.get('begun') ?? 0) >= 8);
    poisoned.delete('begun');
    await expediteFiringTimers(stack.service.workerDb, systemClock);
    await reconcileTimers(stack.service.workerDb, systemClock);
    await isDone('begun');
  });

  test('a slot whose run was ended is enqueued again within the slot, each time later', async () => {
    poisoned.add('upkeep');
    const schedules = [{ service: 'worked', job: 'upkeep', everyMs: 3_600_000 }];
    const slotStart = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    const at = (ms: number): Clock => ({ now: () => new Date(slotStart + ms) });
    await enqueueDueSlots(ingress, schedules, at(0));
    await until('it was tried', () => (attempts.get('upkeep') ?? 0) >= 8);
    poisoned.delete('upkeep');
    // The engine records the end of the invocation a moment after the last attempt.
    await until(
      'it is enqueued again',
      async () => {
        await enqueueDueSlots(ingress, schedules, at(61_000));
        return done.includes('upkeep');
      },
      10_000,
      500,
    );
    await enqueueDueSlots(ingress, schedules, at(400_000));
    await enqueueDueSlots(ingress, schedules, at(800_000));
    assert.equal(done.filter((each) => each === 'upkeep').length, 1, 'done once');
  });

  test('a clock that is more than a minute ahead or behind is not in sync', async () => {
    const { withoutTenant } = stack.service.workerDb;
    const isInSync = await Promise.all(
      [0, 50_000, 70_000, -70_000].map((ms) => isClockInSync(withoutTenant, clockAheadBy(ms))),
    );
    assert.deepEqual(isInSync, [true, true, false, false]);
  });

  test('a worker serves only the URL of its own version', async () => {
    const { uri } = await stack.serve([{ service: 'versioned', handlers }], 'v1');
    const { origin } = new URL(uri);
    const session = connect(origin);
    const statusOf = async (path: string) => {
      const request = session.request({ ':path': path });
      const { promise, resolve } = Promise.withResolvers<number | undefined>();
      request.once('response', (headers) => resolve(headers[':status']));
      request.resume().end();
      return promise;
    };
    const statuses = await Promise.all(
      ['/v1/health', '/v10/health', '/v2/health', '/health', '/v2/discover', '/v1/v2/health'].map(
        statusOf,
      ),
    );
    session.destroy();
    assert.deepEqual(statuses, [200, 404, 404, 404, 404, 404]);
  });

  test('canaries are counted although the admin API does not answer', async () => {
    const health = await checkEngineHealth(ingress, 'http://127.0.0.1:29999');
    // No canary is served in this test, so all of them are silent.
    assert.deepEqual(health, { silentCanaries: 96, invocations: undefined });
  });

  test('invocations of a dead deployment are freed and run by the next one; a live deployment keeps its own', async () => {
    const hung = Promise.withResolvers<void>();
    const hanging = (): Workflow => ({
      service: 'moved',
      handlers: {
        record: (run) =>
          run.stepWithoutTenant('work', async () => {
            attempts.set(run.key, (attempts.get(run.key) ?? 0) + 1);
            await hung.promise;
          }),
      },
    });
    const old = await stack.serve([hanging()], 'old');
    const keys = ['a', 'b', 'c'];
    const send = (id: string, key: string) =>
      ingress.send(id, { service: 'moved', key, handler: 'record' });
    const [first] = await Promise.all(keys.map((key) => send(`first ${key}`, key)));
    await until('they have begun', () => keys.every((key) => attempts.has(key)));
    // This handler throws, so the engine keeps retrying it at a deployment that is alive.
    poisoned.add('alive');
    await ingress.send('alive', { service: 'worked', key: 'alive', handler: 'throw' });
    await until('it fails', () => (attempts.get('alive') ?? 0) >= 3);

    await old.crash();
    await stack.serve(
      [
        {
          service: 'moved',
          handlers: {
            record: (run) =>
              run.stepWithoutTenant('work', async () => done.push(`moved ${run.key}`)),
          },
        },
      ],
      'new',
    );
    await Promise.all(keys.map((key) => send(`second ${key}`, key)));
    const freeDead = createDeploymentReaper(stack.urls.adminUrl, createLogger('silent'));
    assert.equal(await freeDead(), 0, 'one failed check is not enough');
    let freed = 0;
    await until(
      'they are freed',
      async () => {
        freed += await freeDead();
        return freed === keys.length;
      },
      10_000,
      200,
    );
    await Promise.all(keys.map((key) => isDone(`moved ${key}`)));
    assert.equal(await ingress.readStatus(first!), 'failed');
    const tried = attempts.get('alive') ?? 0;
    poisoned.delete('alive');
    await isDone('alive');
    assert.ok((attempts.get('alive') ?? 0) > tried, 'the engine retried it by itself');
    hung.resolve();
  });
});

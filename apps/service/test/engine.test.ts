/** The engine: outbox relay, timers, schedules, signed calls, and two versions of the worker side by side. */

import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { until } from '../../../scripts/servers/server.ts';
import { type OrgId, toUuid } from '../src/kernel/ids.ts';
import type { TxOwner } from '../src/platform/db/database.ts';
import { checkEngineHealth } from '../src/platform/engine/engine-health.ts';
import { openIngress } from '../src/platform/engine/ingress.ts';
import { parseEntityRef } from '../src/platform/engine/lanes.ts';
import { enqueueMessage } from '../src/platform/engine/outbox.ts';
import {
  cancelTimer,
  requeueTimer,
  setTimer,
  type TimerId,
} from '../src/platform/engine/timers.ts';
import type { Workflow } from '../src/platform/engine/workflow.ts';
import { kill, type RoleProcess, startRelay, startWorker } from './processes.ts';
import { openServiceWithEngine } from './service-with-engine.ts';

describe('the engine', () => {
  let stack: Awaited<ReturnType<typeof openServiceWithEngine>>;
  let relay: RoleProcess;
  let worker: RoleProcess;
  let owner: TxOwner;
  const recorded: string[] = [];
  const recorder: Workflow = {
    service: 'recorder',
    handlers: {
      record: async (run) => {
        await run.stepWithoutTenant('record', async () => recorded.push(run.key));
      },
      read: async (run) => {
        const { id } = parseEntityRef('ast', run.entityRef);
        await run.stepWithoutTenant('record', async () => recorded.push(id));
      },
    },
  };
  before(async () => {
    stack = await openServiceWithEngine(21_080);
    const { orgId } = await stack.service.givenOrganization();
    owner = { orgId: orgId as OrgId, actor: { type: 'workflow', id: 'test' } };
    await stack.serve([recorder], 'recorder');
    await stack.service.query(`create table idempotency_keys_20200101 partition of idempotency_keys
      for values from ('2020-01-01') to ('2020-01-02')`);
    [relay, worker] = await Promise.all([
      startRelay(stack.service.database, stack.urls),
      startWorker(stack.service.database, stack.urls, {
        TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey,
      }),
    ]);
  });
  after(async () => {
    await Promise.all([kill(relay), kill(worker)]);
    await stack.close();
  });

  const transact = <T>(work: Parameters<typeof stack.service.workerDb.transact<T>>[1]) =>
    stack.service.workerDb.transact(owner, work);
  const message = (key: string) => ({ service: 'recorder', key, handler: 'record' });
  const timer = (key: string, inMs: number) =>
    transact(async (tx) => setTimer(tx, new Date(tx.now.getTime() + inMs), message(key)));
  const callsOf = (key: string) => recorded.filter((each) => each === key).length;
  const waitUntilRecorded = (key: string) => until(`${key} was recorded`, () => callsOf(key) > 0);
  const stateOf = async (id: TimerId) =>
    (await stack.service.query('select state from timers where id = $1', [toUuid(id)]))[0]?.state;

  test('a message of a committed transaction reaches its handler, and leaves the outbox', async () => {
    await transact(async (tx) => enqueueMessage(tx, message('committed')));
    await waitUntilRecorded('committed');
    await until(
      'the outbox is empty',
      async () => (await stack.service.query('select 1 from outbox')).length === 0,
    );
  });

  test('messages that the engine refuses do not block others, and are sent once it accepts them', async () => {
    await transact(async (tx) => {
      for (let i = 0; i < 250; i++)
        enqueueMessage(tx, { ...message(`early ${i}`), service: 'not_yet' });
      enqueueMessage(tx, message('behind them'));
    });
    await waitUntilRecorded('behind them');
    await stack.serve([{ ...recorder, service: 'not_yet' }], 'not-yet');
    await until('all are sent', () =>
      Array.from({ length: 250 }, (_, i) => callsOf(`early ${i}`)).every((n) => n > 0),
    );
  });

  test('a message to a lane has an entity reference; one without a valid reference does not block the lane', async () => {
    const messageAbout = (entityRef?: string) => ({
      service: 'recorder',
      key: 'lane-0',
      handler: 'read',
      ...(entityRef !== undefined && { entityRef }),
    });
    const id = 'ast_01h455vb4pex5vsknk084sn02q';
    await transact(async (tx) => {
      enqueueMessage(tx, messageAbout());
      setTimer(tx, tx.now, messageAbout('org_x:ast_x'));
    });
    await transact(async (tx) => enqueueMessage(tx, messageAbout(`${owner.orgId}:${id}`)));
    await waitUntilRecorded(id);
    await until(
      'the timer with the invalid reference is settled',
      async () =>
        (
          await stack.service.query(
            `select 1 from timers where handler = 'read' and state <> 'fired'`,
          )
        ).length === 0,
    );
  });

  test('a message of a transaction that was rolled back does not reach its handler', async () => {
    await assert.rejects(
      transact(async (tx) => {
        enqueueMessage(tx, message('rolled back'));
        throw new Error('no');
      }),
    );
    await transact(async (tx) => enqueueMessage(tx, message('after it')));
    await waitUntilRecorded('after it');
    assert.equal(callsOf('rolled back'), 0);
  });

  test('a timer fires once it is due, once', async () => {
    const startedAt = Date.now();
    const id = await timer('due', 1_500);
    assert.equal(await stateOf(id), 'waiting');
    await waitUntilRecorded('due');
    assert.ok(Date.now() - startedAt >= 1_500, `${Date.now() - startedAt} ms`);
    await until('it is settled', async () => (await stateOf(id)) === 'fired');
    await transact((tx) => requeueTimer(tx, id));
    await timer('later one', 0);
    await waitUntilRecorded('later one');
    assert.equal(callsOf('due'), 1);
  });

  test('a cancelled timer never fires; a second cancellation returns false', async () => {
    const id = await timer('cancelled', 700);
    assert.equal(await transact((tx) => cancelTimer(tx, id)), true);
    assert.equal(await transact((tx) => cancelTimer(tx, id)), false);
    await timer('after the cancelled', 900);
    await waitUntilRecorded('after the cancelled');
    assert.equal(callsOf('cancelled'), 0);
    assert.equal(await stateOf(id), 'canceled');
  });

  test('a timer is due in business time: with the clock moved forward it fires early, and the later message does nothing', async () => {
    const id = await timer('in an hour', 3_600_000);
    await transact((tx) => requeueTimer(tx, id));
    await timer('after the early message', 0);
    await waitUntilRecorded('after the early message');
    assert.equal(await stateOf(id), 'waiting', 'the message came too early');
    await stack.service.query('update organizations set clock_offset_ms = 3600000');
    await transact((tx) => requeueTimer(tx, id));
    await waitUntilRecorded('in an hour');
    await stack.service.query('update organizations set clock_offset_ms = 0');
    await until('it is settled', async () => (await stateOf(id)) === 'fired');
  });

  test('another organization cannot cancel a timer', async () => {
    const id = await timer('of the owner', 3_600_000);
    const { orgId } = await stack.service.givenOrganization();
    const stranger: TxOwner = { ...owner, orgId: orgId as OrgId };
    const cancelled = await stack.service.workerDb.transact(stranger, (tx) => cancelTimer(tx, id));
    assert.equal(cancelled, false);
    assert.equal(await stateOf(id), 'waiting');
  });

  test('calls the engine did not sign are refused with 401', async () => {
    const { uri } = await stack.serve([{ ...recorder, service: 'guarded' }], 'guarded');
    const session = connect(new URL(uri).origin);
    const status = await new Promise((resolve) => {
      const request = session.request({
        ':method': 'POST',
        ':path': '/guarded/invoke/guarded/record',
        'content-type': 'application/vnd.restate.invocation.v5',
      });
      request.once('response', (headers) => resolve(headers[':status']));
      request.end('x');
    });
    session.destroy();
    assert.equal(status, 401);
  });

  test('the schedule maintains partitions: an expired one is dropped within the worker’s first round', async () => {
    await until('upkeep has run', async () => {
      const [{ n }] = await stack.service.query(
        `select count(*)::int as n from pg_inherits where inhrelid::regclass::text = 'idempotency_keys_20200101'`,
      );
      return n === 0;
    });
  });

  test('canaries over every partition answer, and nothing is paused', async () => {
    const ingress = openIngress(stack.urls.ingressUrl);
    const healthy = { silentCanaries: 0, invocations: { paused: 0, struggling: 0, queued: 0 } };
    // On a slow machine a canary may answer later than the check waits for it.
    await until('every canary has answered', async () =>
      isDeepStrictEqual(await checkEngineHealth(ingress, stack.urls.adminUrl), healthy),
    );
    await ingress.close();
  });

  test('messages behind the first of their key are counted as queued', async () => {
    const gate = Promise.withResolvers<void>();
    const isBegun = Promise.withResolvers<void>();
    const hold: Workflow['handlers'][string] = (run) =>
      run.stepWithoutTenant('hold', async () => {
        isBegun.resolve();
        await gate.promise;
      });
    await stack.serve([{ service: 'held', handlers: { hold } }], 'held');
    await transact(async (tx) => {
      for (let i = 0; i < 4; i++)
        enqueueMessage(tx, { service: 'held', key: 'one key', handler: 'hold' });
    });
    await isBegun.promise;
    const ingress = openIngress(stack.urls.ingressUrl);
    const countQueued = async () =>
      (await checkEngineHealth(ingress, stack.urls.adminUrl)).invocations?.queued;
    await until('three wait', async () => (await countQueued()) === 3);
    gate.resolve();
    await until('none waits', async () => (await countQueued()) === 0);
    await ingress.close();
  });

  test('a new version of the worker leaves 200 handlers in flight to the old one, and gets the next messages', async () => {
    const finished: string[] = [];
    const gate = Promise.withResolvers<void>();
    const startedKeys = new Set<string>();
    const workflowOf = (version: string, steps: readonly string[]): Workflow => ({
      service: 'released',
      handlers: {
        record: async (run) => {
          for (const step of steps) {
            await run.stepWithoutTenant(step, async () => {
              startedKeys.add(run.key);
              if (version === 'v1') await gate.promise;
            });
          }
          await run.stepWithoutTenant('finish', async () => finished.push(`${version} ${run.key}`));
        },
      },
    });
    const old = await stack.serve([workflowOf('v1', ['one', 'two'])], 'v1');
    const ingress = openIngress(stack.urls.ingressUrl);
    const send = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from }, (_, i) =>
          ingress.send(`r${from + i}`, {
            service: 'released',
            key: `k${from + i}`,
            handler: 'record',
          }),
        ),
      );
    await send(0, 200);
    await until('200 are in flight', () => startedKeys.size === 200);
    await stack.serve([workflowOf('v2', ['other', 'steps', 'entirely'])], 'v2');
    // The old worker registers itself repeatedly; that must not make it the newest deployment.
    await old.register();
    await send(200, 250);
    await until(
      'the new ones are finished',
      () => finished.filter((each) => each.startsWith('v2')).length === 50,
    );
    gate.resolve();
    await until('all are finished', () => finished.length === 250);
    assert.equal(finished.filter((each) => each.startsWith('v1')).length, 200);
    assert.equal(new Set(finished.map((each) => each.slice(3))).size, 250);
    await ingress.close();
  });
});

/**
 * The api does not need the engine, the relay or Redis: while the engine is stopped under load no request fails, and
 * timers set meanwhile fire soon after it is back. TONEARM_OUTAGE_MS lengthens the outage.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { setTimer } from '../../src/platform/engine/timers.ts';
import { kill, startApi, startRelay, startWorker } from '../processes.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { draft, openTestService } from '../test-service.ts';

const outageMs = Number(process.env['TONEARM_OUTAGE_MS'] ?? 5_000);

describe('an outage of the engine', () => {
  test(`stopped for ${outageMs} ms under load: no request fails, and every timer fires afterwards`, async (t) => {
    const stack = await openServiceWithEngine(23_080);
    const { database } = stack.service;
    const label = await stack.service.givenOrganization();
    const owner = { orgId: label.orgId as OrgId, actor: { type: 'workflow', id: 'test' } } as const;
    const done = new Set<string>();
    await stack.serve(
      [
        {
          service: 'counter',
          handlers: {
            count: (run) => run.stepWithoutTenant('count', async () => done.add(run.key)),
          },
        },
      ],
      'counter',
    );
    const [api, relay, worker] = await Promise.all([
      startApi(database),
      startRelay(database, stack.urls),
      startWorker(database, stack.urls, { TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey }),
    ]);
    await stack.engine.kill();
    const stoppedAt = Date.now();
    const statuses = new Map<number, number>();
    let timerCount = 0;
    while (Date.now() - stoppedAt < outageMs) {
      const replies = await Promise.all(
        Array.from({ length: 4 }, () =>
          fetch(`${api.url}/v1/releases`, {
            method: 'POST',
            body: JSON.stringify(draft()),
            headers: { authorization: `Bearer ${label.key}`, 'content-type': 'application/json' },
          }),
        ),
      );
      for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const key = `k${timerCount++}`;
      await stack.service.workerDb.transact(owner, async (tx) => {
        setTimer(tx, tx.now, { service: 'counter', key, handler: 'count' });
      });
    }
    await stack.engine.start();
    const backAt = Date.now();
    await until('every timer set meanwhile has fired', () => done.size === timerCount);
    t.diagnostic(
      `${JSON.stringify([...statuses])} answers; ${timerCount} timers done ${Date.now() - backAt} ms after the engine was back`,
    );
    assert.ok((statuses.get(201) ?? 0) > 50);
    assert.deepEqual(
      [...statuses.keys()].filter((status) => status !== 201 && status !== 429),
      [],
    );
    const events = await stack.service.query('select 1 from events where sequence is not null');
    assert.ok(events.length > 0, 'events were numbered during the outage');
    await Promise.all([kill(api), kill(relay), kill(worker)]);
    await stack.close();
  });

  test('an api without relay, worker, engine and Redis serves requests', async () => {
    const service = await openTestService();
    const label = await service.givenOrganization();
    const api = await startApi(service.database, { TONEARM_REDIS_URL: 'redis://127.0.0.1:1' });
    for (let i = 0; i < 20; i++) {
      const { status, headers } = await fetch(`${api.url}/v1/releases`, {
        headers: { authorization: `Bearer ${label.key}` },
      });
      assert.equal(status, 200);
      assert.ok(headers.get('ratelimit-remaining'));
    }
    await kill(api);
    await service.close();
  });
});

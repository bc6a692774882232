/**
 * All state is in PostgreSQL. With relay, worker and engine killed repeatedly and the engine's disk deleted in between,
 * every timer still fires and calls its handler, and an examination and a review that were enqueued durably complete.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../../scripts/servers/server.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { setTimer } from '../../src/platform/engine/timers.ts';
import { waitUntilProcessed, uploadAsset, toneWav } from '../asset-files.ts';
import { kill, startRelay, startWorker } from '../processes.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { draft, fridayAhead } from '../test-service.ts';

/** They fall due while relay and worker are killed. */
const early = { first: 0, count: 150, dueInMs: 0, spreadMs: 6_000 };
/** Only the engine would send them when its disk is deleted. */
const late = { first: early.count, count: 30, dueInMs: 5_000, spreadMs: 0 };
const timers = early.count + late.count;

describe('data loss of the engine', () => {
  test(`${timers} timers are all called although relay and worker are killed and the engine's disk is deleted`, async (t) => {
    const stack = await openServiceWithEngine(22_080);
    const { database } = stack.service;
    const partner = await stack.service.givenOrganization();
    const { orgId } = partner;
    const owner = { orgId: orgId as OrgId, actor: { type: 'workflow', id: 'test' } } as const;
    const calls = new Map<string, number>();
    const { register } = await stack.serve(
      [
        {
          service: 'counter',
          handlers: {
            count: async (run) =>
              run.stepWithoutTenant('count', async () =>
                calls.set(run.key, (calls.get(run.key) ?? 0) + 1),
              ),
          },
        },
      ],
      'counter',
    );
    const env = { TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey };
    const start = {
      relay: () => startRelay(database, stack.urls),
      worker: () => startWorker(database, stack.urls, env),
    };
    let [relay, worker] = await Promise.all([start.relay(), start.worker()]);
    const run = { kills: 0 };
    let assetId = '';
    let releaseId = '';

    const setTimers = async ({ first, count, dueInMs, spreadMs }: typeof early) => {
      for (let i = 0; i < count; i += 30) {
        await stack.service.workerDb.transact(owner, async (tx) => {
          for (let j = i; j < i + 30; j++) {
            const dueAt = new Date(tx.now.getTime() + dueInMs + (j * spreadMs) / count);
            setTimer(tx, dueAt, { service: 'counter', key: `k${first + j}`, handler: 'count' });
          }
        });
      }
    };
    const isHandedOver = async () =>
      (await stack.service.query('select 1 from outbox')).length === 0;
    const killProcesses = async () => {
      for (let i = 0; i < 2; i++) {
        await wait(500);
        await kill(relay);
        relay = await start.relay();
        await kill(worker);
        worker = await start.worker();
        run.kills += 2;
      }
      // A file is being examined and a release reviewed when the engine's disk is deleted.
      const fields = draft({ release_date: fridayAhead() });
      const { json: release } = await partner.call('POST', '/v1/releases', fields);
      await stack.service.makeSubmittable(partner, release.id);
      assetId = await uploadAsset(partner, toneWav(20_000));
      releaseId = release.id;
      const submitted = await partner.call('POST', `/v1/releases/${releaseId}/submit`);
      assert.equal(submitted.status, 200, submitted.text);
      await setTimers(late);
      await until('the engine has every message', isHandedOver);
      await stack.engine.kill();
      stack.engine.wipe();
      run.kills++;
      await stack.engine.start();
      await register();
      // The reconciler finds them at once, not 30 s after their time.
      await stack.service.query(
        `update timers set recheck_at = now() where state in ('waiting', 'firing')`,
      );
    };
    const startedAt = Date.now();
    await Promise.all([setTimers(early), killProcesses()]);
    await until('every handler was called', () => calls.size === timers, 120_000);
    await until(
      'every timer is settled',
      async () =>
        (
          await stack.service.query(
            `select 1 from timers where state <> 'fired' and due_at <= now()`,
          )
        ).length === 0,
      120_000,
    );
    assert.equal((await waitUntilProcessed(partner, assetId)).status, 'ready');
    const { json } = await partner.call('GET', `/v1/releases/${releaseId}`);
    assert.equal(json.submission.review_status, 'approved');
    const events = await stack.service.query(`select 1 from events where data ->> 'id' = $1`, [
      assetId,
    ]);
    assert.equal(events.length, 1, 'one event');
    const repeats = [...calls.values()].filter((count) => count > 1).length;
    t.diagnostic(
      `${run.kills} kills, the disk deleted once: ${calls.size} called, ${repeats} more than once, ${Date.now() - startedAt} ms`,
    );
    assert.equal(calls.size, timers);
    await Promise.all([kill(relay), kill(worker)]);
    await stack.close();
  });
});

/**
 * The fictional catalogue, seeded by a real engine: it has every status, a reset restores it, and a killed
 * worker does not matter.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import { deliveryStatuses } from '../../src/delivery/domain/aggregate.ts';
import { storeDeliveryStatuses } from '../../src/delivery/domain/store-delivery.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import {
  answerChange,
  answerDelivery,
  changeDelivery,
  seedDelivery,
} from '../../src/sandbox/commands/seed-deliveries.ts';
import { seedRelease } from '../../src/sandbox/commands/seed-releases.ts';
import { seedDeliveries } from '../../src/sandbox/domain/seed-delivery-plan.ts';
import { seedReleases } from '../../src/sandbox/domain/seed-plan.ts';
import { kill, type RoleProcess, startRelay, startWorker } from '../processes.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import type { OrgClient, Reply } from '../test-service.ts';

type Json = Reply['json'];

const distinct = (items: readonly Json[], field: string): readonly string[] =>
  [...new Set<string>(items.map((item) => item[field]))].toSorted();

describe('a seeded catalogue', () => {
  let stack: Awaited<ReturnType<typeof openServiceWithEngine>>;
  let relay: RoleProcess;
  let worker: RoleProcess;
  let label: OrgClient;
  before(async () => {
    stack = await openServiceWithEngine(26_780);
    [relay, worker] = await Promise.all([
      startRelay(stack.service.database, stack.urls),
      startOwnWorker(),
    ]);
    await stack.service.admin('stores', 'seed');
    label = await stack.service.givenOrganization();
    await stack.service.admin('isrc', 'add-registrant', '--org', label.orgId, '--code', 'QZSED');
  });
  after(async () => {
    await Promise.all([kill(relay), kill(worker)]);
    await stack.close();
  });
  /** On a fixed port, so that a restarted worker continues the invocations of the killed one. */
  const startOwnWorker = () =>
    startWorker(stack.service.database, stack.urls, {
      TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey,
      TONEARM_WORKER_PORT: String(26_783 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0)),
    });

  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, json, text } = await label.call(method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    return json;
  };
  const waitUntilFinished = async (): Promise<Json> => {
    let now: Json;
    await until(
      'the reset has ended',
      async () => (now = await ask('GET', '/v1/sandbox/reset')).status !== 'running',
      90_000,
    );
    assert.deepEqual([now.status, now.problem], ['idle', null]);
    return now;
  };
  const reset = async (body: object = {}): Promise<Json> => {
    await ask('POST', '/v1/sandbox/reset', body);
    return waitUntilFinished();
  };
  const listAll = async (path: string): Promise<Json[]> =>
    (await ask('GET', `/v1/${path}?limit=100`)).data;

  /** The whole catalogue without ids and times. */
  const readCatalogue = async (): Promise<Json> => {
    const [releases, deliveries, tracks, assets] = await Promise.all(
      ['releases', 'deliveries', 'tracks', 'assets'].map(listAll),
    );
    return {
      releases: releases!.map(({ reference, status }) => `${reference} ${status}`).toSorted(),
      deliveries: deliveries!
        .map(({ reference, status, stores }) =>
          [
            `${reference} ${status}`,
            ...stores.map(
              (store: Json) =>
                `${store.store_id} ${store.status}${store.pending_revision === null ? '' : ' updating'}`,
            ),
          ].join(', '),
        )
        .toSorted(),
      tracks: tracks!.length,
      assets: assets!.map(({ file_name, status }) => `${file_name} ${status}`).toSorted(),
    };
  };
  let first: Json;

  test('has releases, deliveries and stores in every status', async (context) => {
    const began = performance.now();
    const { seeded } = await reset();
    context.diagnostic(`seeded in ${Math.round(performance.now() - began)} ms`);
    assert.equal(seeded, true);
    console.log(JSON.stringify(await listAll('deliveries'), null, 1));
    first = await readCatalogue();
    const releases = await listAll('releases');
    assert.deepEqual(distinct(releases, 'status'), ['delivered', 'draft', 'rejected', 'submitted']);
    assert.deepEqual(distinct(releases, 'type'), ['album', 'compilation', 'ep', 'single']);
    const deliveries = await listAll('deliveries');
    assert.deepEqual(distinct(deliveries, 'status'), deliveryStatuses.toSorted());
    const stores = deliveries.flatMap((delivery) => delivery.stores);
    assert.deepEqual(
      distinct(stores, 'status'),
      storeDeliveryStatuses.filter((status) => status !== 'pending').toSorted(),
    );
    assert.ok(stores.some((store) => store.status === 'delivered' && store.pending_revision > 1));
    assert.deepEqual(await listAll('sandbox/scenarios'), []);
    const clock = await ask('GET', '/v1/sandbox/clock');
    assert.equal(clock.mode, 'running');
    assert.ok(Math.abs(Date.parse(clock.now) - Date.now()) < 5_000, 'the clock has not moved');
  });

  test('has a release with findings that can be fixed', async () => {
    const { data } = await ask('GET', '/v1/releases?reference=demo-sunset-on-mars');
    const { findings } = await ask('POST', `/v1/releases/${data[0].id}/validate`, {});
    const fixable = findings.filter(({ patch }: Json) => patch !== null);
    assert.ok(fixable.length >= 4, JSON.stringify(findings));
  });

  test('is the same after its seeding steps run a second time', async () => {
    const owner = { orgId: label.orgId as OrgId, actor: { type: 'workflow', id: 'test' } } as const;
    const stepsFor = <Plan>(plans: readonly Plan[], work: (tx: Tx, plan: Plan) => Promise<void>) =>
      plans.map((plan) => () => stack.service.workerDb.transact(owner, (tx) => work(tx, plan)));
    const steps = [
      ...stepsFor(seedReleases, seedRelease),
      ...stepsFor(seedDeliveries, seedDelivery),
      ...stepsFor(seedDeliveries, answerDelivery),
      ...(['earlier', 'latest'] as const).flatMap((name) => [
        ...stepsFor(seedDeliveries, (tx, plan) => changeDelivery(tx, plan, name)),
        ...stepsFor(seedDeliveries, (tx, plan) => answerChange(tx, plan, name)),
      ]),
    ];
    for (const step of steps) await step();
    assert.deepEqual(await readCatalogue(), first);
  });

  test('a worker killed during a reset makes no difference, and the clock cannot be moved meanwhile', async () => {
    await ask('POST', '/v1/releases', {
      title: 'Mine',
      artists: [{ name: 'A', role: 'main' }],
      release_date: '2030-01-15',
    });
    await ask('POST', '/v1/sandbox/reset', {});
    await until(
      'the old releases are removed and the first new ones exist',
      async () => {
        const titles = (await listAll('releases')).map(({ title }) => title);
        return titles.length > 3 && !titles.includes('Mine');
      },
      60_000,
    );
    await kill(worker);
    assert.equal((await ask('GET', '/v1/sandbox/reset')).status, 'running');
    for (const [method, path, body] of [
      ['PATCH', '/v1/sandbox/clock', { mode: 'manual' }],
      ['POST', '/v1/sandbox/clock/advance', { by: '1h' }],
    ] as const) {
      const refused = await label.call(method, path, body);
      assert.deepEqual([refused.status, refused.json.error.code], [409, 'invalid_state'], path);
    }
    worker = await startOwnWorker();
    await waitUntilFinished();
    assert.deepEqual(await readCatalogue(), first);
    assert.equal((await ask('GET', '/v1/sandbox/clock')).mode, 'running');
  });
});

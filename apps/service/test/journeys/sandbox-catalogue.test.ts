/**
 * The fictional catalogue, seeded by a real engine: it has every status, it is what its golden file says although the worker
 * was killed during the reset, and its seeding steps can be repeated. `UPDATE_GOLDEN=1` writes the file.
 */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { openReceiver, type Receiver } from '../receiver.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import type { OrgClient, Reply } from '../test-service.ts';

type Json = Reply['json'];

const goldenFile = join(import.meta.dirname, '../golden/sandbox-catalogue.json');

const distinct = (items: readonly Json[], field: string): readonly string[] =>
  [...new Set<string>(items.map((item) => item[field]))].toSorted();

describe('a seeded catalogue', () => {
  let stack: Awaited<ReturnType<typeof openServiceWithEngine>>;
  let relay: RoleProcess;
  let worker: RoleProcess;
  let label: OrgClient;
  let receiver: Receiver;
  before(async () => {
    stack = await openServiceWithEngine(26_780);
    [relay, worker] = await Promise.all([
      startRelay(stack.service.database, stack.urls),
      startOwnWorker(),
    ]);
    await stack.service.admin('stores', 'seed');
    label = await stack.service.givenOrganization();
    await stack.service.admin('isrc', 'add-registrant', '--org', label.orgId, '--code', 'QZSED');
    receiver = await openReceiver(({ json }) => ({ status: json.type === 'ping' ? 200 : 503 }));
    await ask('POST', '/v1/webhooks', { url: receiver.url, event_type: '*' });
  });
  after(async () => {
    await receiver.close();
    await Promise.all([kill(relay), kill(worker)]);
    await stack.close();
  });
  /** On a fixed port, so that a restarted worker continues the invocations of the killed one. */
  const startOwnWorker = () =>
    startWorker(stack.service.database, stack.urls, {
      TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey,
      TONEARM_WEBHOOK_LOOPBACK: 'allow',
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
      300_000,
    );
    assert.deepEqual([now.status, now.problem], ['idle', null]);
    return now;
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
                `${store.store_id} ${store.status} ${store.live_basis} ${store.update?.status} ${store.taken_down_by}`,
            ),
          ].join(', '),
        )
        .toSorted(),
      tracks: tracks!.length,
      assets: assets!.map(({ file_name, status }) => `${file_name} ${status}`).toSorted(),
    };
  };
  const assertIsGolden = async () => {
    const catalogue = await readCatalogue();
    if (process.env['UPDATE_GOLDEN'] !== undefined)
      writeFileSync(goldenFile, `${JSON.stringify(catalogue, undefined, 2)}\n`);
    assert.deepEqual(catalogue, JSON.parse(readFileSync(goldenFile, 'utf8')));
  };

  test('a reset makes it, although its worker is killed meanwhile; the clock cannot be moved until it ends', async () => {
    await ask('POST', '/v1/releases', {
      title: 'Mine',
      artists: [{ name: 'A', role: 'main' }],
      release_date: '2030-01-15',
    });
    await ask('POST', '/v1/sandbox/reset', {});
    await until('the old releases are removed and the first new ones exist', async () => {
      const titles = (await listAll('releases')).map(({ title }) => title);
      return titles.length > 3 && !titles.includes('Mine');
    });
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
    const { seeded } = await waitUntilFinished();
    assert.equal(seeded, true);
    await assertIsGolden();
  });

  test('has releases, deliveries and stores in every status', async () => {
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
    assert.ok(Math.abs(Date.parse(clock.now) - Date.now()) < 60_000, 'the clock has not moved');
  });

  test('catalogue §1.1, §1.2, §1.3, §2: has stores of every kind of confirmation, late answers, and rights', async () => {
    const deliveries = await listAll('deliveries');
    const storeOf = (reference: string, storeId: string): Json =>
      deliveries
        .find((delivery) => delivery.reference === `demo-${reference}-delivery`)
        ?.stores.find((store: Json) => store.store_id === storeId);
    const releaseOf = async (reference: string): Promise<Json> =>
      (await ask('GET', `/v1/releases?reference=demo-${reference}`)).data[0];

    const nightDrive = await releaseOf('night-drive');
    const liveAt = `${nightDrive.release_date}T00:00:00.000Z`;
    for (const [storeId, basis, isReceived] of [
      ['aurora', 'store', false],
      ['jangala', 'inferred', true],
      ['emberline', 'inferred', false],
    ] as const) {
      const { live_at, live_basis, acknowledged_at } = storeOf('night-drive', storeId);
      assert.deepEqual(
        [live_at, live_basis, acknowledged_at !== null],
        [liveAt, basis, isReceived],
        storeId,
      );
    }
    assert.notEqual(storeOf('salt-and-cedar', 'jangala').acknowledged_at, null);
    assert.equal(storeOf('rios', 'emberline').status, 'action_required');

    const flagged = storeOf('glass-city', 'beatlane');
    assert.deepEqual([flagged.status, flagged.live_basis], ['action_required', 'store']);
    assert.deepEqual(
      ['cascade', 'firefly'].map((storeId) => storeOf('glass-city', storeId).taken_down_by),
      ['partner', 'store'],
    );
    const rejected = storeOf('paper-lanterns', 'hanami');
    assert.deepEqual([rejected.status, rejected.update.status], ['delivered', 'rejected']);
    assert.equal(storeOf('paper-lanterns', 'aurora').update.status, 'pending');

    const [leftOut, restricted] = ['indigo', 'driftwood'].map(
      (storeId) => storeOf('salt-and-cedar', storeId).tracks[0].territory_codes,
    );
    assert.deepEqual([leftOut, restricted], [[], ['AU', 'GB', 'IE', 'NZ']]);
    const saltAndCedar = await releaseOf('salt-and-cedar');
    assert.equal(saltAndCedar.release_at, `${saltAndCedar.release_date}T18:00:00.000Z`);
    assert.ok(saltAndCedar.pre_order_date < saltAndCedar.release_date);
    const { territories, excluded_territories } = await releaseOf('rios');
    assert.deepEqual([territories, excluded_territories], [['WORLD'], ['CU', 'ES']]);
  });

  test('has a history of 30 days, without a step in the future', async () => {
    const deliveries = await listAll('deliveries');
    const ages = deliveries.map(
      ({ created_at }) => (Date.now() - Date.parse(created_at)) / 86_400_000,
    );
    assert.ok(
      ages.every((days) => days > 29.9 && days < 30.1),
      ages.join(),
    );
    for (const { id } of deliveries) {
      const { data } = await ask('GET', `/v1/deliveries/${id}/timeline?limit=100`);
      for (const { at } of data) assert.ok(Date.parse(at) <= Date.now(), at);
    }
  });

  test('contract §3: 30 days of failed events do not disable a webhook', async () => {
    const [webhook] = await listAll('webhooks');
    assert.equal(webhook?.status, 'verified');
    receiver.respondWith(() => ({ status: 200 }));
    const hasArrived = async () =>
      receiver.events().some(({ json }) => Date.parse(json.created_at) > Date.now() - 86_400_000);
    await until('the latest events have arrived', hasArrived);
  });

  test('catalogue §4: shows an EAN, localized titles, a cover with its licence and a traditional song', async () => {
    const releaseOf = async (reference: string): Promise<Json> =>
      (await ask('GET', `/v1/releases?reference=${reference}`)).data[0];
    assert.equal((await releaseOf('demo-old-postcards')).ean, '2000000197807');
    const { subgenre, price_tier, localized_titles } = await releaseOf('demo-night-drive');
    assert.deepEqual([subgenre, price_tier], ['Synthwave', 'front']);
    assert.deepEqual(Object.keys(localized_titles), ['es', 'ja']);
    const { id } = await releaseOf('demo-salt-and-cedar');
    const { data } = await ask('GET', `/v1/tracks?release_id=${id}`);
    assert.deepEqual(data.flatMap(({ composition }: Json) => composition ?? []).toSorted(), [
      'cover',
      'public_domain',
    ]);
    const { findings } = await ask('POST', `/v1/releases/${id}/validate`, {});
    assert.deepEqual(
      findings.filter(({ rule }: Json) => /^(cover_licence|ugc_monetized)$/.test(rule)),
      [],
    );
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
    await assertIsGolden();
  });
});

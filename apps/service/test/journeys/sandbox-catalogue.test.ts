/** The fictional catalogue, made by the real engine: every state is there, a reset brings it back, a kill does no harm. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deliveryStatuses } from '../../src/delivery/domain/aggregate.ts';
import { partStatuses } from '../../src/delivery/domain/store-part.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { kill, startWorker } from '../processes.ts';
import { openWorkingWorld } from '../working-world.ts';
import type { Caller, Reply } from '../world.ts';

type Json = Reply['json'];

describe('a seeded catalogue', () => {
  let lab: Awaited<ReturnType<typeof openWorkingWorld>>;
  let label: Caller;
  before(async () => {
    lab = await openWorkingWorld(26_780);
    await lab.world.admin('stores', 'seed');
    label = await lab.world.givenOrganization();
    await lab.world.admin('isrc', 'add-registrant', '--org', label.orgId, '--code', 'QZSED');
  });
  after(() => lab.close());

  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, json, text } = await label.call(method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    return json;
  };
  const finished = async (): Promise<Json> => {
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
    return finished();
  };
  const all = async (path: string): Promise<Json[]> =>
    (await ask('GET', `/v1/${path}?limit=100`)).data;

  /** What there is, without ids and times. */
  const picture = async (): Promise<Json> => {
    const [releases, deliveries, tracks, assets] = await Promise.all(
      ['releases', 'deliveries', 'tracks', 'assets'].map(all),
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

  test('shows every state there is', async (context) => {
    const began = performance.now();
    const { seeded } = await reset();
    context.diagnostic(`seeded in ${Math.round(performance.now() - began)} ms`);
    assert.equal(seeded, true);
    first = await picture();
    console.log(JSON.stringify(first, null, 1));
    const releases = await all('releases');
    assert.deepEqual([...new Set(releases.map(({ status }) => status))].toSorted(), [
      'delivered',
      'draft',
      'rejected',
      'submitted',
    ]);
    assert.deepEqual(
      [...new Set(releases.map(({ type }) => type))].toSorted(),
      ['album', 'compilation', 'ep', 'single'],
    );
    const deliveries = await all('deliveries');
    assert.deepEqual(
      [...new Set(deliveries.map(({ status }) => status))].toSorted(),
      deliveryStatuses.toSorted(),
    );
    const stores = deliveries.flatMap((delivery) => delivery.stores);
    assert.deepEqual(
      [...new Set(stores.map(({ status }) => status))].toSorted(),
      partStatuses.filter((status) => status !== 'pending').toSorted(),
    );
    assert.ok(stores.some((store) => store.status === 'delivered' && store.pending_revision > 1));
    assert.deepEqual(await all('sandbox/scenarios'), []);
    const clock = await ask('GET', '/v1/sandbox/clock');
    assert.equal(clock.mode, 'running');
    assert.ok(Math.abs(Date.parse(clock.now) - Date.now()) < 5_000, 'the clock has not moved');
  });
});

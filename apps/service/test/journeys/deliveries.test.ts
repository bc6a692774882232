/**
 * Deliveries as a partner uses them: only over HTTP, with a real engine, a relay and a worker as processes, and
 * fictional stores that answer by themselves.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import { openFullStack } from '../full-stack.ts';
import { scriptStores } from '../scripted-stores.ts';
import type { OrgClient } from '../test-service.ts';

type Delivery = {
  readonly id: string;
  readonly status: string;
  readonly revision: number;
  readonly completed_at: string | null;
  readonly stores: readonly {
    readonly store_id: string;
    readonly status: string;
    readonly revision: number;
    readonly pending_revision: number | null;
    readonly rejection_code: string | null;
    readonly store_url: string | null;
  }[];
};

const five = ['aurora', 'beatlane', 'cascade', 'firefly', 'indigo'];

describe('deliveries', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let partner: OrgClient;
  before(async () => {
    stack = await openFullStack(26_480);
    await stack.service.admin('stores', 'seed');
    partner = await stack.service.givenOrganization();
  });
  after(() => stack.close());

  const get = async (id: string): Promise<Delivery> =>
    (await partner.call('GET', `/v1/deliveries/${id}`)).json;

  const post = async (path: string, body: object = {}): Promise<Delivery> => {
    const { status, json, text } = await partner.call('POST', `/v1/deliveries${path}`, body);
    assert.ok(status === 200 || status === 201, text);
    return json;
  };

  /** Submits a release and delivers it at once: the service waits for the review, not the partner. */
  const deliver = async (simulate = ''): Promise<{ delivery: Delivery; releaseId: string }> => {
    const releaseId = await stack.service.givenSubmittedRelease(partner);
    await scriptStores(partner, simulate, releaseId);
    const delivery = await post('', {
      release_id: releaseId,
      stores: five,
      territory_codes: ['WORLDWIDE'],
    });
    return { delivery, releaseId };
  };

  const waitForStatus = async (id: string, status: string): Promise<Delivery> => {
    let found = await get(id);
    await until(
      `${id} is ${status}, not ${found.status}`,
      async () => (found = await get(id)).status === status,
    );
    return found;
  };

  const statuses = ({ stores }: Delivery) =>
    Object.fromEntries(stores.map(({ store_id, status }) => [store_id, status]));

  const allStores = (status: string) => Object.fromEntries(five.map((store) => [store, status]));

  /** The statuses in the delivery.completed and delivery.taken_down events of one delivery, in order. */
  const announcedStatuses = async (id: string): Promise<string[]> => {
    const { data } = (
      await partner.call('GET', '/v1/events?after=0&limit=100&type=delivery.completed')
    ).json;
    const { data: takedowns } = (
      await partner.call('GET', '/v1/events?after=0&limit=100&type=delivery.taken_down')
    ).json;
    return [...data, ...takedowns]
      .filter((event) => event.data.id === id)
      .toSorted((a, b) => a.sequence - b.sequence)
      .map((event) => event.data.status);
  };

  const expectAnnounced = async (id: string, expected: readonly string[]) => {
    let found: string[] = [];
    await until(
      'every status was announced',
      async () => (found = await announcedStatuses(id)).length >= expected.length,
    );
    assert.deepEqual(found, expected);
  };

  test('all stores confirm', async () => {
    const { delivery, releaseId } = await deliver();
    assert.deepEqual([delivery.status, delivery.completed_at], ['in_progress', null]);
    assert.deepEqual(statuses(delivery), allStores('pending'), 'the review is still pending');
    const done = await waitForStatus(delivery.id, 'delivered');
    assert.deepEqual(statuses(done), allStores('delivered'));
    assert.ok(done.stores.every(({ store_url }) => store_url?.startsWith('https://')));
    const release = (await partner.call('GET', `/v1/releases/${releaseId}`)).json;
    assert.equal(release.status, 'delivered');
    await expectAnnounced(delivery.id, ['delivered']);
  });

  test('one store rejects; the corrected and resubmitted release is delivered', async () => {
    const { delivery, releaseId } = await deliver('cascade=reject');
    const rejected = await waitForStatus(delivery.id, 'rejected');
    const cascade = rejected.stores.find(({ store_id }) => store_id === 'cascade');
    assert.equal(cascade?.rejection_code, 'metadata_error');
    await until('the other stores have delivered', async () => {
      const { cascade: refused, ...others } = statuses(await get(delivery.id));
      return refused === 'rejected' && Object.values(others).every((each) => each === 'delivered');
    });
    const stale = await partner.call('POST', `/v1/deliveries/${delivery.id}/resubmit`, {});
    assert.equal(stale.json.error.code, 'nothing_changed');
    await partner.call('PATCH', `/v1/releases/${releaseId}`, { title: 'Night Drive Home' });
    await scriptStores(partner, '', releaseId);
    const resubmitted = await post(`/${delivery.id}/resubmit`);
    assert.equal(resubmitted.id, delivery.id);
    assert.deepEqual(statuses(resubmitted), { ...allStores('delivered'), cascade: 'pending' });
    await waitForStatus(delivery.id, 'delivered');
    await expectAnnounced(delivery.id, ['rejected', 'delivered']);
    const { data } = (await partner.call('GET', `/v1/deliveries/${delivery.id}/timeline?limit=100`))
      .json;
    const resubmission = data.find(({ type }: { type: string }) => type === 'resubmission');
    assert.deepEqual(resubmission.changes, [
      { pointer: '/title', before: 'Night Drive', after: 'Night Drive Home' },
    ]);
  });

  test('one store flags and later confirms', async () => {
    const { delivery } = await deliver('indigo=flag_then_confirm');
    const flagged = await waitForStatus(delivery.id, 'action_required');
    const indigo = flagged.stores.find(({ store_id }) => store_id === 'indigo');
    assert.equal(indigo?.rejection_code, 'rights_conflict');
    await waitForStatus(delivery.id, 'delivered');
    await expectAnnounced(delivery.id, ['action_required', 'delivered']);
  });

  test('three of five stores taken down, then the rest', async () => {
    const { delivery } = await deliver();
    await waitForStatus(delivery.id, 'delivered');
    const three = ['aurora', 'beatlane', 'cascade'];
    const requested = await post(`/${delivery.id}/takedown`, {
      stores: three,
      reason: 'Moving labels',
    });
    assert.equal(
      requested.status,
      'delivered',
      'spec §3.2: it changes once all requested stores confirm',
    );
    await until('three stores are taken down', async () => {
      const now = statuses(await get(delivery.id));
      return three.every((store) => now[store] === 'taken_down');
    });
    assert.equal(
      (await get(delivery.id)).status,
      'delivered',
      'the other stores decide the status',
    );
    await post(`/${delivery.id}/takedown`);
    const takenDown = await waitForStatus(delivery.id, 'taken_down');
    assert.deepEqual(statuses(takenDown), allStores('taken_down'));
    await expectAnnounced(delivery.id, ['delivered', 'taken_down']);
  });

  test('a live release is updated at the stores that support updates', async () => {
    const { delivery, releaseId } = await deliver();
    await waitForStatus(delivery.id, 'delivered');
    const { json } = await partner.call('PATCH', `/v1/releases/${releaseId}`, {
      genre: 'Ambient',
    });
    const updated = await post(`/${delivery.id}/update`);
    assert.equal(updated.status, 'delivered');
    const pending = updated.stores.map(({ pending_revision }) => pending_revision);
    // Firefly does not support updates.
    assert.deepEqual(pending, [json.revision, json.revision, json.revision, null, json.revision]);
    await until('all have confirmed', async () =>
      (await get(delivery.id)).stores.every(({ pending_revision }) => pending_revision === null),
    );
    const done = await get(delivery.id);
    assert.deepEqual(done.stores.filter(({ revision }) => revision === json.revision).length, 4);
    await expectAnnounced(delivery.id, ['delivered']);
  });

  test('a job delivers many releases, and reports a refused item', async () => {
    const releases = await Promise.all(
      Array.from({ length: 5 }, () => stack.service.givenSubmittedRelease(partner)),
    );
    await scriptStores(partner, '');
    const { json: draft } = await partner.call('POST', '/v1/releases', {
      title: 'Unready',
      artists: [{ name: 'Aurora Díaz', role: 'main' }],
      release_date: '2027-02-01',
    });
    const job = await partner.call('POST', '/v1/delivery_jobs', {
      action: 'deliver',
      stores: ['aurora', 'indigo'],
      territory_codes: ['US', 'DE'],
      items: [...releases, draft.id].map((release_id) => ({ release_id })),
    });
    assert.equal(job.status, 202, job.text);
    const path = `/v1/delivery_jobs/${job.json.id}`;
    await until(
      'the job is completed',
      async () => (await partner.call('GET', path)).json.status === 'completed',
    );
    const { json: done } = await partner.call('GET', path);
    assert.deepEqual([done.total, done.succeeded, done.failed], [6, 5, 1]);
    assert.equal(done.items[5].error.code, 'invalid_state');
    for (const { delivery_ids } of done.items.slice(0, 5)) {
      await waitForStatus(delivery_ids[0], 'delivered');
    }
  });

  test('a message that waited for a paused store is sent when the store resumes', async () => {
    await stack.service.admin('stores', 'pause', '--store', 'aurora');
    const { delivery } = await deliver();
    await until('the other stores have delivered', async () => {
      const { aurora, ...others } = statuses(await get(delivery.id));
      return aurora === 'pending' && Object.values(others).every((each) => each === 'delivered');
    });
    await stack.service.admin('stores', 'resume', '--store', 'aurora');
    await waitForStatus(delivery.id, 'delivered');
  });
});

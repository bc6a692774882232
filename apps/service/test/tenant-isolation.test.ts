/** Contract §5: another organization's id answers exactly as an unknown id, on every route. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { AnyOperation } from '../src/platform/http/operation.ts';
import {
  type OrgClient,
  draft,
  openTestService,
  type Reply,
  type TestService,
} from './test-service.ts';

const unknown = Object.fromEntries(
  Object.entries({
    release_id: 'rel',
    artist_id: 'art',
    label_id: 'lbl',
    track_id: 'trk',
    asset_id: 'ast',
    delivery_id: 'dlv',
    job_id: 'job',
    scenario_id: 'scn',
    webhook_id: 'wh',
    event_id: 'evt',
  }).map(([name, prefix]) => [name, `${prefix}_01h455vb4pex5vsknk084sn02q`]),
);
/** Stores belong to no organization. */
const store_id = 'aurora';

/** The parts of a reply that a caller could compare, without those that differ between any two requests. */
function comparable({ status, headers, text }: Reply): object {
  const volatile = new Set(['x-request-id', 'date']);
  const kept = [...headers].filter(([name]) => !volatile.has(name));
  return { status, headers: kept, text: text.replaceAll(/req_\w{26}/g, 'req_') };
}

describe('two organizations', () => {
  let service: TestService;
  let owner: OrgClient;
  let stranger: OrgClient;
  let releaseId: string;
  let own: Record<string, string>;
  before(async () => {
    service = await openTestService();
    owner = await service.givenOrganization();
    stranger = await service.givenOrganization();
    releaseId = (await owner.call('POST', '/v1/releases', draft({ title: 'Secret Title' }))).json
      .id;
    await service.makeSubmittable(owner, releaseId);
    const { json: tracks } = await owner.call('GET', '/v1/tracks');
    const asset_id = await service.givenAsset(owner, 'audio', 'failed');
    await service.admin('stores', 'seed');
    const release_id = await service.givenSubmittedRelease(owner);
    const plan = { release_id, stores: ['aurora'], territory_codes: ['DE'] };
    const { json: delivery } = await owner.call('POST', '/v1/deliveries', plan);
    const { json: job } = await owner.call('POST', '/v1/delivery_jobs', {
      action: 'takedown',
      items: [{ release_id }],
    });
    const { json: scenario } = await owner.call('POST', '/v1/sandbox/scenarios', {
      steps: [{ action: 'lose' }],
    });
    const { json: webhook } = await owner.call('POST', '/v1/webhooks', {
      // The port is closed, so the webhook stays unverified.
      url: 'http://127.0.0.1:9999/hooks',
      event_type: '*',
    });
    const { json: artist } = await owner.call('POST', '/v1/artists', { name: 'Secret Artist' });
    const { json: label } = await owner.call('POST', '/v1/labels', { name: 'Secret Label' });
    await service.sequenceEvents();
    const { json: events } = await owner.call('GET', '/v1/events');
    own = {
      store_id,
      release_id: releaseId,
      artist_id: artist.id,
      label_id: label.id,
      track_id: tracks.data[0].id,
      asset_id,
      delivery_id: delivery.id,
      job_id: job.id,
      scenario_id: scenario.id,
      webhook_id: webhook.id,
      event_id: events.data[0].id,
    };
  });
  after(() => service.close());

  const bodies: Readonly<Record<string, unknown>> = {
    PATCH: { title: 'Mine now' },
    POST: {},
    applyFixes: { finding_ids: ['x'] },
    answerForStore: { answer: 'delivered' },
    updateArtist: { name: 'Mine now' },
    updateLabel: { name: 'Mine now' },
    mergeArtist: { into: unknown['artist_id'] },
    updateWebhook: { description: 'Mine now' },
    redeliverToWebhook: { since: '2026-01-01T00:00:00Z' },
  };
  const pathOf = ({ path }: AnyOperation, ids: Readonly<Record<string, string>>) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? (name === 'revision' ? '1' : ':'));

  test('every route with an id in its path: foreign and unknown are byte for byte the same', async () => {
    // Stores belong to no organization, and an inbox receives without a key.
    const sharedScopes = new Set(['stores:read', 'public']);
    const operations = service.api.operations.filter(
      ({ params, scope }) => params !== undefined && !sharedScopes.has(scope),
    );
    assert.ok(operations.length >= 18, `only ${operations.length} routes`);
    const earlier = (await owner.call('GET', `/v1/releases/${releaseId}`)).text;
    for (const operation of operations) {
      const { method } = operation;
      assert.ok(!pathOf(operation, own).includes(':'), `no id for ${operation.path}`);
      const body = bodies[operation.id] ?? bodies[method];
      const [foreign, missing] = await Promise.all(
        [own, { ...unknown, store_id }].map((ids) =>
          stranger.call(method, pathOf(operation, ids), body, { 'idempotency-key': randomUUID() }),
        ),
      );
      assert.deepEqual(comparable(foreign!), comparable(missing!), `${method} ${operation.path}`);
      assert.equal(foreign!.status, 404, operation.path);
      if (method !== 'GET') continue;
      assert.equal(
        (await owner.call('GET', pathOf(operation, own))).status,
        200,
        'its owner can read it',
      );
    }
    assert.equal((await owner.call('GET', `/v1/releases/${releaseId}`)).text, earlier, 'unchanged');
  });

  test('lists and filters show nothing of the other', async () => {
    const { json } = await owner.call('GET', `/v1/releases/${releaseId}`);
    for (const query of ['', `?upc=${json.upc}`, '?label=Test%20Records', '?status=draft']) {
      const reply = await stranger.call('GET', `/v1/releases${query}`);
      assert.deepEqual(reply.json.data, [], query);
    }
  });

  test('a stored answer is not replayed to another organization', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = draft({ title: 'Secret Title' });
    const mine = await owner.call('POST', '/v1/releases', body, key);
    const theirs = await stranger.call('POST', '/v1/releases', body, key);
    assert.equal(theirs.headers.get('idempotency-replayed'), null);
    assert.notEqual(mine.json.id, theirs.json.id);
  });
});

/**
 * Ids for every parameter in a path: real ones of an organization, and unknown ones. A route with a new parameter needs
 * a maker here; without one, the tests that visit every route fail and say so.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { datedExample } from '../src/kernel/example-story.ts';
import type { AnyOperation } from '../src/platform/http/operation.ts';
import { givenHoldings } from './holding-rows.ts';
import { givenOAuthClient } from './oauth-fixture.ts';
import { makePayable } from './payout-fixture.ts';
import { givenStatement } from './statement-fixture.ts';
import { draft, type OrgClient, type Reply, type TestService } from './test-service.ts';

export type PathIds = Readonly<Record<string, string>>;

/** They belong to no organization. */
const shared: PathIds = { store_id: 'aurora', revision: '1' };

/** By the name of the parameter: the prefix of its ids. */
const prefixes: PathIds = {
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
  oauth_client_id: 'oac',
  secret_id: 'ocs',
  api_key_id: 'key',
  request_id: 'req',
  payout_method_id: 'pm',
  payout_id: 'pay',
  statement_id: 'stm',
  report_id: 'rpt',
};

export const unknownIds: PathIds = {
  ...Object.fromEntries(
    Object.entries(prefixes).map(([name, prefix]) => [
      name,
      `${prefix}_01h455vb4pex5vsknk084sn02q`,
    ]),
  ),
  ...shared,
  key: '0b7c1b1e-6f0e-4c43-9d2c-0c4f2a1d9d5e',
};

/** One real resource for each parameter. The organization needs the enterprise tier and every scope. */
export async function givenPathIds(service: TestService, owner: OrgClient): Promise<PathIds> {
  const create = async (path: string, body: object): Promise<string> => {
    const { status, json, text } = await owner.call('POST', path, body);
    assert.ok(status === 201 || status === 202, `${path}: ${text}`);
    return json.id;
  };
  await service.admin('stores', 'seed');
  const release_id = await create('/v1/releases', draft({ title: 'Secret Title' }));
  await service.makeSubmittable(owner, release_id);
  const { json: tracks } = await owner.call('GET', '/v1/tracks');
  const submitted = await service.givenSubmittedRelease(owner);
  const plan = { release_id: submitted, stores: ['aurora'], territory_codes: ['DE'] };
  const job = { action: 'takedown', items: [{ release_id: submitted }] };
  // The port is closed, so the webhook stays unverified.
  const receiver = { url: 'http://127.0.0.1:9999/hooks', event_type: '*' };
  await service.sequenceEvents();
  const { json: events } = await owner.call('GET', '/v1/events');
  const client = await givenOAuthClient(owner);
  const key = randomUUID();
  const keyed = await owner.call(
    'POST',
    '/v1/labels',
    { name: 'Keyed' },
    { 'idempotency-key': key },
  );
  await makePayable(service, owner);
  await givenHoldings(service, 'aurora', owner, 'QZPTH2600001');
  await service.flushRequests();
  const apiKey = await service.admin('key', 'create', '--org', owner.orgId);
  return {
    ...shared,
    release_id,
    artist_id: await create('/v1/artists', { name: 'Secret Artist' }),
    label_id: await create('/v1/labels', { name: 'Secret Label' }),
    track_id: tracks.data[0].id,
    asset_id: await service.givenAsset(owner, 'audio', 'failed'),
    delivery_id: await create('/v1/deliveries', plan),
    job_id: await create('/v1/delivery_jobs', job),
    report_id: await create('/v1/sandbox/reports', {
      store_id: 'aurora',
      period: '2025-10',
      kind: 'late',
    }),
    scenario_id: await create('/v1/sandbox/scenarios', { steps: [{ action: 'lose' }] }),
    payout_method_id: await create('/v1/payout_methods', {
      type: 'wallet',
      country: 'DE',
      currency: 'EUR',
      provider: 'Secret Wallet',
      account: 'secret@wallet.example',
    }),
    webhook_id: await create('/v1/webhooks', receiver),
    statement_id: (await givenStatement(service, owner)).id,
    payout_id: await create('/v1/payouts', { amount: '100.00', currency: 'EUR' }),
    event_id: events.data[0].id,
    oauth_client_id: client.id,
    secret_id: client.secretId,
    api_key_id: apiKey['id'] ?? '',
    key,
    request_id: keyed.headers.get('x-request-id') ?? '',
  };
}

/** Replaces the parameters of a route's path. */
export const fillPath = (path: string, ids: PathIds): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = ids[name];
    assert.ok(id !== undefined, `test/path-ids.ts has no id for :${name} of ${path}. Add a maker.`);
    return id;
  });

/** Where the example names other resources, which another organization does not have. */
const bodies: Readonly<Record<string, object>> = {
  updateRelease: { title: 'Mine now' },
  updateTrack: { title: 'Mine now' },
  mergeArtist: { into: unknownIds['artist_id'] },
  answerForStore: { answer: 'delivered' },
};

/** A body that validation accepts, so that the id in the path decides; undefined for a route without one. */
export const bodyFor = ({ id, body, examples }: AnyOperation): object | undefined =>
  body === undefined ? undefined : (bodies[id] ?? datedExample(examples?.body ?? {}, new Date()));

/** The parts of a reply that a caller could compare, without those that differ between any two requests. */
export function comparable({ status, headers, text }: Reply): object {
  const volatile = new Set(['x-request-id', 'date']);
  const kept = [...headers].filter(([name]) => !volatile.has(name));
  return { status, headers: kept, text: text.replaceAll(/req_\w{26}/g, 'req_') };
}

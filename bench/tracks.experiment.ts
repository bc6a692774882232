/**
 * Compares bulk requests of a hundred tracks per second with one bare statement for the same hundred rows: POST with an
 * insert, PATCH with an update. The bare statement is the service's own in a transaction of the same organization,
 * pipelined through the same driver. The service also authenticates, checks every field, position, reference and
 * territory, counts a revision, stores the response for its idempotency key, and writes the audit row; a PATCH also
 * reads the tracks.
 *
 * The bar: a share of 0.5 of each. It fails when the checks around the statement become slower.
 */

import { randomUUID } from 'node:crypto';
import { type Track, unsetTrackFields } from '../apps/service/src/catalog/domain/track.ts';
import { insertTracks, updateTracks } from '../apps/service/src/catalog/store/tracks.ts';
import type { Id, OrgId, ReleaseId } from '../apps/service/src/kernel/ids.ts';
import type { Tx } from '../apps/service/src/platform/db/database.ts';
import { type Client, openClient } from '../apps/service/test/proofs/client.ts';
import {
  draft,
  openTestService,
  type OrgClient,
  type TestService,
} from '../apps/service/test/test-service.ts';
import type { Experiment } from '../scripts/experiments/experiment.ts';
import { interleave, median, shareOf } from './blocks.ts';

const sizes = { start: { rounds: 1, requests: 3 }, full: { rounds: 9, requests: 30 } };
const tracksPerRequest = 100;

export const experiment: Experiment = {
  compares:
    'bulks of 100 tracks per second, against one bare insert or update of the same 100 rows',
  bar: (size) => {
    const atLeast = size === 'full' ? 0.5 : 0;
    return { share: { atLeast }, share_update: { atLeast } };
  },
  run: async ({ size, say }) => {
    const { rounds, requests } = sizes[size === 'start' ? 'start' : 'full'];
    const service = await openTestService();
    const partner = await service.givenOrganization();
    const http = openClient(service.url, 1);
    const contenders = [
      { name: 'service', measure: () => bulks(http, partner, requests) },
      { name: 'bare', measure: () => inserts(service, partner, requests) },
      { name: 'update', measure: () => bulkUpdates(http, partner, requests) },
      { name: 'bare_update', measure: () => updates(service, http, partner, requests) },
    ];
    for (const { measure } of contenders) await measure();
    // Autovacuum does this within a minute; until then PostgreSQL uses plans made for an empty table.
    await service.query('analyze');
    for (const { measure } of contenders) await measure();
    const results = await interleave(rounds, contenders, say);
    await http.close();
    await service.close();
    const share = shareOf(results, 'service', 'bare');
    const shareOfUpdate = shareOf(results, 'update', 'bare_update');
    const perSecond = (name: string) => Math.round(median(results[name] ?? []) * 10) / 10;
    return {
      rounds,
      requests_per_block: requests,
      tracks_per_request: tracksPerRequest,
      share: share.median,
      spread: share,
      share_update: shareOfUpdate.median,
      spread_update: shareOfUpdate,
      per_second: {
        service: perSecond('service'),
        bare: perSecond('bare'),
        update: perSecond('update'),
        bare_update: perSecond('bare_update'),
      },
    };
  },
};

const releasesFor = async ({ call }: OrgClient, count: number): Promise<string[]> => {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await call('POST', '/v1/releases', draft())).json.id);
  return ids;
};

const isrcOf = (i: number) => `GBBEN26${String(i).padStart(5, '0')}`;

/** Calls of `work` per second. The items are created before. */
async function timed<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const begun = performance.now();
  for (const item of items) await work(item);
  return items.length / ((performance.now() - begun) / 1_000);
}

async function send(
  http: Client,
  { key }: OrgClient,
  method: 'POST' | 'PATCH',
  tracks: readonly object[],
): Promise<string> {
  const { status, text } = await http.send({
    method,
    path: '/v1/tracks/bulk',
    key,
    body: { tracks },
    headers: { 'idempotency-key': randomUUID() },
  });
  if (status !== (method === 'POST' ? 201 : 200)) throw new Error(text);
  return text;
}

const newTracks = (release_id: string) =>
  Array.from({ length: tracksPerRequest }, (_, i) => ({
    release_id,
    title: `Track title ${i}`,
    isrc: isrcOf(i),
    position: i + 1,
  }));

async function bulks(http: Client, partner: OrgClient, requests: number): Promise<number> {
  const releases = await releasesFor(partner, requests);
  return timed(releases, async (releaseId) => {
    await send(http, partner, 'POST', newTracks(releaseId));
  });
}

const ownerOf = ({ orgId }: OrgClient) =>
  ({ orgId: orgId as OrgId, actor: { type: 'api_key', id: 'key_bench' } }) as const;

async function inserts(
  service: TestService,
  partner: OrgClient,
  requests: number,
): Promise<number> {
  const releases = await releasesFor(partner, requests);
  return timed(releases, (releaseId) =>
    service.db.transact(ownerOf(partner), async (tx) => {
      const rows = Array.from({ length: tracksPerRequest }, (_, i) => rowOf(tx, releaseId, i));
      insertTracks(tx, rows);
    }),
  );
}

type Album = { readonly releaseId: string; readonly trackIds: readonly Id<'trk'>[] };

async function albumsFor(http: Client, partner: OrgClient, count: number): Promise<Album[]> {
  const albums: Album[] = [];
  for (const releaseId of await releasesFor(partner, count)) {
    const { data } = JSON.parse(await send(http, partner, 'POST', newTracks(releaseId)));
    albums.push({ releaseId, trackIds: data.map(({ id }: { id: Id<'trk'> }) => id) });
  }
  return albums;
}

const newTitle = (i: number) => `Another title ${i}`;

async function bulkUpdates(http: Client, partner: OrgClient, requests: number): Promise<number> {
  const albums = await albumsFor(http, partner, requests);
  return timed(albums, async ({ trackIds }) => {
    const items = trackIds.map((id, i) => ({ id, title: newTitle(i) }));
    await send(http, partner, 'PATCH', items);
  });
}

async function updates(
  service: TestService,
  http: Client,
  partner: OrgClient,
  requests: number,
): Promise<number> {
  const albums = await albumsFor(http, partner, requests);
  return timed(albums, ({ releaseId, trackIds }) =>
    service.db.transact(ownerOf(partner), async (tx) => {
      const rows = trackIds.map((id, i) => ({
        ...rowOf(tx, releaseId, i),
        id,
        title: newTitle(i),
      }));
      updateTracks(tx, rows);
    }),
  );
}

const rowOf = (tx: Tx, releaseId: string, i: number): Track => ({
  ...unsetTrackFields,
  id: tx.newId('trk'),
  releaseId: releaseId as ReleaseId,
  metadata: {},
  title: `Track title ${i}`,
  artists: [{ name: 'Aurora Díaz', role: 'main' }],
  contributors: [],
  isrc: isrcOf(i),
  disc: 1,
  position: i + 1,
  durationMs: null,
  createdAt: tx.now,
  updatedAt: tx.now,
});

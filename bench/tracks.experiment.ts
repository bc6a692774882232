/**
 * Compares bulk requests of a hundred tracks per second with one bare insert of the same hundred rows: the service's
 * own statement in a transaction of the same organization, pipelined through the same driver. The service also
 * authenticates, checks every field, position, reference and territory, counts a revision, stores the response for its
 * idempotency key, and writes the audit row.
 *
 * The bar: a share of 0.5. It fails when the checks around the insert become slower.
 */

import { randomUUID } from 'node:crypto';
import { type Track, unsetTrackFields } from '../apps/service/src/catalog/domain/track.ts';
import { insertTracks } from '../apps/service/src/catalog/store/tracks.ts';
import type { OrgId, ReleaseId } from '../apps/service/src/kernel/ids.ts';
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
  compares: 'bulks of 100 tracks per second, against one bare insert of the same 100 rows',
  bar: (size) => ({ share: { atLeast: size === 'full' ? 0.5 : 0 } }),
  run: async ({ size, say }) => {
    const { rounds, requests } = sizes[size === 'start' ? 'start' : 'full'];
    const service = await openTestService();
    const partner = await service.givenOrganization();
    const http = openClient(service.url, 1);
    const contenders = [
      { name: 'service', measure: () => bulks(http, partner, requests) },
      { name: 'bare', measure: () => inserts(service, partner, requests) },
    ];
    for (const { measure } of contenders) await measure();
    // Autovacuum does this within a minute; until then PostgreSQL uses plans made for an empty table.
    await service.query('analyze');
    for (const { measure } of contenders) await measure();
    const results = await interleave(rounds, contenders, say);
    await http.close();
    await service.close();
    const share = shareOf(results, 'service', 'bare');
    return {
      rounds,
      requests_per_block: requests,
      tracks_per_request: tracksPerRequest,
      share: share.median,
      spread: share,
      per_second: {
        service: Math.round(median(results['service'] ?? []) * 10) / 10,
        bare: Math.round(median(results['bare'] ?? []) * 10) / 10,
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

/** Calls of `work` per second. The releases are created before. */
async function timed(releases: readonly string[], work: (releaseId: string) => Promise<void>) {
  const begun = performance.now();
  for (const releaseId of releases) await work(releaseId);
  return releases.length / ((performance.now() - begun) / 1_000);
}

async function bulks(http: Client, partner: OrgClient, requests: number): Promise<number> {
  const releases = await releasesFor(partner, requests);
  return timed(releases, async (release_id) => {
    const tracks = Array.from({ length: tracksPerRequest }, (_, i) => ({
      release_id,
      title: `Track title ${i}`,
      isrc: isrcOf(i),
      position: i + 1,
    }));
    const { status, text } = await http.send({
      method: 'POST',
      path: '/v1/tracks/bulk',
      key: partner.key,
      body: { tracks },
      headers: { 'idempotency-key': randomUUID() },
    });
    if (status !== 201) throw new Error(text);
  });
}

async function inserts(
  service: TestService,
  partner: OrgClient,
  requests: number,
): Promise<number> {
  const releases = await releasesFor(partner, requests);
  const owner = {
    orgId: partner.orgId as OrgId,
    actor: { type: 'api_key', id: 'key_bench' },
  } as const;
  return timed(releases, (releaseId) =>
    service.db.transact(owner, async (tx) => {
      const rows = Array.from({ length: tracksPerRequest }, (_, i) => rowOf(tx, releaseId, i));
      insertTracks(tx, rows);
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

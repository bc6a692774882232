/** What the tests of PATCH /v1/tracks/bulk share: a service, a partner with releases, and requests. */

import assert from 'node:assert/strict';
import { draft, openTestService, type Reply } from './test-service.ts';

type Json = Reply['json'];

export type BulkTracksFixture = Awaited<ReturnType<typeof openBulkTracksFixture>>;

export async function openBulkTracksFixture() {
  const service = await openTestService({ now: '2026-11-16T12:00:00Z' });
  const label = await service.givenOrganization();
  const get = async (path: string): Promise<Json> => (await label.call('GET', path)).json;
  /** A release with tracks of different ISRCs, and the tracks as they were answered. */
  const givenRelease = async (tracks: number, caller = label): Promise<Json> => {
    const release = (await caller.call('POST', '/v1/releases', draft())).json;
    const items = Array.from({ length: tracks }, (_, i) => ({
      release_id: release.id,
      title: `Track title ${i}`,
      isrc: `GBTNA26${String(i).padStart(5, '0')}`,
    }));
    const { status, json, text } = await caller.call('POST', '/v1/tracks/bulk', { tracks: items });
    assert.equal(status, 201, text);
    return { id: release.id, tracks: json.data };
  };
  return {
    service,
    label,
    get,
    givenRelease,
    patch: (tracks: readonly object[], headers: Record<string, string> = {}) =>
      label.call('PATCH', '/v1/tracks/bulk', { tracks }, headers),
    revisionOf: async (id: string): Promise<number> => (await get(`/v1/releases/${id}`)).revision,
    tracksOf: async (id: string): Promise<Json[]> =>
      (await get(`/v1/releases/${id}/tracks?limit=100`)).data,
    close: () => service.close(),
  };
}

/** The fields that the details of a refusal name. */
export const fieldsOf = ({ json }: Reply): string[] =>
  json.error.details.map(({ field }: { field: string }) => field);

/** For tests of credits: a delivery fixture, and releases with one track. */

import { type Json, openDeliveryFixture } from './delivery-fixture.ts';
import { completeDraft, type Reply } from './test-service.ts';

/** The fictional stores with rule pack A. */
export const packA = ['aurora', 'driftwood', 'lanternfish'];

export type CreditsFixture = Awaited<ReturnType<typeof openCreditsFixture>>;

export async function openCreditsFixture() {
  const fixture = await openDeliveryFixture();
  const { label, service } = fixture;
  await service.admin('isrc', 'add-registrant', '--org', label.orgId, '--code', 'QZCRD');

  const call = (method: string, path: string, body?: object): Promise<Reply> =>
    label.call(method, `/v1${path}`, body);
  const givenRelease = async (fields: object = {}): Promise<string> =>
    (await call('POST', '/releases', completeDraft(fields))).json.id;

  return {
    ...fixture,
    call,
    givenRelease,
    createTrack: async (fields: object = {}): Promise<Reply> =>
      call('POST', '/tracks', {
        release_id: await givenRelease(),
        title: 'Night Drive',
        ...fields,
      }),
    /** A draft that passes preflight; its only track has these fields. */
    givenComplete: async (fields: object = {}) => {
      const id = await givenRelease();
      await service.makeSubmittable(label, id);
      const [track] = (await call('GET', `/tracks?release_id=${id}`)).json.data;
      await call('PATCH', `/tracks/${track.id}`, fields);
      return { id, trackId: track.id };
    },
    findingsOf: async (id: string): Promise<Json[]> =>
      (await call('POST', `/releases/${id}/validate`)).json.findings,
  };
}

/** Status, code, and the first field with its issue. */
export const refusalOf = ({ status, json }: Reply) => [
  status,
  json.error.code,
  json.error.details[0].field,
  json.error.details[0].issue,
];

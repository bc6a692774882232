/** For tests of rights: a delivery fixture with releases of several tracks, each with rights of its own. */

import assert from 'node:assert/strict';
import {
  deliveredAnswer,
  type DeliveryFixture,
  type Json,
  openDeliveryFixture,
} from './delivery-fixture.ts';
import { scriptStores } from './scripted-stores.ts';
import { completeDraft, type OrgClient, trackCredits } from './test-service.ts';

/** No two tracks share an ISRC. */
let nextIsrcDesignation = 1;

type GivenAlbum = {
  /** One entry for each track, with the fields that differ. */
  readonly tracks?: readonly object[];
  readonly release?: object;
  readonly caller?: OrgClient;
  /** A script for `scripted-stores.ts`; null: stores answer as they usually do. */
  readonly simulate?: string | null;
};

type GivenAlbumDelivery = GivenAlbum & {
  readonly stores?: readonly string[];
  readonly territory_codes?: readonly string[];
};

export type Album = { readonly id: string; readonly trackIds: readonly string[] };
export type RightsFixture = Awaited<ReturnType<typeof openRightsFixture>>;

export async function openRightsFixture(now?: string) {
  const fixture = await openDeliveryFixture(now);
  return { ...fixture, ...withAlbums(fixture) };
}

/** What a rights fixture adds to a delivery fixture. */
export function withAlbums(fixture: DeliveryFixture) {
  const { service, label } = fixture;

  const ask = async (
    method: string,
    path: string,
    body?: object,
    caller = label,
  ): Promise<Json> => {
    const { status, json, text } = await caller.call(method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    return json;
  };

  /** An approved release of several tracks. Its stores do not answer, unless `simulate` says so. */
  const givenAlbum = async ({
    tracks = [{}, {}, {}],
    release = {},
    caller = label,
    simulate = '*=silent',
  }: GivenAlbum = {}): Promise<Album> => {
    const { id } = await ask(
      'POST',
      '/v1/releases',
      completeDraft({ type: 'album', ...release }),
      caller,
    );
    const artwork_asset_id = await service.givenAsset(caller, 'artwork');
    await ask('PATCH', `/v1/releases/${id}`, { artwork_asset_id }, caller);
    const bodies: object[] = [];
    for (const [i, fields] of tracks.entries()) {
      bodies.push({
        release_id: id,
        title: ['Night Drive', 'Harbour', 'Low Sun', 'Ferry', 'Tideline'][i] ?? `Interlude ${i}`,
        isrc: `QZRGT26${String(nextIsrcDesignation++).padStart(5, '0')}`,
        audio_asset_id: await service.givenAsset(caller, 'audio'),
        ...trackCredits,
        ...fields,
      });
    }
    const { data } = await ask('POST', '/v1/tracks/bulk', { tracks: bodies }, caller);
    await ask('POST', `/v1/releases/${id}/submit`, undefined, caller);
    if (simulate !== null) await scriptStores(caller, simulate, id);
    await fixture.runUntilIdle();
    return { id, trackIds: data.map((track: Json) => track.id) };
  };

  /** A delivery of an album whose messages were sent. */
  const givenAlbumDelivery = async ({
    stores = ['aurora'],
    territory_codes = ['WORLDWIDE'],
    ...album
  }: GivenAlbumDelivery = {}): Promise<{ delivery: Json; album: Album }> => {
    const given = await givenAlbum(album);
    const { caller = label } = album;
    const body = { release_id: given.id, stores, territory_codes };
    const { id } = await ask('POST', '/v1/deliveries', body, caller);
    await fixture.runUntilIdle();
    return { delivery: await fixture.get(id, caller), album: given };
  };

  /** Every store of the delivery confirms its newest message. */
  const confirmAll = (delivery: Json, caller = label): Promise<Json> =>
    fixture.answer(
      delivery,
      Object.fromEntries(delivery.stores.map((store: Json) => [store.store_id, deliveredAnswer])),
      caller,
    );

  return {
    ask,
    givenAlbum,
    givenAlbumDelivery,
    confirmAll,
    /** The same, confirmed by every store. */
    givenLiveAlbum: async (given: GivenAlbumDelivery = {}) => {
      const { delivery, album } = await givenAlbumDelivery(given);
      return { delivery: await confirmAll(delivery, given.caller), album };
    },
    patchTrack: (id: string | undefined, fields: object, caller = label): Promise<Json> =>
      ask('PATCH', `/v1/tracks/${id}`, fields, caller),
    /** GET /v1/deliveries/{id}/stores/{store_id}. */
    fullStoreOf: ({ id }: Json, storeId: string, caller = label): Promise<Json> =>
      ask('GET', `/v1/deliveries/${id}/stores/${storeId}`, undefined, caller),
    /** The number of deliveries, to see that a refusal left no trace. */
    countDeliveries: async (): Promise<number> => {
      const [row] = await service.query('select count(*)::int as count from deliveries');
      return row.count;
    },
  };
}

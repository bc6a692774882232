/** GET /v1/genres: catalogue §4, contract §5. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { genres, subgenresByGenre } from '../../src/catalog/domain/preflight/genres.ts';
import { fictionalStores } from '../../src/network/domain/fictional-stores.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

type Genre = {
  readonly genre: string;
  readonly subgenres: readonly string[];
  readonly stores: readonly { readonly store_id: string; readonly genre: string }[];
};

describe('GET /v1/genres', () => {
  let service: TestService;
  let label: OrgClient;
  let listed: readonly Genre[];
  before(async () => {
    service = await openTestService();
    await service.admin('stores', 'seed');
    label = await service.givenOrganization();
    const { status, json, text } = await service.request(undefined, 'GET', '/v1/genres');
    assert.equal(status, 200, text);
    listed = json.data;
  });
  after(() => service.close());

  const genreAt = (genre: string, storeId: string) =>
    listed.find((each) => each.genre === genre)?.stores.find(({ store_id }) => store_id === storeId)
      ?.genre;

  test('contract §5: is public, and lists every genre once with its subgenres', () => {
    assert.deepEqual(
      listed.map(({ genre, subgenres }) => [genre, subgenres]),
      Object.entries(subgenresByGenre),
    );
    assert.equal(new Set(genres).size, genres.length);
    for (const { genre, subgenres } of listed) {
      assert.ok(subgenres.length > 0, genre);
      assert.equal(new Set(subgenres).size, subgenres.length, genre);
    }
  });

  test('catalogue §4: every store has a name for every genre, its general one if need be', () => {
    const ids = fictionalStores.map(({ storeId }) => storeId);
    for (const { genre, stores } of listed) {
      assert.deepEqual(
        stores.map(({ store_id }) => store_id),
        ids.toSorted(),
        genre,
      );
      assert.ok(stores.every((store) => store.genre !== ''));
    }
    assert.deepEqual(
      ['aurora', 'beatlane', 'cascade'].map((store) => genreAt('Hip-Hop', store)),
      ['Hip-Hop/Rap', 'hip-hop', 'Hip Hop'],
    );
    assert.deepEqual(
      ['aurora', 'beatlane', 'cascade'].map((store) => genreAt('Experimental', store)),
      ['Music', 'other', 'Other'],
    );
  });

  test('catalogue §4: the names of stores are for genres of the list', async () => {
    // A name for a genre that is misspelled in the table of a store would never be used.
    const general = new Set(['Music', 'other', 'Other']);
    const own = (storeId: string) =>
      listed.filter(({ genre }) => !general.has(genreAt(genre, storeId) ?? '')).length;
    assert.deepEqual(['aurora', 'beatlane', 'cascade'].map(own), [33, 32, 22]);
  });

  test('catalogue §4: it is the list that the rules judge by', async () => {
    const { json } = await label.call('POST', '/v1/releases', draft());
    const path = `/v1/releases/${json.id}`;
    const findingsFor = async (fields: object): Promise<string[]> => {
      await label.call('PATCH', path, fields);
      const { findings } = (await label.call('POST', `${path}/validate`)).json;
      return findings
        .map(({ rule }: { rule: string }) => rule)
        .filter((rule: string) => rule.includes('genre'));
    };
    for (const { genre, subgenres } of listed) {
      for (const subgenre of [null, subgenres.at(-1)]) {
        assert.deepEqual(await findingsFor({ genre, subgenre }), [], `${genre}, ${subgenre}`);
      }
    }
    assert.deepEqual(await findingsFor({ genre: 'Yacht Core', subgenre: null }), ['genre_unknown']);
    assert.deepEqual(await findingsFor({ genre: 'Pop', subgenre: 'Trap' }), ['subgenre_unknown']);
  });
});

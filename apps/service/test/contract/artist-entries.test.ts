/** Artist entries of releases and tracks that name an artist (catalogue §3, contract §2). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import { codeOf, fieldsOf, type Json } from '../delivery-fixture.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

describe('artist entries', () => {
  let service: TestService;
  let label: OrgClient;
  let ida: Json;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
    ida = (await label.call('POST', '/v1/artists', { name: 'Ida Berg' })).json;
  });
  after(() => service.close());

  const createRelease = (fields: object, caller = label) =>
    caller.call('POST', '/v1/releases', draft(fields));
  let isrcs = 0;
  const newTrack = (release_id: string, fields: object = {}) => ({
    release_id,
    title: 'T',
    isrc: `QZENT26${String(isrcs++).padStart(5, '0')}`,
    ...fields,
  });

  test('catalogue §3: an entry names an artist, and its name defaults to the artist’s', async () => {
    const { json, status } = await createRelease({
      artists: [{ artist_id: ida.id, role: 'main' }],
    });
    assert.equal(status, 201);
    assert.deepEqual(json.artists, [{ artist_id: ida.id, name: 'Ida Berg', role: 'main' }]);
  });

  test('catalogue §3: name is the credit as displayed, and entries without an artist are as before', async () => {
    const artists = [
      { artist_id: ida.id, name: 'Ida B.', role: 'main', store_profiles: { aurora: '1' } },
      { name: 'Mo', role: 'featured', isni: '0000000121032683' },
    ];
    const { json } = await createRelease({ artists });
    assert.deepEqual(json.artists, artists);
    const track = await label.call('POST', '/v1/tracks', newTrack(json.id));
    assert.deepEqual(track.json.artists, artists, 'a track takes those of its release');
    const patched = await label.call('PATCH', `/v1/tracks/${track.json.id}`, {
      artists: [{ artist_id: ida.id, role: 'main' }],
    });
    assert.deepEqual(patched.json.artists, [{ artist_id: ida.id, name: 'Ida Berg', role: 'main' }]);
  });

  test('catalogue §3: renaming an artist changes no release', async () => {
    const { json: artist } = await label.call('POST', '/v1/artists', { name: 'Old Name' });
    const { json } = await createRelease({ artists: [{ artist_id: artist.id, role: 'main' }] });
    const renamed = await label.call('PATCH', `/v1/artists/${artist.id}`, { name: 'New Name' });
    assert.equal(renamed.json.name, 'New Name');
    const read = await label.call('GET', `/v1/releases/${json.id}`);
    assert.deepEqual([read.json.artists, read.json.revision], [json.artists, 1]);
    // What is written from now on has the new name.
    const { json: later } = await label.call('PATCH', `/v1/releases/${json.id}`, {
      artists: [{ artist_id: artist.id, role: 'main' }],
    });
    assert.deepEqual([later.artists[0].name, later.revision], ['New Name', 2]);
  });

  test('contract §7: an entry with neither artist_id nor name misses its name; all missing fields are listed', async () => {
    const reply = await label.call('POST', '/v1/releases', {
      artists: [{ role: 'main' }, { artist_id: ida.id, role: 'featured' }, {}],
    });
    assert.deepEqual(codeOf(reply), [422, 'missing_required_field']);
    assert.deepEqual(fieldsOf(reply).toSorted(), [
      'artists[0].name',
      'artists[2].name',
      'artists[2].role',
      'release_date',
      'title',
    ]);
    const { json } = await createRelease({});
    const bulk = await label.call('POST', '/v1/tracks/bulk', {
      tracks: [newTrack(json.id), newTrack(json.id, { artists: [{ role: 'main' }] })],
    });
    assert.deepEqual(codeOf(bulk), [422, 'missing_required_field']);
    assert.deepEqual(fieldsOf(bulk), ['tracks[1].artists[0].name']);
  });

  test('contract §5: an unknown, a malformed and another organization’s artist_id are refused in the same words', async () => {
    const stranger = await service.givenOrganization();
    const { json: foreign } = await stranger.call('POST', '/v1/artists', { name: 'Theirs' });
    const { json: release } = await createRelease({});
    const { json: track } = await label.call('POST', '/v1/tracks', newTrack(release.id));
    const texts = new Set<string>();
    for (const artist_id of [foreign.id, 'art_01h455vb4pex5vsknk084sn02q', 'art_1', 'x']) {
      const artists = [{ artist_id, role: 'main' }];
      for (const reply of [
        await createRelease({ artists }),
        await label.call('PATCH', `/v1/releases/${release.id}`, { artists }),
        await label.call('POST', '/v1/tracks', newTrack(release.id, { artists })),
        await label.call('PATCH', `/v1/tracks/${track.id}`, { artists }),
      ]) {
        assert.deepEqual(codeOf(reply), [422, 'invalid_field'], reply.text);
        assert.deepEqual(fieldsOf(reply), ['artists[0].artist_id']);
        texts.add(JSON.stringify([reply.json.error.message, reply.json.error.details]));
      }
    }
    assert.equal(texts.size, 1, [...texts].join('\n'));
    const bulk = await label.call('POST', '/v1/tracks/bulk', {
      tracks: [
        newTrack(release.id),
        newTrack(release.id, { artists: [{ artist_id: 'x', role: 'main' }] }),
      ],
    });
    assert.deepEqual(fieldsOf(bulk), ['tracks[1].artists[0].artist_id']);
    const { json: unchanged } = await label.call('GET', `/v1/releases/${release.id}`);
    assert.deepEqual([unchanged.track_count, unchanged.revision], [1, 2], 'nothing was written');
  });

  test('contract §2: store_profiles of an entry at a store that does not exist are refused', async () => {
    const artists = [{ name: 'A', role: 'main', store_profiles: { aurora: '1', nowhere: '2' } }];
    const reply = await createRelease({ artists });
    assert.deepEqual(codeOf(reply), [422, 'invalid_field']);
    assert.deepEqual(fieldsOf(reply), ['artists[0].store_profiles.nowhere']);
  });

  test('the names that entries leave out count towards the length of artists', async () => {
    const { json } = await label.call('POST', '/v1/artists', { name: 'n'.repeat(500) });
    const entry = { artist_id: json.id, role: 'main' };
    const reply = await createRelease({ artists: Array.from({ length: 50 }, () => entry) });
    assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, 'invalid_field', 'artists']);
  });

  test('a release names at most 500 artists', async () => {
    const caller = await service.givenOrganization();
    const rows = await service.query(
      `insert into artists (org_id, id, name, folded_name, metadata, localized_names, created_at, updated_at,
                            actor_type, actor_id)
       select $1, uuidv7(), 'A' || i, 'a' || i, '{}', '{}', now(), now(), 'workflow', 'test'
         from generate_series(1, 501) i
       returning id`,
      [toUuid(caller.orgId as Id<'org'>)],
    );
    const ids = rows.map(({ id }) => toWire('art', id));
    const entries = (from: number, to: number) =>
      ids.slice(from, to).map((artist_id) => ({ artist_id, role: 'main' }));
    const { json: release } = await createRelease({ artists: entries(0, 100) }, caller);
    const add = (from: number, to: number) =>
      caller.call('POST', '/v1/tracks', newTrack(release.id, { artists: entries(from, to) }));
    for (let from = 100; from < 500; from += 100) {
      assert.equal((await add(from, from + 100)).status, 201);
    }
    const reply = await add(500, 501);
    assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, 'invalid_field', 'artists']);
    const patched = await caller.call('PATCH', `/v1/releases/${release.id}`, {
      artists: entries(500, 501),
    });
    assert.deepEqual(fieldsOf(patched), ['artists']);
    assert.equal((await add(0, 1)).status, 201, 'an artist that it names already');
  });
});

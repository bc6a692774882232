/** Merging two artists that are one (catalogue §3, contract §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOf, fieldsOf, type Json } from '../delivery-fixture.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

describe('a merge of artists', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const create = async (fields: object = {}): Promise<Json> => {
    const reply = await label.call('POST', '/v1/artists', { name: 'Ida Berg', ...fields });
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  };
  const merge = (from: Json, into: unknown) =>
    label.call('POST', `/v1/artists/${from.id}/merge`, { into });
  const merged = async (from: Json, into: Json): Promise<Json> => {
    const reply = await merge(from, into.id);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  const read = async (path: string): Promise<Json> => (await label.call('GET', path)).json;
  let isrcs = 0;
  const releaseOf = async (...artists: readonly object[]): Promise<Json> => {
    const reply = await label.call('POST', '/v1/releases', draft({ artists }));
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  };
  const addTrack = async (release: Json, fields: object = {}): Promise<Json> => {
    const isrc = `QZMRG26${String(isrcs++).padStart(5, '0')}`;
    const body = { release_id: release.id, title: 'T', isrc, ...fields };
    return (await label.call('POST', '/v1/tracks', body)).json;
  };
  const idsIn = ({ artists }: Json): readonly string[] =>
    artists.map(({ artist_id }: Json) => artist_id);

  test('contract §4: the answer is the artist that remains; the merged one reads with merged_into', async () => {
    const [one, two] = [await create({ name: 'Ida B.' }), await create()];
    assert.equal((await merged(one, two)).id, two.id);
    assert.deepEqual(
      [
        (await read(`/v1/artists/${one.id}`)).merged_into,
        (await read(`/v1/artists/${one.id}`)).name,
      ],
      [two.id, 'Ida B.'],
    );
    assert.equal((await read(`/v1/artists/${two.id}`)).merged_into, null);
  });

  test('catalogue §3: every read of a release and a track shows the artist that remains', async () => {
    const [one, two] = [await create(), await create()];
    const release = await releaseOf({ artist_id: one.id, role: 'main' });
    const track = await addTrack(release, {
      artists: [
        { artist_id: one.id, name: 'Ida', role: 'main' },
        { artist_id: two.id, role: 'featured' },
      ],
    });
    await merged(one, two);
    const shown = await read(`/v1/releases/${release.id}`);
    assert.deepEqual(shown.artists, [{ artist_id: two.id, name: 'Ida Berg', role: 'main' }]);
    assert.equal(shown.revision, 2, 'a merge is no change of the release');
    const { artists } = await read(`/v1/tracks/${track.id}`);
    assert.deepEqual(artists, [
      { artist_id: two.id, name: 'Ida', role: 'main' },
      { artist_id: two.id, name: 'Ida Berg', role: 'featured' },
    ]);
    const { data: releases } = await read('/v1/releases?limit=100');
    assert.ok(!JSON.stringify(releases).includes(one.id));
    const { data: tracks } = await read(`/v1/tracks?release_id=${release.id}`);
    assert.ok(!JSON.stringify(tracks).includes(one.id));
    const revision = await read(`/v1/releases/${release.id}/revisions/1`);
    assert.deepEqual(idsIn(revision.release), [one.id], 'a past revision shows what was then');
  });

  test('an edit of another field writes the artist that remains', async () => {
    const [one, two] = [await create(), await create()];
    const release = await releaseOf({ artist_id: one.id, role: 'main' });
    await merged(one, two);
    const { json } = await label.call('PATCH', `/v1/releases/${release.id}`, { genre: 'Pop' });
    assert.deepEqual([idsIn(json), json.revision], [[two.id], 2]);
    const { changed_fields, release: revised } = await read(
      `/v1/releases/${release.id}/revisions/2`,
    );
    assert.deepEqual([changed_fields, idsIn(revised)], [['genre'], [two.id]]);
    const track = await addTrack(release);
    assert.deepEqual(idsIn(track), [two.id]);
    const three = await create();
    await merged(two, three);
    assert.deepEqual(idsIn(await read(`/v1/releases/${release.id}`)), [three.id]);
    assert.deepEqual(idsIn(await read(`/v1/tracks/${track.id}`)), [three.id]);
  });

  test('a request that names a merged artist is stored with the one that remains', async () => {
    const [one, two] = [await create({ name: 'Old' }), await create({ name: 'New' })];
    await merged(one, two);
    const release = await releaseOf({ artist_id: one.id, role: 'main' });
    assert.deepEqual(release.artists, [{ artist_id: two.id, name: 'New', role: 'main' }]);
    const track = await addTrack(release, { artists: [{ artist_id: one.id, role: 'main' }] });
    assert.deepEqual(idsIn(track), [two.id]);
  });

  test('merged artists are always one step from the one that remains', async () => {
    const [one, two, three] = [await create(), await create(), await create()];
    const release = await releaseOf({ artist_id: one.id, role: 'main' });
    await merged(one, two);
    await merged(two, three);
    for (const { id } of [one, two]) {
      assert.equal((await read(`/v1/artists/${id}`)).merged_into, three.id);
    }
    assert.deepEqual(idsIn(await read(`/v1/releases/${release.id}`)), [three.id]);
  });

  test('the artist that remains gets what only the merged one had', async () => {
    const one = await create({
      isni: '0000000000000011',
      ipi: '00000000011',
      localized_names: { ja: 'イダ' },
      store_profiles: { aurora: '1', beatlane: '2', glasshouse: 'new' },
      reference: 'one',
    });
    const two = await create({
      localized_names: { ko: '이다' },
      store_profiles: { beatlane: 'new', glasshouse: '3' },
    });
    const { isni, ipi, localized_names, store_profiles, reference } = await merged(one, two);
    assert.deepEqual([isni, ipi, reference], ['0000000000000011', '00000000011', null]);
    assert.deepEqual(localized_names, { ja: 'イダ', ko: '이다' });
    assert.deepEqual(store_profiles, { aurora: '1', beatlane: '2', glasshouse: '3' });
    assert.equal((await read(`/v1/artists/${two.id}`)).isni, isni, 'as stored');
    assert.equal((await read(`/v1/artists/${one.id}`)).isni, isni, 'the merged one keeps its own');
  });

  test('values that contradict are refused with their fields, and nothing changes', async () => {
    const one = await create({
      isni: '0000000000000021',
      ipi: '00000000021',
      localized_names: { ja: 'イダ' },
      store_profiles: { aurora: '1' },
    });
    const two = await create({
      isni: '0000000000000022',
      ipi: '00000000022',
      localized_names: { ja: 'アイダ' },
      store_profiles: { aurora: '2' },
    });
    const reply = await merge(one, two.id);
    assert.deepEqual(codeOf(reply), [409, 'invalid_state']);
    assert.deepEqual(fieldsOf(reply), [
      'isni',
      'ipi',
      'localized_names.ja',
      'store_profiles.aurora',
    ]);
    assert.deepEqual(await read(`/v1/artists/${one.id}`), one);
    assert.deepEqual(await read(`/v1/artists/${two.id}`), two);
  });

  test('into itself, into no artist of yours, or into a merged one is refused with a cure', async () => {
    const [one, two, three] = [await create(), await create(), await create()];
    const stranger = await service.givenOrganization();
    const { json: foreign } = await stranger.call('POST', '/v1/artists', { name: 'Theirs' });
    assert.deepEqual(fieldsOf(await merge(one, one.id)), ['into']);
    const messages = new Set<string>();
    for (const into of [foreign.id, 'art_01h455vb4pex5vsknk084sn02q', 'x']) {
      const reply = await merge(one, into);
      assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, 'invalid_field', 'into']);
      messages.add(reply.json.error.message);
    }
    assert.equal(messages.size, 1);
    await merged(two, three);
    const reply = await merge(one, two.id);
    assert.deepEqual(codeOf(reply), [409, 'invalid_state']);
    assert.ok(reply.json.error.message.includes(`Use ${three.id} instead`), reply.text);
  });

  test('a merged artist cannot be changed, deleted or merged again', async () => {
    const [one, two, three] = [await create(), await create(), await create()];
    await merged(one, two);
    const replies = [
      await label.call('PATCH', `/v1/artists/${one.id}`, { name: 'B' }),
      await label.call('DELETE', `/v1/artists/${one.id}`),
      await merge(one, three.id),
    ];
    for (const reply of replies)
      assert.deepEqual(codeOf(reply), [409, 'invalid_state'], reply.text);
  });

  test('an artist is used while a release names one that was merged into it', async () => {
    const [one, two] = [await create(), await create()];
    const release = await releaseOf({ artist_id: one.id, role: 'main' });
    await merged(one, two);
    const used = await label.call('DELETE', `/v1/artists/${two.id}`);
    assert.deepEqual(codeOf(used), [409, 'invalid_state']);
    assert.ok(used.text.includes(release.id));
    assert.equal((await label.call('DELETE', `/v1/releases/${release.id}`)).status, 204);
    assert.equal((await label.call('DELETE', `/v1/artists/${two.id}`)).status, 204);
    assert.equal((await label.call('GET', `/v1/artists/${one.id}`)).status, 404, 'deleted with it');
  });
});

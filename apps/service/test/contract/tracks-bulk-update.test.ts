/** PATCH /v1/tracks/bulk: catalogue §5, contract §1, §4, §7, §8. The rules of a single PATCH are in tracks.test.ts. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  draft,
  openTestService,
  type OrgClient,
  type Reply,
  type TestService,
} from '../test-service.ts';

type Json = Reply['json'];

describe('PATCH /v1/tracks/bulk', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T12:00:00Z' });
    label = await service.givenOrganization();
    await service.admin('isrc', 'add-registrant', '--org', label.orgId, '--code', 'QZABC');
  });
  after(() => service.close());

  const get = async (path: string): Promise<Json> => (await label.call('GET', path)).json;
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
  const patch = (tracks: readonly object[], headers: Record<string, string> = {}) =>
    label.call('PATCH', '/v1/tracks/bulk', { tracks }, headers);
  const fieldsOf = ({ json }: Reply): string[] =>
    json.error.details.map(({ field }: { field: string }) => field);
  const revisionOf = async (id: string): Promise<number> =>
    (await get(`/v1/releases/${id}`)).revision;
  const tracksOf = async (id: string): Promise<Json[]> =>
    (await get(`/v1/releases/${id}/tracks?limit=100`)).data;

  test('catalogue §5: 100 tracks at once, in one revision, answered in the order of the request', async () => {
    const { id, tracks } = await givenRelease(100);
    const items = tracks
      .toReversed()
      .map((track: Json, i: number) => ({ id: track.id, title: `New ${i}`, genre: 'Jazz' }));
    await service.clock.set('2026-11-16T12:30:00Z');
    const { status, json, text } = await patch(items);
    assert.equal(status, 200, text);
    assert.deepEqual(
      json.data,
      tracks.toReversed().map((track: Json, i: number) => ({
        ...track,
        title: `New ${i}`,
        genre: 'Jazz',
        updated_at: '2026-11-16T12:30:00.000Z',
      })),
    );
    assert.deepEqual((await tracksOf(id)).toReversed(), json.data);
    assert.equal(await revisionOf(id), 3);
    const { data } = await get(`/v1/releases/${id}/revisions`);
    assert.deepEqual(data[0].changed_fields, ['tracks']);
    const tooMany = await patch([...items, items[0]]);
    assert.deepEqual([tooMany.status, fieldsOf(tooMany)], [422, ['tracks']]);
    assert.equal((await patch([])).status, 422);
  });

  test('catalogue §5: an item changes its track exactly as a PATCH of the track does', async () => {
    const [one, two] = [await givenRelease(1), await givenRelease(1)];
    const audio_asset_id = await service.givenAsset(label, 'audio');
    const fields = {
      title: 'Day Drive',
      version: 'Live',
      metadata: { cue: '7' },
      artists: [{ name: 'Ida', role: 'main', isni: '0000000121032683' }],
      isrc: 'US-RC1-76-07839',
      audio_asset_id,
      territory: ['WORLDWIDE'],
      excluded_territories: ['JP'],
      use_types: ['download'],
      preview_start_ms: 30_000,
      disc: 2,
      position: 5,
      explicit: 'clean',
      language: 'en',
      genre: 'Jazz',
      p_line: '2026 Ida',
    };
    const single = await label.call('PATCH', `/v1/tracks/${one.tracks[0].id}`, fields);
    const bulk = await patch([{ id: two.tracks[0].id, ...fields }]);
    assert.deepEqual([single.status, bulk.status], [200, 200], single.text + bulk.text);
    const withoutIds = ({ id: _id, release_id: _release, ...track }: Json) => track;
    assert.deepEqual(withoutIds(bulk.json.data[0]), withoutIds(single.json));
    assert.equal(bulk.json.data[0].duration_ms, 180_000);
    assert.deepEqual(await get(`/v1/tracks/${two.tracks[0].id}`), bulk.json.data[0]);
    const nothing = { territory: null, version: null, audio_asset_id: null, metadata: null };
    const cleared = (await patch([{ id: two.tracks[0].id, ...nothing }])).json.data[0];
    assert.deepEqual(
      [cleared.territory, cleared.excluded_territories, cleared.version, cleared.duration_ms],
      [['WORLD'], null, null, null],
      'null clears, and territory clears its exclusions',
    );
  });

  test('catalogue §5: tracks of several releases, each with one new revision; unchanged items write nothing', async () => {
    const [one, two, same] = [await givenRelease(2), await givenRelease(1), await givenRelease(1)];
    const { status, json } = await patch([
      { id: two.tracks[0].id, title: 'Two' },
      { id: one.tracks[1].id, title: 'One' },
      { id: same.tracks[0].id, title: same.tracks[0].title },
      { id: one.tracks[0].id },
    ]);
    assert.equal(status, 200);
    assert.deepEqual(
      json.data.map(({ title }: Json) => title),
      ['Two', 'One', 'Track title 0', 'Track title 0'],
    );
    assert.deepEqual(json.data.slice(2), [same.tracks[0], one.tracks[0]]);
    assert.deepEqual(
      await Promise.all([one, two, same].map(({ id }) => revisionOf(id))),
      [3, 3, 2],
    );
  });

  describe('the state after the request counts', () => {
    test('catalogue §5: positions are exchanged and rotated', async () => {
      const { id, tracks } = await givenRelease(4);
      const [a, b, c, d] = tracks;
      const { status, text } = await patch([
        { id: a.id, position: 2 },
        { id: b.id, position: 3 },
        { id: c.id, position: 1 },
        { id: d.id, disc: 2, position: 1 },
      ]);
      assert.equal(status, 200, text);
      assert.deepEqual(
        (await tracksOf(id)).map((track) => track.id),
        [c.id, a.id, b.id, d.id],
      );
      const reversed = Array.from({ length: 100 }, (_, i) => 100 - i);
      const long = await givenRelease(100);
      const items = long.tracks.map((track: Json, i: number) => ({
        id: track.id,
        position: reversed[i],
      }));
      assert.equal((await patch(items)).status, 200);
      assert.deepEqual(
        (await tracksOf(long.id)).map((track) => track.id),
        long.tracks.map((track: Json) => track.id).toReversed(),
      );
    });

    test('a position is taken by a track that keeps it, and by an earlier item', async () => {
      const { id, tracks } = await givenRelease(3);
      const [a, b, c] = tracks;
      const kept = await patch([
        { id: a.id, title: 'A' },
        { id: b.id, position: 1 },
      ]);
      assert.deepEqual([kept.status, fieldsOf(kept)], [422, ['tracks[1].position']]);
      assert.match(kept.json.error.details[0].issue, new RegExp(a.id));
      const twice = await patch([
        { id: a.id, position: 9 },
        { id: b.id, position: 9 },
        { id: c.id, position: 9 },
      ]);
      assert.deepEqual(
        [twice.status, fieldsOf(twice)],
        [422, ['tracks[1].position', 'tracks[2].position']],
      );
      assert.deepEqual(await tracksOf(id), tracks, 'no trace');
    });

    test('references are exchanged; one that another track keeps is refused', async () => {
      const [{ tracks }, other] = [await givenRelease(3), await givenRelease(1)];
      const [a, b, c] = tracks;
      const [x, y, z] = [randomUUID(), randomUUID(), randomUUID()];
      const set = [
        { id: a.id, reference: x },
        { id: b.id, reference: y },
        { id: other.tracks[0].id, reference: z },
      ];
      assert.equal((await patch(set)).status, 200);
      const { json, status, text } = await patch([
        { id: a.id, reference: y },
        { id: b.id, reference: z },
        { id: other.tracks[0].id, reference: null },
        { id: c.id, reference: x },
      ]);
      assert.equal(status, 200, text);
      assert.deepEqual(
        json.data.map(({ reference }: Json) => reference),
        [y, z, null, x],
      );
      const taken = await patch([
        { id: a.id, title: 'A' },
        { id: b.id, reference: y },
        { id: c.id, reference: x },
      ]);
      assert.deepEqual([taken.status, fieldsOf(taken)], [422, ['tracks[1].reference']]);
      assert.match(taken.json.error.details[0].issue, new RegExp(a.id));
      const twice = await patch([
        { id: b.id, reference: 'new' },
        { id: c.id, reference: 'new' },
      ]);
      assert.deepEqual([twice.status, fieldsOf(twice)], [422, ['tracks[1].reference']]);
    });

    test('catalogue §5: a release with its tracks takes at most 1 MiB, also when one track shrinks and another grows', async () => {
      const { id, tracks } = await givenRelease(70);
      const large = Array.from({ length: 30 }, (_, i) => ({
        name: `Artist ${i} ${'x'.repeat(460)}`,
        role: 'main',
      }));
      const small = [{ name: 'Ida', role: 'main' }];
      const grow = (range: readonly Json[]) =>
        patch(range.map((track) => ({ id: track.id, artists: large })));
      assert.equal((await grow(tracks.slice(0, 60))).status, 200);
      const reply = await grow(tracks.slice(60));
      assert.equal(reply.status, 422, 'seventy times 15 KB');
      const fields = fieldsOf(reply);
      assert.equal(fields.at(-1), 'tracks[9].artists');
      assert.ok(!fields.includes('tracks[0].artists'), 'the first of them fit');
      const earlier = await revisionOf(id);
      const exchanged = await patch([
        ...tracks.slice(60).map((track: Json) => ({ id: track.id, artists: large })),
        ...tracks.slice(0, 10).map((track: Json) => ({ id: track.id, artists: small })),
      ]);
      assert.equal(exchanged.status, 200, exchanged.text);
      assert.equal(await revisionOf(id), earlier + 1);
    });
  });

  describe('refusals', () => {
    const broken: readonly [what: string, fields: object, code: string, field: string][] = [
      ['an ISRC', { isrc: 'bad' }, 'invalid_isrc_format', 'isrc'],
      ['an unknown field', { colour: 'red' }, 'unknown_field', 'colour'],
      ['a read-only field', { duration_ms: 3 }, 'read_only_field', 'duration_ms'],
      ['another release', { release_id: 'rel_x' }, 'read_only_field', 'release_id'],
      ['an empty title', { title: '' }, 'invalid_field', 'title'],
      ['no id', { id: undefined }, 'missing_required_field', 'id'],
      [
        'no main artist',
        { artists: [{ name: 'A', role: 'featured' }] },
        'invalid_field',
        'artists',
      ],
      ['unknown audio', { audio_asset_id: 'ast_x' }, 'invalid_field', 'audio_asset_id'],
      ['a territory', { territory: ['AQ'] }, 'territory_not_supported', 'territory[0]'],
      [
        'codes with exclusions',
        { territory: ['DE'], excluded_territories: ['DE'] },
        'invalid_field',
        'excluded_territories',
      ],
    ];
    for (const [what, fields, code, field] of broken) {
      test(`contract §4: ${what} is named tracks[1].${field}, and no track is changed`, async () => {
        const { id, tracks } = await givenRelease(2);
        const reply = await patch([
          { id: tracks[0].id, title: 'Changed' },
          { id: tracks[1].id, ...fields },
        ]);
        assert.deepEqual([reply.status, reply.json.error.code], [422, code], reply.text);
        assert.deepEqual(fieldsOf(reply), [`tracks[1].${field}`]);
        assert.deepEqual(await tracksOf(id), tracks, 'no trace');
        assert.equal(await revisionOf(id), 2);
      });
    }

    test('a preview after the end of the audio that the same item sets', async () => {
      const { tracks } = await givenRelease(2);
      const audio_asset_id = await service.givenAsset(label, 'audio');
      const reply = await patch([
        { id: tracks[0].id },
        { id: tracks[1].id, audio_asset_id, preview_start_ms: 180_000 },
      ]);
      assert.deepEqual([reply.status, fieldsOf(reply)], [422, ['tracks[1].preview_start_ms']]);
    });

    test('contract §1: an unknown id, a malformed one and one of another organization read the same', async () => {
      const { id, tracks } = await givenRelease(1);
      const other = await service.givenOrganization();
      const foreign = await givenRelease(1, other);
      const texts = [];
      for (const unknown of [
        foreign.tracks[0].id,
        'trk_01h455vb4pex5vsknk084sn02q',
        'trk_x',
        'x',
        id,
      ]) {
        const reply = await patch([
          { id: tracks[0].id, title: 'X' },
          { id: unknown, title: 'X' },
          { id: unknown, title: 'Y' },
        ]);
        assert.deepEqual([reply.status, reply.json.error.code], [422, 'invalid_field'], unknown);
        assert.deepEqual(fieldsOf(reply), ['tracks[1].id', 'tracks[2].id']);
        texts.push(reply.text.replaceAll(/req_\w{26}/g, ''));
      }
      assert.equal(new Set(texts).size, 1, 'all answers are the same');
      assert.deepEqual(await tracksOf(id), tracks, 'no trace');
    });

    test('catalogue §5: a track is named once', async () => {
      const { id, tracks } = await givenRelease(2);
      const reply = await patch([
        { id: tracks[0].id, title: 'A' },
        { id: tracks[1].id, title: 'B' },
        { id: tracks[0].id, title: 'C' },
      ]);
      assert.deepEqual([reply.status, reply.json.error.code], [422, 'invalid_field']);
      assert.deepEqual(reply.json.error.details, [
        { field: 'tracks[2].id', issue: 'names the same track as tracks[0].id' },
      ]);
      assert.deepEqual(await tracksOf(id), tracks, 'no trace');
    });

    test('contract §3: none is changed while the review of one release is pending', async () => {
      const free = await givenRelease(1);
      const release = (await label.call('POST', '/v1/releases', draft())).json;
      await service.makeSubmittable(label, release.id);
      const submitted = await label.call('POST', `/v1/releases/${release.id}/submit`);
      assert.equal(submitted.status, 200, submitted.text);
      const [track] = await tracksOf(release.id);
      const reply = await patch([
        { id: free.tracks[0].id, title: 'X' },
        { id: track.id, title: 'X' },
      ]);
      assert.deepEqual([reply.status, reply.json.error.code], [409, 'invalid_state']);
      assert.deepEqual(await tracksOf(free.id), free.tracks, 'no trace');
    });

    test('contract §7: up to 1 MiB, and no more', async () => {
      const { tracks } = await givenRelease(100);
      const large = (track: Json, length: number) => ({
        id: track.id,
        artists: Array.from({ length: 20 }, () => ({ name: 'x'.repeat(length), role: 'main' })),
      });
      const fits = await patch(tracks.slice(0, 90).map((track: Json) => large(track, 450)));
      assert.equal(fits.status, 200, fits.text);
      const reply = await patch(tracks.map((track: Json) => large(track, 500)));
      assert.deepEqual([reply.status, reply.json.error.code], [413, 'payload_too_large']);
    });

    test('contract §5: it needs the scope tracks:write', async () => {
      const reader = await service.givenOrganization({ scopes: 'tracks:read,releases:write' });
      const reply = await reader.call('PATCH', '/v1/tracks/bulk', { tracks: [{ id: 'trk_x' }] });
      assert.deepEqual([reply.status, reply.json.error.code], [403, 'insufficient_scope']);
    });
  });

  test('contract §8: a repeated request with the same key is replayed', async () => {
    const { id, tracks } = await givenRelease(1);
    const headers = { 'idempotency-key': randomUUID() };
    const items = [{ id: tracks[0].id, title: 'Once' }];
    const [first, second] = [await patch(items, headers), await patch(items, headers)];
    assert.deepEqual([first.status, second.text], [200, first.text]);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.equal(await revisionOf(id), 3);
  });

  test('requests that name the same releases in different orders do not deadlock', async () => {
    const releases = await Promise.all(Array.from({ length: 6 }, () => givenRelease(2)));
    const countDeadlocks = async (): Promise<number> => {
      const [row] = await service.query(
        'select deadlocks::int from pg_stat_database where datname = current_database()',
      );
      return row.deadlocks;
    };
    const earlier = await countDeadlocks();
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, i) => {
        const order = i % 2 === 0 ? releases : releases.toReversed();
        return i % 3 === 0
          ? label.call('PATCH', `/v1/tracks/${releases[i % 6].tracks[0].id}`, { title: `T ${i}` })
          : patch(
              order.flatMap(({ tracks }) => [
                { id: tracks[0].id, position: 1 + (i % 2), title: `T ${i}` },
                { id: tracks[1].id, position: 2 - (i % 2) },
              ]),
            );
      }),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    // A request that lost to a deadlock is repeated, so its status says nothing.
    assert.equal(await countDeadlocks(), earlier);
  });
});

/** PATCH /v1/tracks/bulk: catalogue §5, contract §8. The rules of a single PATCH are in tracks.test.ts. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type BulkTracksFixture, fieldsOf, openBulkTracksFixture } from '../bulk-tracks-fixture.ts';
import type { Reply } from '../test-service.ts';

type Json = Reply['json'];

describe('PATCH /v1/tracks/bulk', () => {
  let fixture: BulkTracksFixture;
  before(async () => {
    fixture = await openBulkTracksFixture();
  });
  after(() => fixture.close());

  test('catalogue §5: 100 tracks at once, in one revision, answered in the order of the request', async () => {
    const { id, tracks } = await fixture.givenRelease(100);
    const items = tracks
      .toReversed()
      .map((track: Json, i: number) => ({ id: track.id, title: `New ${i}`, genre: 'Jazz' }));
    await fixture.service.clock.set('2026-11-16T12:30:00Z');
    const { status, json, text } = await fixture.patch(items);
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
    assert.deepEqual((await fixture.tracksOf(id)).toReversed(), json.data);
    assert.equal(await fixture.revisionOf(id), 3);
    const { data } = await fixture.get(`/v1/releases/${id}/revisions`);
    assert.deepEqual(data[0].changed_fields, ['tracks']);
    const tooMany = await fixture.patch([...items, items[0]]);
    assert.deepEqual([tooMany.status, fieldsOf(tooMany)], [422, ['tracks']]);
    assert.equal((await fixture.patch([])).status, 422);
  });

  test('catalogue §5: an item changes its track exactly as a PATCH of the track does', async () => {
    const [one, two] = [await fixture.givenRelease(1), await fixture.givenRelease(1)];
    const audio_asset_id = await fixture.service.givenAsset(fixture.label, 'audio');
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
    const single = await fixture.label.call('PATCH', `/v1/tracks/${one.tracks[0].id}`, fields);
    const bulk = await fixture.patch([{ id: two.tracks[0].id, ...fields }]);
    assert.deepEqual([single.status, bulk.status], [200, 200], single.text + bulk.text);
    const withoutIds = ({ id: _id, release_id: _release, ...track }: Json) => track;
    assert.deepEqual(withoutIds(bulk.json.data[0]), withoutIds(single.json));
    assert.equal(bulk.json.data[0].duration_ms, 180_000);
    assert.deepEqual(await fixture.get(`/v1/tracks/${two.tracks[0].id}`), bulk.json.data[0]);
    const nothing = { territory: null, version: null, audio_asset_id: null, metadata: null };
    const cleared = (await fixture.patch([{ id: two.tracks[0].id, ...nothing }])).json.data[0];
    assert.deepEqual(
      [cleared.territory, cleared.excluded_territories, cleared.version, cleared.duration_ms],
      [['WORLD'], null, null, null],
      'null clears, and territory clears its exclusions',
    );
  });

  test('catalogue §5: tracks of several releases, each with one new revision; unchanged items write nothing', async () => {
    const [one, two, same] = [
      await fixture.givenRelease(2),
      await fixture.givenRelease(1),
      await fixture.givenRelease(1),
    ];
    const { status, json } = await fixture.patch([
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
      await Promise.all([one, two, same].map(({ id }) => fixture.revisionOf(id))),
      [3, 3, 2],
    );
  });

  describe('the state after the request counts', () => {
    test('catalogue §5: positions are exchanged and rotated', async () => {
      const { id, tracks } = await fixture.givenRelease(4);
      const [a, b, c, d] = tracks;
      const { status, text } = await fixture.patch([
        { id: a.id, position: 2 },
        { id: b.id, position: 3 },
        { id: c.id, position: 1 },
        { id: d.id, disc: 2, position: 1 },
      ]);
      assert.equal(status, 200, text);
      assert.deepEqual(
        (await fixture.tracksOf(id)).map((track) => track.id),
        [c.id, a.id, b.id, d.id],
      );
      const reversed = Array.from({ length: 100 }, (_, i) => 100 - i);
      const long = await fixture.givenRelease(100);
      const items = long.tracks.map((track: Json, i: number) => ({
        id: track.id,
        position: reversed[i],
      }));
      assert.equal((await fixture.patch(items)).status, 200);
      assert.deepEqual(
        (await fixture.tracksOf(long.id)).map((track) => track.id),
        long.tracks.map((track: Json) => track.id).toReversed(),
      );
    });

    test('a position is taken by a track that keeps it, and by an earlier item', async () => {
      const { id, tracks } = await fixture.givenRelease(3);
      const [a, b, c] = tracks;
      const kept = await fixture.patch([
        { id: a.id, title: 'A' },
        { id: b.id, position: 1 },
      ]);
      assert.deepEqual([kept.status, fieldsOf(kept)], [422, ['tracks[1].position']]);
      assert.match(kept.json.error.details[0].issue, new RegExp(a.id));
      const twice = await fixture.patch([
        { id: a.id, position: 9 },
        { id: b.id, position: 9 },
        { id: c.id, position: 9 },
      ]);
      assert.deepEqual(
        [twice.status, fieldsOf(twice)],
        [422, ['tracks[1].position', 'tracks[2].position']],
      );
      assert.deepEqual(await fixture.tracksOf(id), tracks, 'no trace');
    });

    test('references are exchanged; one that another track keeps is refused', async () => {
      const [{ tracks }, other] = [await fixture.givenRelease(3), await fixture.givenRelease(1)];
      const [a, b, c] = tracks;
      const [x, y, z] = [randomUUID(), randomUUID(), randomUUID()];
      const set = [
        { id: a.id, reference: x },
        { id: b.id, reference: y },
        { id: other.tracks[0].id, reference: z },
      ];
      assert.equal((await fixture.patch(set)).status, 200);
      const { json, status, text } = await fixture.patch([
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
      const taken = await fixture.patch([
        { id: a.id, title: 'A' },
        { id: b.id, reference: y },
        { id: c.id, reference: x },
      ]);
      assert.deepEqual([taken.status, fieldsOf(taken)], [422, ['tracks[1].reference']]);
      assert.match(taken.json.error.details[0].issue, new RegExp(a.id));
      const twice = await fixture.patch([
        { id: b.id, reference: 'new' },
        { id: c.id, reference: 'new' },
      ]);
      assert.deepEqual([twice.status, fieldsOf(twice)], [422, ['tracks[1].reference']]);
    });

    test('catalogue §5: a release with its tracks takes at most 1 MiB, also when one track shrinks and another grows', async () => {
      const { id, tracks } = await fixture.givenRelease(70);
      const large = Array.from({ length: 30 }, (_, i) => ({
        name: `Artist ${i} ${'x'.repeat(460)}`,
        role: 'main',
      }));
      const small = [{ name: 'Ida', role: 'main' }];
      const grow = (range: readonly Json[]) =>
        fixture.patch(range.map((track) => ({ id: track.id, artists: large })));
      assert.equal((await grow(tracks.slice(0, 60))).status, 200);
      const reply = await grow(tracks.slice(60));
      assert.equal(reply.status, 422, 'seventy times 15 KB');
      const fields = fieldsOf(reply);
      assert.equal(fields.at(-1), 'tracks[9].artists');
      assert.ok(!fields.includes('tracks[0].artists'), 'the first of them fit');
      const earlier = await fixture.revisionOf(id);
      const exchanged = await fixture.patch([
        ...tracks.slice(60).map((track: Json) => ({ id: track.id, artists: large })),
        ...tracks.slice(0, 10).map((track: Json) => ({ id: track.id, artists: small })),
      ]);
      assert.equal(exchanged.status, 200, exchanged.text);
      assert.equal(await fixture.revisionOf(id), earlier + 1);
    });
  });

  test('contract §8: a repeated request with the same key is replayed', async () => {
    const { id, tracks } = await fixture.givenRelease(1);
    const headers = { 'idempotency-key': randomUUID() };
    const items = [{ id: tracks[0].id, title: 'Once' }];
    const [first, second] = [
      await fixture.patch(items, headers),
      await fixture.patch(items, headers),
    ];
    assert.deepEqual([first.status, second.text], [200, first.text]);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.equal(await fixture.revisionOf(id), 3);
  });

  test('requests that name the same releases in different orders do not deadlock', async () => {
    const releases = await Promise.all(Array.from({ length: 6 }, () => fixture.givenRelease(2)));
    const countDeadlocks = async (): Promise<number> => {
      const [row] = await fixture.service.query(
        'select deadlocks::int from pg_stat_database where datname = current_database()',
      );
      return row.deadlocks;
    };
    const earlier = await countDeadlocks();
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, i) => {
        const order = i % 2 === 0 ? releases : releases.toReversed();
        return i % 3 === 0
          ? fixture.label.call('PATCH', `/v1/tracks/${releases[i % 6].tracks[0].id}`, {
              title: `T ${i}`,
            })
          : fixture.patch(
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

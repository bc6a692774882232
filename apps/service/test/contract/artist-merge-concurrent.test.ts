/** A merge while the releases of both artists are edited (catalogue §3): no edit is lost, and no read shows the merged artist. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import { runConcurrently } from '../proofs/client.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

const releasesCount = 100;
const editsPerRelease = 6;
const concurrency = 24;

type EditedRelease = {
  readonly id: string;
  readonly trackId: string;
  /** The answers of the edits of the release and of its track. */
  readonly releaseEdits: { readonly genre: string; readonly revision: number }[];
  readonly trackEdits: string[];
};

describe('a merge of artists under concurrent edits', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ connections: 24 });
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const post = async (path: string, body: object): Promise<Json> => {
    const reply = await label.call('POST', path, body);
    assert.ok(reply.status < 300, reply.text);
    return reply.json;
  };
  const patch = async (path: string, body: object): Promise<Json> => {
    const reply = await label.call('PATCH', path, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };

  test('catalogue §3: 100 releases are edited while their artist is merged', async () => {
    const [one, two] = [
      await post('/v1/artists', { name: 'Ida B.' }),
      await post('/v1/artists', { name: 'Ida Berg' }),
    ];
    const releases: EditedRelease[] = [];
    await runConcurrently(concurrency, async () => {
      if (releases.length >= releasesCount) return false;
      const i = releases.push({ id: '', trackId: '', releaseEdits: [], trackEdits: [] }) - 1;
      // Of each three: the release names the artist that is merged, only its track does, or both name the other.
      const [ofRelease, ofTrack] = [
        [one, one],
        [two, one],
        [two, two],
      ][i % 3]!;
      const release = await post(
        '/v1/releases',
        draft({ artists: [{ artist_id: ofRelease.id, role: 'main' }] }),
      );
      const track = await post('/v1/tracks', {
        release_id: release.id,
        title: 'T',
        isrc: `QZCON26${String(i).padStart(5, '0')}`,
        artists: [{ artist_id: ofTrack.id, role: 'main' }],
      });
      releases[i] = { id: release.id, trackId: track.id, releaseEdits: [], trackEdits: [] };
      return true;
    });

    let sent = 0;
    const total = releasesCount * editsPerRelease;
    let merge: Promise<Json> | undefined;
    await runConcurrently(concurrency, async () => {
      const n = sent++;
      if (n >= total) return false;
      // In the middle of the edits, and the edits go on while it runs.
      if (n === total / 2) merge = post(`/v1/artists/${one.id}/merge`, { into: two.id });
      // The last ones are not edited any more: what is stored names the merged artist.
      const release = releases[n % (n < total / 2 ? releasesCount : releasesCount * 0.8)]!;
      await edit(release, n, one);
      return true;
    });
    assert.equal((await merge).id, two.id);

    for (const release of releases) {
      const { json } = await label.call('GET', `/v1/releases/${release.id}`);
      const { json: track } = await label.call('GET', `/v1/tracks/${release.trackId}`);
      for (const each of [json, track]) {
        assert.deepEqual(
          [...new Set(each.artists.map(({ artist_id }: Json) => artist_id))],
          [two.id],
        );
      }
      await assertNoEditIsLost(release, json, track);
    }
    for (const path of ['/v1/releases?limit=100', '/v1/tracks?limit=100']) {
      const { text, json } = await label.call('GET', path);
      assert.equal(json.data.length, 100);
      assert.ok(!text.includes(one.id), path);
    }
    const [{ n }] = await service.query(
      `select count(*)::int as n from releases where artists::text like '%' || $1 || '%'`,
      [one.id],
    );
    assert.ok(n > 0, 'some releases were written before the merge and not after');
  });

  /** Four kinds of edits, two of which name the artist that is being merged. */
  async function edit(release: EditedRelease, n: number, one: Json): Promise<void> {
    const artists = [{ artist_id: one.id, name: `Credit ${n}`, role: 'main' }];
    switch (Math.floor(n / releasesCount) % 4) {
      case 0: {
        const { genre, revision } = await patch(`/v1/releases/${release.id}`, { genre: `G${n}` });
        release.releaseEdits.push({ genre, revision });
        return;
      }
      case 1: {
        const { title } = await patch(`/v1/tracks/${release.trackId}`, { title: `T${n}` });
        release.trackEdits.push(title);
        return;
      }
      case 2: {
        const body = { genre: `G${n}`, artists };
        const { genre, revision } = await patch(`/v1/releases/${release.id}`, body);
        release.releaseEdits.push({ genre, revision });
        return;
      }
      default: {
        const { title } = await patch(`/v1/tracks/${release.trackId}`, { title: `T${n}`, artists });
        release.trackEdits.push(title);
      }
    }
  }

  /** Every answered edit of the release is a revision with its content; the last one of each is what is stored. */
  async function assertNoEditIsLost(
    { id, releaseEdits, trackEdits }: EditedRelease,
    release: Json,
    track: Json,
  ): Promise<void> {
    // The draft, its track, and each edit.
    assert.equal(release.revision, 2 + releaseEdits.length + trackEdits.length, id);
    for (const { genre, revision } of releaseEdits) {
      const { json } = await label.call('GET', `/v1/releases/${id}/revisions/${revision}`);
      assert.equal(json.release.genre, genre);
    }
    const latest = releaseEdits.toSorted((a, b) => b.revision - a.revision)[0];
    assert.equal(release.genre, latest?.genre ?? null);
    assert.ok(trackEdits.includes(track.title), track.title);
  }
});

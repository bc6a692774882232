/**
 * Bounds on size (catalogue §5): a release with its tracks takes at most 1 MiB of JSON, and a page of a list ends
 * before 2 MiB. So one request never makes a process read, check or send more than that, for a catalogue of any size.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

const mebibyte = 1024 * 1024;

/** About 15 KB, close to the limit for a list of artists. */
const manyArtists = Array.from({ length: 30 }, (_, i) => ({
  name: `Artist ${i} ${'x'.repeat(460)}`,
  role: 'main',
}));

describe('large content', () => {
  let service: TestService;
  let label: OrgClient;
  let nextIsrcDesignation = 0;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const createRelease = async () => (await label.call('POST', '/v1/releases', draft())).json;
  const track = (releaseId: string, fields: object = {}) => ({
    release_id: releaseId,
    title: 'Night Drive',
    isrc: `QZLRG26${String(nextIsrcDesignation++).padStart(5, '0')}`,
    ...fields,
  });
  /** Adds ten tracks per request until one is refused. */
  const fill = async (releaseId: string) => {
    for (let added = 0; ; added += 10) {
      const tracks = Array.from({ length: 10 }, () => track(releaseId, { artists: manyArtists }));
      const reply = await label.call('POST', '/v1/tracks/bulk', { tracks });
      if (reply.status !== 201) return { added, reply };
      assert.ok(added < 500, 'a release of 500 tracks with 15 KB each was accepted');
    }
  };

  describe('a release with its tracks', () => {
    test('catalogue §5: takes at most 1 MiB; the first track beyond it is named, and no track is added', async () => {
      const { id } = await createRelease();
      const { added, reply } = await fill(id);
      assert.equal(reply.status, 422, reply.text);
      assert.equal(reply.json.error.code, 'invalid_field');
      assert.match(reply.json.error.details[0].field, /^tracks\[\d\]\.release_id$/);
      assert.match(reply.json.error.message, /at most 1048576/);
      const release = (await label.call('GET', `/v1/releases/${id}`)).json;
      assert.equal(release.track_count, added);
      assert.ok(added >= 60, `${added} tracks of 15 KB fit`);
    });

    test('catalogue §5: cannot grow beyond it by a change of a track or of the release', async () => {
      const { id } = await createRelease();
      const { added } = await fill(id);
      const small = (await label.call('POST', '/v1/tracks', track(id))).json;
      // Ten more tracks of 15 KB were refused in `fill`, so at least the last of these ten is refused.
      const replies = [];
      for (let i = 0; i < 10; i++) {
        const reply = await label.call('POST', '/v1/tracks', track(id, { artists: manyArtists }));
        replies.push(reply.status);
      }
      assert.equal(replies.at(-1), 422);
      const paths = [`/v1/tracks/${small.id}`, `/v1/releases/${id}`];
      for (const path of paths) {
        const reply = await label.call('PATCH', path, { artists: manyArtists });
        assert.equal(reply.status, 422, `${path} ${reply.text}`);
        assert.equal(reply.json.error.details[0].field, 'artists');
      }
      const shorter = await label.call('PATCH', `/v1/tracks/${small.id}`, { title: 'Night' });
      assert.equal(shorter.status, 200, 'a change that makes it smaller is always accepted');
      assert.ok(added > 0);
    });
  });

  describe('a page of a list', () => {
    /** Follows next_cursor to the end. */
    const walk = async (caller: OrgClient, path: string) => {
      const pages: { bytes: number; ids: string[] }[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { status, text, json } = await caller.call('GET', `${path}${query}`);
        assert.equal(status, 200, text);
        const ids = json.data.map(({ id }: { id: string }) => id);
        pages.push({ bytes: Buffer.byteLength(text), ids });
        assert.equal(json.has_more, json.next_cursor !== null);
        cursor = json.next_cursor;
      }
      return pages;
    };

    /** About 75 KB for one release or track: CJK takes three bytes a character. */
    const longest = {
      metadata: Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [`key${i}`, '夜'.repeat(500)]),
      ),
      artists: Array.from({ length: 30 }, () => ({ name: '夜'.repeat(480), role: 'main' })),
    };

    test('catalogue §5: ends early at 2 MiB: releases, and their events', async () => {
      const other = await service.givenOrganization();
      const ids: string[] = [];
      for (let i = 0; i < 40; i++) {
        ids.push((await other.call('POST', '/v1/releases', draft(longest))).json.id);
      }
      const pages = await walk(other, '/v1/releases?limit=100');
      assert.deepEqual(pages.flatMap((page) => page.ids).toSorted(), ids.toSorted());
      assert.ok(pages.length > 1 && pages.every(({ bytes }) => bytes < 2.1 * mebibyte));
      assert.ok((pages[0]?.ids.length ?? 0) >= 20, 'the page is full');
      await service.sequenceEvents();
      for (const order of ['', '&after=0']) {
        const events = await walk(other, `/v1/events?limit=100${order}`);
        assert.equal(events.flatMap((page) => page.ids).length, ids.length);
        assert.ok(events.length > 1 && events.every(({ bytes }) => bytes < 2.1 * mebibyte));
      }
    });

    test('catalogue §5: ends early at 2 MiB: tracks', async () => {
      for (let i = 0; i < 4; i++) {
        const { id } = await createRelease();
        for (let n = 0; n < 10; n++) {
          const reply = await label.call('POST', '/v1/tracks', track(id, longest));
          assert.equal(reply.status, 201, reply.text);
        }
      }
      const pages = await walk(label, '/v1/tracks?limit=100');
      const ids = pages.flatMap((page) => page.ids);
      const [{ count }] = await service.query('select count(*)::int as count from tracks');
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(ids.length, count);
      assert.ok(pages.every(({ bytes }) => bytes < 2.1 * mebibyte));
    });
  });
});

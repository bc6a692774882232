/** GET /v1/releases/{id}/tracks: catalogue §5, contract §1, §5. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

const mebibyte = 1024 * 1024;

describe('GET /v1/releases/{release_id}/tracks', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const createRelease = async (): Promise<string> =>
    (await label.call('POST', '/v1/releases', draft())).json.id;
  let designation = 0;
  const create = async (release_id: string, fields: object = {}): Promise<string> => {
    const isrc = `QZLST26${String(designation++).padStart(5, '0')}`;
    const body = { release_id, title: 'Night Drive', isrc, ...fields };
    const { status, json, text } = await label.call('POST', '/v1/tracks', body);
    assert.equal(status, 201, text);
    return json.id;
  };
  /** Follows next_cursor to the end. */
  const walk = async (path: string) => {
    const pages: { bytes: number; ids: string[] }[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { status, text, json } = await label.call('GET', `${path}${query}`);
      assert.equal(status, 200, text);
      assert.equal(json.has_more, json.next_cursor !== null);
      const ids = json.data.map(({ id }: { id: string }) => id);
      pages.push({ bytes: Buffer.byteLength(text), ids });
      cursor = json.next_cursor;
    }
    return pages;
  };

  test('catalogue §5: by disc and position, each as GET /v1/tracks/{id} returns it', async () => {
    const id = await createRelease();
    await create(await createRelease());
    const places = [
      [2, 1],
      [1, 10],
      [1, 2],
      [10, 1],
      [1, 1],
      [2, 3],
    ] as const;
    const created = new Map<string, string>();
    for (const [disc, position] of places) {
      created.set(`${disc}/${position}`, await create(id, { disc, position }));
    }
    const expected = ['1/1', '1/2', '1/10', '2/1', '2/3', '10/1'].map((at) => created.get(at));
    const { json } = await label.call('GET', `/v1/releases/${id}/tracks`);
    assert.deepEqual(
      json.data.map((track: { id: string }) => track.id),
      expected,
    );
    assert.deepEqual([json.next_cursor, json.has_more], [null, false]);
    assert.deepEqual(
      json.data[3],
      (await label.call('GET', `/v1/tracks/${created.get('2/1')}`)).json,
    );
    for (const limit of [1, 2, 4, 6]) {
      const pages = await walk(`/v1/releases/${id}/tracks?limit=${limit}`);
      assert.equal(pages.length, Math.ceil(6 / limit));
      assert.deepEqual(
        pages.flatMap((page) => page.ids),
        expected,
      );
    }
  });

  test('contract §1: limit is 1 to 100, default 20; a cursor belongs to its release', async () => {
    const id = await createRelease();
    const tracks = Array.from({ length: 21 }, (_, i) => ({
      release_id: id,
      title: 'T',
      isrc: `QZBLK26${String(i).padStart(5, '0')}`,
    }));
    await label.call('POST', '/v1/tracks/bulk', { tracks });
    const { json } = await label.call('GET', `/v1/releases/${id}/tracks`);
    assert.deepEqual([json.data.length, json.has_more], [20, true]);
    for (const limit of ['0', '101', 'x']) {
      const reply = await label.call('GET', `/v1/releases/${id}/tracks?limit=${limit}`);
      assert.deepEqual([reply.status, reply.json.error.code], [400, 'invalid_parameter']);
    }
    for (const path of [`/v1/releases/${await createRelease()}/tracks?`, '/v1/tracks?']) {
      const reply = await label.call('GET', `${path}cursor=${json.next_cursor}`);
      assert.deepEqual([reply.status, reply.json.error.code], [400, 'invalid_cursor'], path);
    }
  });

  test('a release without tracks is an empty page', async () => {
    const { status, json } = await label.call(
      'GET',
      `/v1/releases/${await createRelease()}/tracks`,
    );
    assert.deepEqual([status, json], [200, { data: [], next_cursor: null, has_more: false }]);
  });

  test('contract §5: an unknown release, a malformed id and a foreign release are the same 404', async () => {
    const id = await createRelease();
    await create(id);
    const other = await service.givenOrganization();
    const texts = [];
    for (const unknown of [id, 'rel_01h455vb4pex5vsknk084sn02q', 'rel_x']) {
      const { status, text } = await other.call('GET', `/v1/releases/${unknown}/tracks`);
      assert.equal(status, 404);
      texts.push(text.replaceAll(/req_\w{26}/g, ''));
    }
    assert.equal(new Set(texts).size, 1);
    const scoped = await service.givenOrganization({ scopes: 'releases:read' });
    assert.equal((await scoped.call('GET', `/v1/releases/${id}/tracks`)).status, 403);
    const reader = await service.givenOrganization({ scopes: 'tracks:read' });
    assert.equal((await reader.call('GET', `/v1/releases/${id}/tracks`)).status, 404);
  });

  test('catalogue §5: a page ends early at 2 MiB', async () => {
    const id = await createRelease();
    // About 75 KB for one track: CJK takes three bytes a character.
    const longest = {
      metadata: Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [`key${i}`, '夜'.repeat(500)]),
      ),
      artists: Array.from({ length: 30 }, () => ({ name: '夜'.repeat(480), role: 'main' })),
    };
    const ids: string[] = [];
    for (let n = 0; n < 13; n++) ids.push(await create(id, longest));
    // The tracks of a release take 1 MiB at most and fit in a page; rows that claim more show that the bound holds.
    await service.query('update tracks set content_bytes = content_bytes * 4');
    const pages = await walk(`/v1/releases/${id}/tracks?limit=100`);
    assert.deepEqual(
      pages.flatMap((page) => page.ids),
      ids,
    );
    assert.ok(pages.length > 1 && pages.every(({ bytes }) => bytes < 2 * mebibyte));
  });
});

/** The files of the guides over HTTP: caching, compression, addresses, and what happens without them. */

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { request } from 'undici';
import { writeFixtureSite } from '../../../scripts/guides/fixture-site.ts';
import { changelog } from '../src/webhooks/domain/changelog.ts';
import { openTestService, type TestService, unlimited } from './test-service.ts';

describe('the files of the guides', () => {
  let folder: string;
  let service: TestService;
  let isAllowed = true;
  const counted = new Set<string>();
  before(async () => {
    folder = await writeFixtureSite();
    service = await openTestService({
      guidesFolder: folder,
      limiter: {
        ...unlimited,
        consume: async (rateKey, policy) => {
          counted.add(rateKey);
          return { ...(await unlimited.consume(rateKey, policy)), isAllowed };
        },
      },
    });
  });
  after(async () => {
    await service.close();
    rmSync(dirname(folder), { recursive: true });
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${service.url}${path}`, { method, headers, redirect: 'manual' });
  /** Without the decompression of fetch. */
  const raw = async (path: string, headers: Record<string, string>) => {
    const answer = await request(`${service.url}${path}`, { headers });
    return { headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) };
  };

  test('a page has a strict content policy, an ETag and a short life', async () => {
    const answer = await get('/docs/guides/errors');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    const etag = answer.headers.get('etag') ?? '';
    assert.notEqual(etag, '');
    const again = await get('/docs/guides/errors', { 'if-none-match': etag });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), '');
  });

  test('assets are named by their content and kept forever', async () => {
    const page = await (await get('/docs/guides')).text();
    const assets = [...page.matchAll(/"(\/docs\/guides\/assets\/[^"]+)"/g)].map(([, path]) => path);
    assert.equal(new Set(assets).size, 3);
    for (const path of assets) {
      const answer = await get(path ?? '');
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.match(path ?? '', /\.[\w-]{16}\.(?:css|js|json)$/);
    }
  });

  test('the encoding is one that the client accepts', async () => {
    const cases = [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['identity', undefined],
    ] as const;
    const plain = await raw('/docs/guides/errors', {});
    for (const [accepted, expected] of cases) {
      const answer = await raw('/docs/guides/errors', { 'accept-encoding': accepted });
      assert.equal(answer.headers['content-encoding'], expected, accepted);
      assert.equal(answer.headers['vary'], 'accept-encoding');
      if (expected !== undefined) assert.ok(answer.bytes.length < plain.bytes.length / 3);
    }
    const decoded = await (await get('/docs/guides/errors')).text();
    assert.equal(decoded, plain.bytes.toString('utf8'));
  });

  test('HEAD has the headers of GET and no body', async () => {
    const [head, whole] = [await get('/docs/guides', {}, 'HEAD'), await get('/docs/guides')];
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('etag'), whole.headers.get('etag'));
    assert.equal(await head.text(), '');
  });

  test('a trailing slash leads to the index; an unknown guide is a path that does not exist', async () => {
    const slash = await get('/docs/guides/');
    assert.equal(slash.status, 301);
    assert.equal(slash.headers.get('location'), '/docs/guides');
    for (const path of [
      '/docs/guides/nothing',
      '/docs/guides/nothing.md',
      '/docs/guides/assets/nothing.css',
      '/docs/guides/..%2f..%2fpackage.json',
      '/docs/guides/manifest.json',
    ]) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      const { error } = (await answer.json()) as { error: { code: string } };
      assert.equal(error.code, 'route_not_found');
    }
    assert.equal((await get('/docs/guides', {}, 'POST')).status, 405);
  });

  test('they have a limit of their own, apart from requests to the API without a credential', async () => {
    counted.clear();
    isAllowed = false;
    for (const path of [
      '/docs/guides',
      '/docs/guides/errors',
      '/llms.txt',
      '/docs/changelog.atom',
    ]) {
      assert.equal((await get(path)).status, 429, path);
    }
    isAllowed = true;
    assert.deepEqual([...counted], ['page:127.0.0.1']);
    counted.clear();
    assert.equal((await get('/v1/event_types')).headers.get('ratelimit-limit'), '60');
    assert.equal((await get('/docsx')).headers.get('ratelimit-limit'), '60');
    assert.deepEqual([...counted], ['address:127.0.0.1']);
    const page = await get('/docs/guides');
    assert.equal(page.headers.get('ratelimit-policy'), '1200;w=60, 60;w=1');
  });

  test('each guide is also Markdown', async () => {
    const answer = await get('/docs/guides/errors.md');
    assert.equal(answer.headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.match(await answer.text(), /^# Errors\n/);
  });

  test('llms.txt and llms-full.txt have links that begin with the address of the request', async () => {
    for (const path of ['/llms.txt', '/llms-full.txt']) {
      const answer = await get(path);
      assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
      // It may contain the Host header of this client.
      assert.match(answer.headers.get('cache-control') ?? '', /^private/);
      const text = await answer.text();
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => url ?? '');
      assert.ok(links.length > 5);
      for (const url of links) assert.match(url, /^https?:\/\/(?!origin\.invalid)/);
      const own = links.filter((url) => url.startsWith(`${service.url}/`));
      assert.ok(own.length > 5);
      for (const url of new Set(own.map((each) => each.split('#')[0] ?? ''))) {
        assert.equal((await fetch(url)).status, 200, url);
      }
    }
  });

  test('a Host header that is no address is not repeated in an answer', async () => {
    for (const path of ['/llms.txt', '/docs/changelog.atom']) {
      const answer = await raw(path, { host: 'evil"><script>' });
      assert.doesNotMatch(answer.bytes.toString('utf8'), /evil/);
    }
  });

  test('the feed has every entry of the changelog, with ids that do not depend on the address', async () => {
    const feedOf = async (origin: string) =>
      (await raw('/docs/changelog.atom', { host: origin })).bytes.toString('utf8');
    const answer = await get('/docs/changelog.atom');
    assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const [feed, other] = [await feedOf('api.example.com'), await feedOf('api.example.org')];
    const idsOf = (text: string) => [...text.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id);
    assert.deepEqual(idsOf(feed), idsOf(other));
    assert.equal(new Set(idsOf(feed)).size, changelog.length + 1);
    for (const id of idsOf(feed)) {
      assert.match(
        id ?? '',
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
    const updated = [...feed.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, at]) => at ?? '');
    assert.equal(updated[0], updated[1], 'the feed is as new as its newest entry');
    assert.deepEqual(updated.slice(1), updated.slice(1).toSorted().toReversed());
    for (const { date } of changelog) {
      assert.ok(feed.includes(`href="http://api.example.com/docs/guides/changelog#${date}"`), date);
    }
  });
});

describe('the addresses of a service with a public URL', () => {
  test('links begin with it, whatever the Host header says', async () => {
    const folder = await writeFixtureSite();
    const publicUrl = 'https://api.tonearm.example';
    const service = await openTestService({ guidesFolder: folder, publicUrl });
    for (const path of ['/llms.txt', '/llms-full.txt', '/docs/changelog.atom']) {
      const text = await (await fetch(`${service.url}${path}`)).text();
      assert.ok(text.includes(`${publicUrl}/docs/`), path);
      assert.ok(!text.includes(service.url), path);
    }
    await service.close();
    rmSync(dirname(folder), { recursive: true });
  });
});

test('without rendered guides their paths do not exist, the feed does, and the log says so', async () => {
  const lines: string[] = [];
  const service = await openTestService({
    guidesFolder: '/nowhere',
    log: (line) => lines.push(line),
  });
  for (const path of ['/docs/guides', '/docs/guides/errors', '/llms.txt']) {
    const answer = await fetch(`${service.url}${path}`);
    assert.equal(answer.status, 404, path);
    const { error } = (await answer.json()) as { error: { code: string } };
    assert.equal(error.code, 'route_not_found');
  }
  assert.equal((await fetch(`${service.url}/docs/changelog.atom`)).status, 200);
  assert.ok(lines.some((line) => line.includes('the guides are not rendered')));
  await service.close();
});

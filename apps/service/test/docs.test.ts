/** The reference at /docs in a real browser: it shows every operation and sends no request to another host. */

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { presentRules } from '../src/catalog/domain/preflight/present-rules.ts';
import { ruleList } from '../src/catalog/domain/preflight/rules.ts';
import { datedExample } from '../src/kernel/example-story.ts';
import { launchBrowser } from './browser.ts';
import { openTestService, type TestService } from './test-service.ts';

describe('the API reference', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const errors: string[] = [];
  before(async () => {
    service = await openTestService();
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${service.url}/docs/`);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  test('shows every group and the operations of open ones, without a third-party request and without an error', async (t) => {
    const sidebar = page.getByRole('navigation').or(page.getByRole('complementary')).first();
    const { operations } = service.api;
    for (const tag of new Set(operations.map((operation) => operation.tag))) {
      await sidebar.getByText(tag, { exact: true }).first().waitFor({ timeout: 20_000 });
    }
    // The first group is open; another one opens when it is clicked.
    await sidebar.getByText('Webhooks', { exact: true }).first().click();
    for (const { tag, summary } of operations) {
      if (tag !== 'Releases' && tag !== 'Webhooks') continue;
      await sidebar.getByText(summary, { exact: true }).first().waitFor({ timeout: 20_000 });
    }
    await page.locator('a[href="/docs/guides"]').first().waitFor();
    if (process.env['TONEARM_SCREENSHOT'] !== undefined) {
      await page.screenshot({ path: process.env['TONEARM_SCREENSHOT'] });
    }
    t.diagnostic(`${requested.length} requests`);
    assert.ok(requested.length >= 3, 'the page, its script and the document');
    const foreign = requested.filter(
      (url) => !url.startsWith(service.url) && !/^(data|blob):/.test(url),
    );
    assert.deepEqual(foreign, []);
    assert.deepEqual(errors, []);
  });

  test('a snippet has the example of its operation, and no parameter that the example leaves out', async () => {
    const snippetOf = async (operation: string): Promise<string> => {
      const section = page.locator(`[id$="/${operation}"]`).first();
      // A section is filled when it is scrolled to.
      await section.scrollIntoViewIfNeeded({ timeout: 20_000 });
      const snippet = section.locator('pre').first();
      await snippet.waitFor({ timeout: 20_000 });
      return (await snippet.textContent()) ?? '';
    };
    const { examples } = service.api.operations.find(({ id }) => id === 'createRelease') ?? {};
    const create = await snippetOf('POST/v1/releases');
    const sent: unknown = JSON.parse(
      create.slice(create.indexOf('{'), create.lastIndexOf('}') + 1),
    );
    assert.deepEqual(sent, datedExample(examples?.body, service.clock.now()));
    assert.match(await snippetOf('GET/v1/releases'), /\/v1\/releases\?status=delivered&limit=20'/);
  });

  test('a refused request for the reference is not kept as its page', async () => {
    const fresh = await openTestService();
    const socket = connect(Number(new URL(fresh.url).port), '127.0.0.1');
    socket.end('GET /docs/ HTTP/1.1\r\nconnection: close\r\n\r\n');
    assert.match(await readText(socket), /^HTTP\/1\.1 400 [^]*"code":"invalid_request"/);
    const answer = await fetch(`${fresh.url}/docs/`);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /<title>Tonearm API reference/);
    await fresh.close();
  });

  test('first readers at once get the same files, with the policy and their own lifetimes', async () => {
    const fresh = await openTestService();
    const lifetimes = { '/docs/': 'no-cache', '/docs/js/scalar.js': 'public, max-age=3600' };
    for (const [path, lifetime] of Object.entries(lifetimes)) {
      const methods = ['GET', 'GET', 'HEAD'] as const;
      const [first, second, head] = await Promise.all(
        methods.map((method) => fetch(`${fresh.url}${path}`, { method })),
      );
      assert.equal(first?.headers.get('cache-control'), lifetime);
      assert.match(first?.headers.get('content-security-policy') ?? '', /^default-src 'self';/);
      assert.equal(await first?.text(), await second?.text());
      assert.deepEqual(
        ['etag', 'content-type', 'cache-control'].map((name) => head?.headers.get(name)),
        ['etag', 'content-type', 'cache-control'].map((name) => first?.headers.get(name)),
      );
      const known = await fetch(`${fresh.url}${path}`, {
        headers: { 'if-none-match': first?.headers.get('etag') ?? '' },
      });
      assert.equal(known.status, 304);
    }
    const short = await fetch(`${fresh.url}/docs?x=1`, { redirect: 'manual' });
    assert.equal(short.status, 301);
    assert.equal(short.headers.get('location'), '/docs/');
    await fresh.close();
  });

  test('catalogue §5: a public page has every preflight rule, and loads nothing but the icon', async () => {
    const rulesPage = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
    const loaded: string[] = [];
    const failures: string[] = [];
    rulesPage.on('request', (request) => loaded.push(request.url()));
    rulesPage.on('console', (message) => {
      if (message.type() === 'error') failures.push(message.text());
    });
    const answer = await rulesPage.goto(`${service.url}/docs/preflight-rules`);
    assert.equal(answer?.status(), 200);
    assert.ok(ruleList.length > 50);
    for (const { id, description, source } of presentRules()) {
      const shown = await rulesPage.locator(`#${id}`).innerText();
      for (const text of [id, description, source]) assert.ok(shown.includes(text), text);
    }
    if (process.env['TONEARM_SCREENSHOT'] !== undefined) {
      await rulesPage.screenshot({ path: process.env['TONEARM_SCREENSHOT'] });
    }
    const own = new Set([`${service.url}/docs/preflight-rules`, `${service.url}/favicon.svg`]);
    assert.deepEqual(
      loaded.filter((url) => !own.has(url)),
      [],
    );
    assert.deepEqual(failures, []);
  });
});

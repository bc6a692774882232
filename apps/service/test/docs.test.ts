/** The reference at /docs in a real browser: it shows every operation and sends no request to another host. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { presentRules } from '../src/catalog/domain/preflight/present-rules.ts';
import { ruleList } from '../src/catalog/domain/preflight/rules.ts';
import { openTestService, type TestService } from './test-service.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe('the API reference', () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    service = await openTestService();
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  test('shows every operation, without a third-party request and without an error', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    const requested: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${service.url}/docs/`);
    for (const { summary } of service.api.operations) {
      await page.getByText(summary, { exact: true }).first().waitFor({ timeout: 20_000 });
    }
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

  test('catalogue §5: a public page has every preflight rule, and loads nothing but the icon', async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
    const requested: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    const answer = await page.goto(`${service.url}/docs/preflight-rules`);
    assert.equal(answer?.status(), 200);
    assert.ok(ruleList.length > 50);
    for (const { id, description, source } of presentRules()) {
      const shown = await page.locator(`#${id}`).innerText();
      for (const text of [id, description, source]) assert.ok(shown.includes(text), text);
    }
    if (process.env['TONEARM_SCREENSHOT'] !== undefined) {
      await page.screenshot({ path: process.env['TONEARM_SCREENSHOT'] });
    }
    const own = new Set([`${service.url}/docs/preflight-rules`, `${service.url}/favicon.svg`]);
    assert.deepEqual(
      requested.filter((url) => !own.has(url)),
      [],
    );
    assert.deepEqual(errors, []);
  });
});

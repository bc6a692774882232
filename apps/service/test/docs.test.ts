/** The reference at /docs in a real browser: it shows every operation and sends no request to another host. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
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
});

/** The guides as the api serves them, over HTTP and in a real browser. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { fixtureGroups, writeFixtureSite } from '../../../scripts/guides/fixture-site.ts';
import { type PageGroup, pageGroups } from '../../../scripts/guides/pages.ts';
import { renderSite } from '../../../scripts/guides/render-site.ts';
import { writeSite } from '../../../scripts/guides/site-files.ts';
import { launchBrowser } from './browser.ts';
import { lowContrastTexts } from './page-contrast.ts';
import { openTestService, type TestService } from './test-service.ts';

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 800 };

const guidesFolder = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides');

/** The guides of this commit, rendered now: the folder of `npm run guides` may be older. */
async function writeRealSite(): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), 'tonearm-guides-')), 'guides');
  const source = { path: guidesFolder, shownAs: 'docs/guides' };
  await writeSite(folder, renderSite(source, pageGroups));
  return folder;
}

const slugsOf = (groups: readonly PageGroup[]) => groups.flatMap(({ slugs }) => slugs);
const fixtureSlugs = slugsOf(fixtureGroups);
const realSlugs = slugsOf(pageGroups);
const pathsOf = (slugs: readonly string[]) => [
  '/docs/guides',
  ...slugs.map((slug) => `/docs/guides/${slug}`),
];

/** What went wrong while the page was open: console errors, exceptions, requests to another host. */
function watch(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`request to ${request.url()}`);
  });
  return complaints;
}

describe('the guides', () => {
  let fixtureFolder: string;
  let realFolder: string;
  let fixture: TestService;
  let real: TestService;
  let browser: Browser;
  const sites = () => [
    { service: fixture, paths: pathsOf(fixtureSlugs) },
    { service: real, paths: pathsOf(realSlugs) },
  ];
  before(async () => {
    [fixtureFolder, realFolder] = await Promise.all([writeFixtureSite(), writeRealSite()]);
    [fixture, real, browser] = await Promise.all([
      openTestService({ guidesFolder: fixtureFolder }),
      openTestService({ guidesFolder: realFolder, environment: 'live' }),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await browser.close();
    await Promise.all([fixture.close(), real.close()]);
    for (const folder of [fixtureFolder, realFolder]) rmSync(dirname(folder), { recursive: true });
  });

  test('every page fits a desktop and a phone, without an error or a request to another host', async () => {
    for (const { service, paths } of sites()) {
      const page = await browser.newPage({ viewport: desktop });
      const complaints = watch(page, service.url);
      for (const path of paths) {
        const answer = await page.goto(`${service.url}${path}`);
        assert.equal(answer?.status(), 200, path);
        const levels = (await page.evaluate(
          `[...document.querySelectorAll('h1, h2, h3, h4')].map((each) => Number(each.tagName[1]))`,
        )) as readonly number[];
        assert.equal(levels.filter((level) => level === 1).length, 1, path);
        const skips = levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1);
        assert.deepEqual(skips, [], `${path} skips a level of headings`);
        for (const viewport of [phone, desktop]) {
          await page.setViewportSize(viewport);
          const overflow = Number(
            await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          );
          assert.ok(overflow <= 0, `${path}, ${viewport.width} px: ${overflow} too wide`);
        }
      }
      assert.deepEqual(complaints, []);
      await page.close();
    }
  });

  test('every link and anchor inside the pages resolves', async () => {
    for (const { service, paths } of sites()) {
      const bodies = new Map<string, string>();
      const bodyOf = async (path: string) => {
        const known = bodies.get(path);
        if (known !== undefined) return known;
        const answer = await fetch(`${service.url}${path}`);
        assert.equal(answer.status, 200, path);
        const body = await answer.text();
        bodies.set(path, body);
        return body;
      };
      let checked = 0;
      for (const from of paths) {
        const body = await bodyOf(from);
        for (const [, href = ''] of body.matchAll(/(?:href|src|data-index)="([/#][^"]*)"/g)) {
          const [path = '', anchor] = href.split('#');
          const target = await bodyOf(path === '' ? from : path);
          checked += 1;
          if (anchor !== undefined) {
            assert.ok(target.includes(`id="${anchor}"`), `${from} links to ${href}`);
          }
        }
      }
      assert.ok(checked > paths.length * 5);
    }
  });

  test('both themes have a contrast of at least 4.5:1', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: desktop, colorScheme });
      for (const slug of ['quick-start', 'deliveries', 'changelog']) {
        await page.goto(`${fixture.url}/docs/guides/${slug}`);
        const { low, checked } = await lowContrastTexts(page);
        assert.ok(checked > 50);
        assert.deepEqual(low, [], `${slug}, ${colorScheme}`);
      }
      await page.close();
    }
  });

  test('search finds a page by a word and an error by its code, with the keyboard alone', async () => {
    const page = await browser.newPage({ viewport: desktop });
    const complaints = watch(page, fixture.url);
    await page.goto(`${fixture.url}/docs/guides`);
    await page.keyboard.press('/');
    await page.keyboard.type('quotas');
    await page.locator('#results li').first().waitFor();
    assert.match(await page.locator('#results').innerText(), /Quotas · Limits/);
    assert.match(await page.locator('.search [role=status]').innerText(), /^\d+ results?$/);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#results').isVisible(), false);

    await page.keyboard.type('invalid_');
    await page.locator('#results li').nth(2).waitFor();
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.locator('#results li').nth(1).getAttribute('aria-selected'), 'true');
    assert.equal(await page.locator('#search').getAttribute('aria-activedescendant'), 'result-1');
    await page.keyboard.type('field');
    await page.locator('#results li').first().getByText('invalid_field').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guides/errors#invalid_field');
    assert.ok(await page.locator('#invalid_field').isVisible());

    await page.keyboard.press('/');
    await page.keyboard.type('zzzz');
    await page.getByText('No results').first().waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the theme follows the system until it is chosen, and the choice is remembered', async () => {
    const context = await browser.newContext({ viewport: desktop, colorScheme: 'dark' });
    const page = await context.newPage();
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.goto(`${fixture.url}/docs/guides`);
    assert.equal(await background(), 'rgb(16, 18, 22)');
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    assert.equal(await background(), 'rgb(255, 255, 255)');
    await page.goto(`${fixture.url}/docs/guides/errors`);
    assert.equal(await background(), 'rgb(255, 255, 255)');
    await context.close();
  });

  test('the sidebar shows the page that is open, also on a low screen', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 260 } });
    await page.goto(`${fixture.url}/docs/guides/changelog`);
    const isShown = await page.evaluate(`(() => {
      const sidebar = document.querySelector('.sidebar').getBoundingClientRect();
      const link = document.querySelector('.sidebar [aria-current]').getBoundingClientRect();
      return link.top >= sidebar.top && link.bottom <= sidebar.bottom;
    })()`);
    assert.equal(isShown, true);
    await page.close();
  });

  test('code is copied without its caption', async () => {
    const context = await browser.newContext({ viewport: desktop });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    await page.goto(`${fixture.url}/docs/guides/quick-start`);
    await page.locator('.copy').first().click();
    await page.getByText('Copied').waitFor();
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^curl -s -X POST/);
    await context.close();
  });

  test('on a phone the guides are in a menu, and everything is there without JavaScript', async () => {
    const context = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${fixture.url}/docs/guides/errors`);
    assert.equal(await page.locator('.search').isVisible(), false);
    await page.getByText('Menu').click();
    await page.locator('.menu').getByText('Limits').click();
    await page.waitForURL('**/docs/guides/limits');
    assert.ok(await page.getByText('delivery_jobs_running').first().isVisible());
    await context.close();
  });

  test('the first key reaches a link that skips to the content', async () => {
    const page = await browser.newPage({ viewport: desktop });
    await page.goto(`${fixture.url}/docs/guides/errors`);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');
    await page.close();
  });
});

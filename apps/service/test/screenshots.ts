/**
 * `npm run screenshots -- FOLDER`: the reference, the index of the guides and three guides, at desktop and phone width, light and
 * dark. Look at them with the checklist of docs/adr/0034. It needs Chromium and no database.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { composeUnconnectedApi } from '../src/app/openapi.ts';
import type { RateLimiter } from '../src/kernel/rate.ts';
import { launchBrowser } from './browser.ts';

const paths = {
  reference: '/docs/',
  index: '/docs/guides',
  'quick-start': '/docs/guides/quick-start',
  preflight: '/docs/guides/preflight',
  webhooks: '/docs/guides/webhooks',
};
const widths = [1280, 390];
const schemes = ['light', 'dark'] as const;
const heightPx = 1000;

/** Sixteen pages in a few seconds are more than an address may read. */
const unlimited: RateLimiter = {
  consume: async (_rateKey, { perMinute }) => ({
    isAllowed: true,
    remaining: perMinute,
    resetSeconds: 60,
    retryAfterSeconds: 0,
  }),
  close: async () => undefined,
};

const folder = process.argv.slice(2).find((argument) => argument !== '--');
if (folder === undefined) {
  process.stderr.write('Usage: npm run screenshots -- FOLDER\n');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const { server, close } = await composeUnconnectedApi(() => unlimited);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
const browser = await launchBrowser();
for (const width of widths) {
  for (const colorScheme of schemes) {
    const page = await browser.newPage({ viewport: { width, height: heightPx }, colorScheme });
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(`${url}${path}`, { waitUntil: 'networkidle' });
      const file = join(folder, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path: file });
      process.stdout.write(`${file}\n`);
    }
    await page.close();
  }
}
await browser.close();
await close();

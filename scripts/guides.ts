/** `npm run guides`: renders docs/guides into apps/service/guides, which the api serves at /docs/guides. */

import { join } from 'node:path';
import { pageGroups } from './guides/pages.ts';
import { GuidesError } from './guides/problems.ts';
import { renderSite } from './guides/render-site.ts';
import { writeSite } from './guides/site-files.ts';

const root = join(import.meta.dirname, '..');
const source = { path: join(root, 'docs', 'guides'), shownAs: 'docs/guides' };
const target = join(root, 'apps', 'service', 'guides');

try {
  const begun = performance.now();
  const files = renderSite(source, pageGroups);
  await writeSite(target, files);
  const ms = Math.round(performance.now() - begun);
  console.log(`${files.length} files in apps/service/guides, ${ms} ms`);
} catch (error) {
  if (!(error instanceof GuidesError)) throw error;
  process.exitCode = 1;
  process.stderr.write(`${error.message}\n`);
}

/** A small site for tests: six pages that use everything. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageGroup } from './pages.ts';
import { renderSite } from './render-site.ts';
import { writeSite } from './site-files.ts';

export const fixtureFolder = {
  path: join(import.meta.dirname, 'fixture'),
  shownAs: 'scripts/guides/fixture',
};

export const fixtureGroups: readonly PageGroup[] = [
  { title: 'Start', slugs: ['quick-start'] },
  { title: 'Catalog', slugs: ['preflight', 'deliveries'] },
  { title: 'Platform', slugs: ['errors', 'limits', 'changelog'] },
];

/** Returns the folder; the caller removes it. */
export async function writeFixtureSite(): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), 'tonearm-guides-')), 'guides');
  await writeSite(folder, renderSite(fixtureFolder, fixtureGroups));
  return folder;
}

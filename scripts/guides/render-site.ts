/** Renders a folder of guides: parses every page, checks every link, and returns the files of the site. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderLlmsFull, renderLlmsIndex, renderMarkdown } from './as-markdown.ts';
import { renderGuide, renderIndex, type Site } from './layout.ts';
import { examplesFolder, examplesPath, guidesPath, linkResolver, pathOf } from './links.ts';
import { parsePage, type Page } from './page.ts';
import type { PageGroup } from './pages.ts';
import { collectComplaints, type Complain } from './problems.ts';
import { renderPage } from './render-page.ts';
import { searchIndex } from './search-index.ts';
import { asset, page as pageFile, type SiteFile } from './site-files.ts';

const themeFolder = join(import.meta.dirname, 'theme');

/** `shownAs`: the folder as complaints name it. */
export type GuidesFolder = { readonly path: string; readonly shownAs: string };

export function renderSite(folder: GuidesFolder, groups: readonly PageGroup[]): SiteFile[] {
  const { complain, throwIfAny } = collectComplaints();
  const pages = readPages(folder, groups, complain);
  const resolve = linkResolver(pages, complain);
  const bodies = new Map([...pages.values()].map((page) => [page, renderPage(page, resolve)]));
  throwIfAny();

  const present = (slugs: readonly string[]) => slugs.flatMap((slug) => pages.get(slug) ?? []);
  const shownGroups = groups
    .map(({ title, slugs }) => ({ title, pages: present(slugs) }))
    .filter((group) => group.pages.length > 0);
  const ordered = shownGroups.flatMap((group) => group.pages);
  const css = asset('guides.css', readFileSync(join(themeFolder, 'guides.css'), 'utf8'));
  const script = asset('guides.js', readFileSync(join(themeFolder, 'guides.js'), 'utf8'));
  const search = asset('search.json', JSON.stringify(searchIndex(ordered)));
  const site: Site = {
    groups: shownGroups,
    assets: { css: css.path, script: script.path, search: search.path },
  };
  return [
    css,
    script,
    search,
    pageFile(guidesPath, 'index.html', renderIndex(site)),
    ...ordered.flatMap((page) => [
      pageFile(
        pathOf(page.slug),
        `${page.slug}.html`,
        renderGuide(site, page, bodies.get(page) ?? ''),
      ),
      pageFile(`${pathOf(page.slug)}.md`, `${page.slug}.md`, renderMarkdown(page, resolve)),
    ]),
    ...exampleFiles(),
    completed(pageFile('/llms.txt', 'llms.txt', renderLlmsIndex(shownGroups))),
    completed(pageFile('/llms-full.txt', 'llms-full.txt', renderLlmsFull(ordered, resolve))),
  ];
}

/** The programs that guides link to. Examples in folders of their own are read in the repository. */
const exampleFiles = (): SiteFile[] =>
  readdirSync(examplesFolder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) =>
      pageFile(
        `${examplesPath}/${name}`,
        `examples/${name}`,
        readFileSync(join(examplesFolder, name), 'utf8'),
      ),
    );

const completed = (file: SiteFile): SiteFile => ({ ...file, namesOrigin: true });

/** A page that is listed and missing, or present and not listed, is a mistake. */
function readPages(
  { path, shownAs }: GuidesFolder,
  groups: readonly PageGroup[],
  complain: Complain,
): Map<string, Page> {
  const listed = groups.flatMap(({ slugs }) => slugs);
  const files = readdirSync(path).filter((name) => name.endsWith('.md'));
  const present = new Set(files.map((name) => name.replace(/\.md$/, '')));
  for (const slug of present) {
    if (listed.includes(slug)) continue;
    complain({ file: `${shownAs}/${slug}.md`, line: 1 }, 'is not in scripts/guides/pages.ts');
  }
  const pages = new Map<string, Page>();
  for (const slug of listed) {
    const file = `${shownAs}/${slug}.md`;
    if (present.has(slug)) {
      const source = readFileSync(join(path, `${slug}.md`), 'utf8');
      pages.set(slug, parsePage({ slug, file, source }, complain));
    } else complain({ file, line: 1 }, 'is in scripts/guides/pages.ts and missing');
  }
  return pages;
}

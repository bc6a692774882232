/** The page around a guide: header with search, sidebar, table of contents, next and previous. No inline script or style. */

import { escapeHtml } from './html.ts';
import { guidesPath, pathOf } from './links.ts';
import type { Heading, Page } from './page.ts';

export type NavigationGroup = { readonly title: string; readonly pages: readonly Page[] };

/** Addresses of the assets, whose names contain a hash of their content. */
type AssetPaths = { readonly css: string; readonly script: string; readonly search: string };

export type Site = {
  readonly groups: readonly NavigationGroup[];
  readonly assets: AssetPaths;
};

const siteTitle = 'Tonearm guides';
export const siteSummary =
  'Tonearm distributes music: create releases and tracks, upload audio and artwork, deliver to stores, follow every store, and receive events.';

const iconOf = (path: string): string =>
  `<svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true">${path}</svg>`;
/** A record and its arm, as /favicon.svg; inline, because every page would request the file. */
const brandIcon =
  '<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><circle class="record" cx="14" cy="18" r="12"/><circle class="label" cx="14" cy="18" r="4"/><path class="arm" d="M29 3 23 21l-6 2"/></svg>';
const searchIcon = iconOf('<circle cx="11" cy="11" r="7"/><path d="m20 20-4-4"/>');
const themeIcon = iconOf(
  '<circle cx="12" cy="12" r="9"/><path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor"/>',
);

export function renderGuide(site: Site, page: Page, body: string): string {
  const pages = site.groups.flatMap((group) => group.pages);
  const at = pages.indexOf(page);
  const contents = renderContents(page.headings);
  return renderDocument(site, {
    title: `${page.title} – ${siteTitle}`,
    description: page.description,
    slug: page.slug,
    main: `<article>\n${body}</article>
${renderPager(pages[at - 1], pages[at + 1])}
<footer><a href="${pathOf(page.slug)}.md">View as Markdown</a></footer>`,
    contents,
  });
}

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;

const card = ({ slug, title, description }: Page): string =>
  `<li><a href="${pathOf(slug)}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(firstSentence(description))}</span></a></li>`;

const cardGroup = ({ title, pages }: NavigationGroup): string =>
  `<section><h2>${escapeHtml(title)}</h2>\n<ul class="cards">${pages.map(card).join('\n')}</ul></section>`;

export function renderIndex(site: Site): string {
  return renderDocument(site, {
    title: siteTitle,
    description: siteSummary,
    slug: undefined,
    main: `<article class="index"><h1>Guides</h1>
<p class="lede">${siteSummary} The <a href="/docs/">API reference</a> describes every request.</p>
${site.groups.map(cardGroup).join('\n')}</article>
<footer>For language models: <a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a>. Changes as a feed: <a href="/docs/changelog.atom">Atom</a>.</footer>`,
    contents: '',
  });
}

type Document = {
  readonly title: string;
  readonly description: string;
  /** Undefined: the index. */
  readonly slug: string | undefined;
  readonly main: string;
  readonly contents: string;
};

function renderDocument(
  site: Site,
  { title, description, slug, main, contents }: Document,
): string {
  const { css, script } = site.assets;
  const markdownLink =
    slug === undefined
      ? ''
      : `\n<link rel="alternate" type="text/markdown" href="${pathOf(slug)}.md">`;
  const navigation = renderNavigation(site.groups, slug);
  // The script is not deferred: it applies the chosen theme before anything is painted.
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${css}">
<link rel="alternate" type="application/atom+xml" title="Changelog" href="/docs/changelog.atom">${markdownLink}
<script src="${script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${renderHeader(site, slug)}
<details class="menu"><summary>Menu</summary><nav aria-label="Guides">${navigation}</nav></details>
<div class="columns">
<nav class="sidebar" aria-label="Guides">${navigation}</nav>
<main id="content" tabindex="-1">
${main}
</main>
${contents}
</div>
</body>
</html>
`;
}

const current = (isCurrent: boolean): string => (isCurrent ? ' aria-current="page"' : '');

function renderHeader({ assets, groups }: Site, slug: string | undefined): string {
  const inSection = slug === 'changelog' ? '' : ' aria-current="true"';
  const hasChangelog = groups.some(({ pages }) => pages.some((page) => page.slug === 'changelog'));
  const changelog = hasChangelog
    ? `<a href="${pathOf('changelog')}"${current(slug === 'changelog')}>Changelog</a>`
    : '';
  return `<header class="top">
<a class="brand" href="${guidesPath}">${brandIcon}Tonearm</a>
<nav class="links" aria-label="Documentation"><a href="${guidesPath}"${slug === undefined ? current(true) : inSection}>Guides</a><a href="/docs/">API reference</a>${changelog}</nav>
<div class="search" data-index="${assets.search}" hidden>
${searchIcon}<input id="search" type="search" role="combobox" placeholder="Search" aria-label="Search the guides" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false"><kbd>/</kbd>
<ul id="results" role="listbox" aria-label="Results" hidden></ul>
<p class="unseen" role="status"></p>
</div>
<button class="theme" type="button" aria-label="Switch between light and dark" hidden>${themeIcon}</button>
</header>`;
}

function renderNavigation(groups: readonly NavigationGroup[], slug: string | undefined): string {
  const item = (page: Page) =>
    `<li><a href="${pathOf(page.slug)}"${current(page.slug === slug)}>${escapeHtml(page.title)}</a></li>`;
  return groups
    .map(
      ({ title, pages }) =>
        `<p class="group">${escapeHtml(title)}</p><ul>${pages.map(item).join('')}</ul>`,
    )
    .join('\n');
}

const contentsItem = ({ depth, id, text }: Heading): string =>
  `<li class="depth-${depth}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`;

function renderContents(headings: readonly Heading[]): string {
  const sections = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (sections.length < 2) return '';
  return `<nav class="contents" aria-label="On this page"><p class="group">On this page</p><ul>${sections.map(contentsItem).join('\n')}</ul></nav>`;
}

function pagerLink(page: Page | undefined, rel: 'prev' | 'next', label: string): string {
  if (page === undefined) return '<span></span>';
  return `<a rel="${rel}" href="${pathOf(page.slug)}"><span>${label}</span> ${escapeHtml(page.title)}</a>`;
}

const renderPager = (previous: Page | undefined, next: Page | undefined): string =>
  `<nav class="pager" aria-label="Previous and next guide">${pagerLink(previous, 'prev', 'Previous')}${pagerLink(next, 'next', 'Next')}</nav>`;

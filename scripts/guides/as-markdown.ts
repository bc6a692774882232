/** The guides as Markdown: one file each, and all of them for language models (llmstxt.org). */

import { originPlaceholder } from '../../apps/service/src/platform/http/rendered-guides.ts';
import { siteSummary, type NavigationGroup } from './layout.ts';
import { addressOf, guidesPath, pathOf, type ResolveLink } from './links.ts';
import { mapTextLines, markdownLines } from './markdown-lines.ts';
import type { Page } from './page.ts';

/** The title of a block of code, which names its file and how to run it, stands above the block. */
function captionOf(fence: string): string {
  const [, title] = /\stitle="([^"]+)"/.exec(fence) ?? [];
  return title === undefined ? '' : `**${title}**\n\n`;
}

/** With the generated parts, and without what is meant for the renderer and the snippet test. */
function cleanMarkdown({ markdown }: Page): string {
  const text = markdownLines(markdown)
    .map(({ text: line, kind }) => {
      if (kind === 'fence')
        return captionOf(line) + line.replace(/^(\s*(?:`{3,}|~{3,})\S*).*$/, '$1');
      if (kind === 'code') return line;
      return line.replace(/^(#+ .*?)\s*\{#[\w.-]+\}$/, '$1').replaceAll(/<!--.*?-->/g, '');
    })
    .join('\n');
  return `${text.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`;
}

const linkPattern = /\]\(([^()\s]+)\)/g;

const mapLinks = (page: Page, change: (href: string) => string): string =>
  mapTextLines(cleanMarkdown(page), (line) =>
    line.replaceAll(linkPattern, (_whole, href: string) => `](${change(href)})`),
  );

/** One guide. Links to other guides stay relative: they lead to the Markdown of those. */
export const renderMarkdown = (page: Page, resolve: ResolveLink): string =>
  mapLinks(page, (href) => {
    const target = resolve(page, href);
    return target.kind === 'guide' ? href : addressOf(target, page.slug);
  });

const withAbsoluteLinks = (page: Page, resolve: ResolveLink): string =>
  mapLinks(page, (href) => {
    const address = addressOf(resolve(page, href), page.slug);
    if (address.startsWith('#')) return `${originPlaceholder}${pathOf(page.slug)}${address}`;
    return `${address.startsWith('/') ? originPlaceholder : ''}${address}`;
  });

const heading = `# Tonearm API

> ${siteSummary}`;

const conventions = `The API is REST over HTTPS with JSON, under /v1. Send \`Authorization: Bearer <API_KEY>\`, and, so that a retry is safe, an \`Idempotency-Key\` (a UUID v4) with every POST and PATCH; it is optional. The sandbox has fictional stores and a clock that you can move.`;

const line = ({ slug, title, description }: Page): string =>
  `- [${title}](${originPlaceholder}${pathOf(slug)}.md): ${description}`;

export function renderLlmsIndex(groups: readonly NavigationGroup[]): string {
  const sections = groups.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join('\n')}`);
  const reference = `## Reference

- [OpenAPI document](${originPlaceholder}/openapi.json): every operation, schema and error code.
- [API reference](${originPlaceholder}/docs/): the same for people.`;
  const optional = `## Optional

- [All guides in one file](${originPlaceholder}/llms-full.txt): every guide as Markdown.
- [Guides](${originPlaceholder}${guidesPath}): the same for people.
- [Changelog feed](${originPlaceholder}/docs/changelog.atom): Atom.`;
  return `${[heading, conventions, ...sections, reference, optional].join('\n\n')}\n`;
}

export const renderLlmsFull = (pages: readonly Page[], resolve: ResolveLink): string =>
  `${[heading, conventions, ...pages.map((page) => withAbsoluteLinks(page, resolve).trim())].join('\n\n')}\n`;

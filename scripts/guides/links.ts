/** Where a link of a guide leads: to another guide, to a page of this server, to an example or to another site. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lineOf, type Page } from './page.ts';
import type { Complain } from './problems.ts';

export const guidesPath = '/docs/guides';
export const examplesPath = `${guidesPath}/examples`;
export const examplesFolder = join(import.meta.dirname, '..', '..', 'examples');

export const pathOf = (slug: string): string => `${guidesPath}/${slug}`;

export type LinkTarget =
  | { readonly kind: 'guide'; readonly slug: string; readonly anchor: string | undefined }
  | { readonly kind: 'server'; readonly path: string }
  | { readonly kind: 'external'; readonly url: string };

const examplePattern = /^\.\.\/\.\.\/examples\/([\w.-]+)$/;
const pagePattern = /^(?:\.\/|\/docs\/guides\/)?([\w-]+)(?:\.md)?$/;

/** Undefined: the link leads nowhere. */
function targetOf(href: string, from: string): LinkTarget | undefined {
  if (/^(?:https?|mailto):/.test(href)) return { kind: 'external', url: href };
  if (/^[a-z]+:|^\/\//i.test(href)) return undefined;
  const [path = '', anchor] = href.split('#', 2);
  if (path === '') return { kind: 'guide', slug: from, anchor };
  const isPage = path.endsWith('.md') || path.startsWith(`${guidesPath}/`);
  const slug = isPage ? pagePattern.exec(path)?.[1] : undefined;
  if (slug !== undefined) return { kind: 'guide', slug, anchor };
  if (path.startsWith('/')) return { kind: 'server', path: href };
  const [, example] = examplePattern.exec(path) ?? [];
  const isExample = example !== undefined && existsSync(join(examplesFolder, example));
  return isExample ? { kind: 'server', path: `${examplesPath}/${example}` } : undefined;
}

export type ResolveLink = (page: Page, href: string) => LinkTarget;

/** Complains about a link to a page, an anchor or a file that does not exist. */
export function linkResolver(pages: ReadonlyMap<string, Page>, complain: Complain): ResolveLink {
  return (page, href) => {
    const complainHere = (what: string) =>
      complain({ file: page.file, line: lineOf(page.source, `](${href}`) }, what);
    const target = targetOf(href, page.slug);
    if (target === undefined) {
      complainHere(`the link "${href}" leads to no guide and to no example`);
      return { kind: 'server', path: href };
    }
    if (target.kind !== 'guide') return target;
    const { slug, anchor } = target;
    const other = pages.get(slug);
    if (other === undefined) complainHere(`the link "${href}" names a page that does not exist`);
    else if (anchor !== undefined && !other.anchors.has(anchor)) {
      complainHere(`the link "${href}" names an anchor that ${other.file} does not have`);
    }
    return target;
  };
}

/** The address in a page of this server. */
export function addressOf(target: LinkTarget, from: string): string {
  if (target.kind === 'external') return target.url;
  if (target.kind === 'server') return target.path;
  const anchor = target.anchor === undefined ? '' : `#${target.anchor}`;
  return target.slug === from && anchor !== '' ? anchor : `${pathOf(target.slug)}${anchor}`;
}

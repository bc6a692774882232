/** The sections of all guides as text. The script of the pages searches it, so that no search leaves the browser. */

import type { Token, Tokens } from 'marked';
import { pathOf } from './links.ts';
import { type Page, plainText } from './page.ts';

type SearchEntry = {
  readonly url: string;
  /** Of the guide. */
  readonly page: string;
  /** Of the section or table row; empty for the beginning of the guide. */
  readonly title: string;
  readonly text: string;
};

export const searchIndex = (pages: readonly Page[]): readonly SearchEntry[] =>
  pages.flatMap(entriesOf);

function entriesOf(page: Page): SearchEntry[] {
  const url = pathOf(page.slug);
  const sections: { url: string; page: string; title: string; text: string }[] = [];
  const rows: SearchEntry[] = [];
  for (const token of page.tokens) {
    const id = page.idOfHeading.get(token);
    if (id !== undefined) {
      const isTop = sections.length === 0;
      const title = isTop ? '' : plainText((token as Tokens.Heading).tokens);
      sections.push({ url: isTop ? url : `${url}#${id}`, page: page.title, title, text: '' });
      continue;
    }
    const section = sections.at(-1);
    if (section === undefined) continue;
    if (token.type === 'table') rows.push(...rowEntries(page, token as Tokens.Table));
    section.text = `${section.text} ${textOf(page, token)}`.trim();
  }
  return [...sections, ...rows];
}

/** Rows with an id are entries of their own, and not part of the text of their section. */
function rowEntries(page: Page, { rows }: Tokens.Table): SearchEntry[] {
  return rows.flatMap(([first, ...others]) => {
    const id = first === undefined ? undefined : page.idOfRow.get(first);
    if (id === undefined) return [];
    const text = others.map(({ tokens }) => plainText(tokens)).join(' · ');
    return [{ url: `${pathOf(page.slug)}#${id}`, page: page.title, title: id, text }];
  });
}

function textOf(page: Page, token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    const unnamed = rows.filter(([first]) => first === undefined || !page.idOfRow.has(first));
    return [header, ...unnamed]
      .flat()
      .map(({ tokens }) => plainText(tokens))
      .join(' ');
  }
  if (token.type === 'list') {
    const { items } = token as Tokens.List;
    return items.map(({ tokens }) => tokens.map((each) => textOf(page, each)).join(' ')).join(' ');
  }
  return plainText([token]);
}

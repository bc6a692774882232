/** The body of a guide as HTML. */

import { Marked, type RendererObject, type Tokens } from 'marked';
import { highlight, languageLabel } from './highlight.ts';
import { escapeHtml } from './html.ts';
import { addressOf, type ResolveLink } from './links.ts';
import { type Page, plainText } from './page.ts';

export function renderPage(page: Page, resolve: ResolveLink): string {
  const renderer = rendererOf(page, resolve);
  return new Marked({ gfm: true, renderer }).parser([...page.tokens]);
}

function rendererOf(page: Page, resolve: ResolveLink): RendererObject {
  let isFirstParagraph = true;
  let section = page.title;
  return {
    html: () => '',
    heading(token) {
      const { depth, tokens } = token;
      const text = this.parser.parseInline(tokens);
      const id = escapeHtml(page.idOfHeading.get(token) ?? '');
      if (depth === 1) return `<h1 id="${id}">${text}</h1>\n`;
      section = page.headings.find((heading) => heading.id === id)?.text ?? section;
      const label = escapeHtml(`Link to ${section}`);
      const anchor = `<a class="anchor" href="#${id}" aria-label="${label}">#</a>`;
      return `<h${depth} id="${id}">${text} ${anchor}</h${depth}>\n`;
    },
    paragraph({ tokens }) {
      const isLede = isFirstParagraph;
      isFirstParagraph = false;
      return `<p${isLede ? ' class="lede"' : ''}>${this.parser.parseInline(tokens)}</p>\n`;
    },
    link({ href, tokens }) {
      const target = resolve(page, href);
      const rel = target.kind === 'external' ? ' rel="noopener"' : '';
      const address = escapeHtml(addressOf(target, page.slug));
      return `<a href="${address}"${rel}>${this.parser.parseInline(tokens)}</a>`;
    },
    // A long name may break after a separator, and not in the middle of a word.
    codespan: ({ text }) => `<code>${escapeHtml(text).replaceAll(/[_./]/g, '$&<wbr>')}</code>`,
    image: ({ text }) => escapeHtml(text),
    code: ({ text, lang = '' }) => renderCode(text, lang),
    table({ header, rows }) {
      const widths = header.map((_, column) => widthClass(rows.map((row) => row[column])));
      const cellOf = (tag: 'td' | 'th', { tokens, align }: Tokens.TableCell, column: number) => {
        const scope = tag === 'th' ? ' scope="col"' : '';
        const name = align === 'right' ? 'number' : widths[column];
        const classes = name === undefined ? '' : ` class="${name}"`;
        return `<${tag}${scope}${classes}>${this.parser.parseInline(tokens)}</${tag}>`;
      };
      const rowOf = (cells: readonly Tokens.TableCell[]) => {
        const id = cells[0] === undefined ? undefined : page.idOfRow.get(cells[0]);
        const attribute = id === undefined ? '' : ` id="${escapeHtml(id)}"`;
        return `<tr${attribute}>${cells.map((cell, column) => cellOf('td', cell, column)).join('')}</tr>`;
      };
      const head = header.map((cell, column) => cellOf('th', cell, column)).join('');
      // Its own scroll box, which the keyboard can reach: a wide table never widens the page.
      return `<div class="table" role="region" tabindex="0" aria-label="${escapeHtml(`Table: ${section}`)}">
<table><thead><tr>${head}</tr></thead>
<tbody>${rows.map(rowOf).join('\n')}</tbody></table></div>\n`;
    },
  };
}

const sentenceLength = 60;
const phraseLength = 12;

/** By the longest text of a column: sentences need more room than codes and numbers. */
function widthClass(cells: readonly (Tokens.TableCell | undefined)[]): string | undefined {
  const longest = Math.max(0, ...cells.map((cell) => plainText(cell?.tokens ?? []).length));
  if (longest > sentenceLength) return 'wide';
  return longest > phraseLength ? 'medium' : undefined;
}

const titlePattern = /\btitle="([^"]*)"/;

/** Of the info string, the first word is the language and `title="…"` a caption; the rest is for the snippet test. */
function renderCode(text: string, info: string): string {
  const [language = ''] = info.split(/\s/, 1);
  const label = titlePattern.exec(info)?.[1] ?? languageLabel(language);
  return `<figure class="code"><figcaption>${escapeHtml(label)}</figcaption>
<pre tabindex="0"><code>${highlight(text, language)}\n</code></pre></figure>\n`;
}

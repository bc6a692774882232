/** A guide, parsed: its tokens, its title and description, and every id that a link may name. */

import { Marked, type Token, type Tokens } from 'marked';
import { expandIncludes } from './expand-includes.ts';
import type { Complain } from './problems.ts';

export type Heading = { readonly depth: number; readonly id: string; readonly text: string };

export type Page = {
  readonly slug: string;
  /** For complaints: `docs/guides/uploads.md`. */
  readonly file: string;
  /** As it was written. */
  readonly source: string;
  /** With the generated parts. */
  readonly markdown: string;
  readonly tokens: readonly Token[];
  readonly title: string;
  readonly description: string;
  readonly headings: readonly Heading[];
  readonly idOfHeading: ReadonlyMap<Token, string>;
  /** By the first cell of a row: a row that begins with one piece of code can be linked to. */
  readonly idOfRow: ReadonlyMap<Tokens.TableCell, string>;
  readonly anchors: ReadonlySet<string>;
};

/** GitHub Flavored Markdown. */
const markdownParser = new Marked({ gfm: true });

export type PageSource = {
  readonly slug: string;
  readonly file: string;
  readonly source: string;
};

export function parsePage({ slug, file, source }: PageSource, complain: Complain): Page {
  const markdown = expandIncludes(source, file, complain);
  const tokens = markdownParser.lexer(markdown).filter(({ type }) => type !== 'space');
  const complainAt = (text: string, what: string) =>
    complain({ file, line: lineOf(source, text) }, what);
  checkBeginning(tokens, complainAt);
  refuseHtml(tokens, complainAt);
  const { headings, idOfHeading } = nameHeadings(tokens, complainAt);
  const anchors = new Set(headings.map(({ id }) => id));
  const idOfRow = nameRows(tokens, anchors);
  return {
    slug,
    file,
    source,
    markdown,
    tokens,
    title: headings[0]?.text ?? slug,
    description: descriptionOf(tokens),
    headings,
    idOfHeading,
    idOfRow,
    anchors,
  };
}

/** The first line that has the text; 1 where it is not in the source, because it was generated. */
export function lineOf(source: string, text: string): number {
  const index = source.indexOf(text.trim().split('\n', 1)[0] ?? '');
  return index === -1 ? 1 : source.slice(0, index).split('\n').length;
}

type ComplainAt = (text: string, what: string) => void;

function checkBeginning(tokens: readonly Token[], complainAt: ComplainAt): void {
  const [first, second] = tokens.filter((token) => !isComment(token));
  if (first?.type !== 'heading' || first['depth'] !== 1) {
    complainAt('', 'a page begins with its title, as the only "# " heading');
  }
  if (second?.type !== 'paragraph') {
    complainAt('', 'the paragraph after the title describes the page; it is missing');
  }
}

const commentPattern = /^\s*(?:<!--[\s\S]*?-->\s*)+$/;
const isComment = ({ type, raw }: Token): boolean => type === 'html' && commentPattern.test(raw);

function refuseHtml(tokens: readonly Token[], complainAt: ComplainAt): void {
  void markdownParser.walkTokens([...tokens], (token) => {
    if (token.type !== 'html' || isComment(token)) return;
    complainAt(token.raw, `HTML is not allowed; write ${token.raw.trim()} in backticks`);
  });
}

/** GitHub's ids, so that a link works there too. Generated headings may name theirs: `## Title {#id}`. */
function nameHeadings(tokens: readonly Token[], complainAt: ComplainAt) {
  const headings: Heading[] = [];
  const idOfHeading = new Map<Token, string>();
  const used = new Map<string, number>();
  let depthBefore = 0;
  for (const token of tokens) {
    if (token.type !== 'heading') continue;
    // The parse boundary: marked's type of a token is a union with any other token.
    const heading = token as Tokens.Heading;
    const explicitId = takeExplicitId(heading);
    const text = plainText(heading.tokens);
    if (heading.depth > depthBefore + 1) complainAt(heading.raw, 'a heading skips a level');
    if (heading.depth === 1 && depthBefore > 0) complainAt(heading.raw, 'a second "# " heading');
    depthBefore = heading.depth;
    const slug = explicitId ?? slugOf(text);
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    const id = times === 0 ? slug : `${slug}-${times}`;
    idOfHeading.set(token, id);
    headings.push({ depth: heading.depth, id, text });
  }
  return { headings, idOfHeading };
}

const explicitIdPattern = /\s*\{#([\w.-]+)\}$/;

function takeExplicitId(heading: Tokens.Heading): string | undefined {
  const last = heading.tokens.at(-1);
  const match = last?.type === 'text' ? explicitIdPattern.exec(last.raw) : null;
  if (last?.type !== 'text' || match === null) return undefined;
  const text = last.raw.replace(explicitIdPattern, '');
  heading.tokens = [...heading.tokens.slice(0, -1), { ...last, raw: text, text }];
  return match[1];
}

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** An id that a heading or an earlier row has is not given again. */
function nameRows(tokens: readonly Token[], anchors: Set<string>): Map<Tokens.TableCell, string> {
  const idOfRow = new Map<Tokens.TableCell, string>();
  void markdownParser.walkTokens([...tokens], (token) => {
    if (token.type !== 'table') return;
    for (const [first] of (token as Tokens.Table).rows) {
      const [only, ...others] = first?.tokens ?? [];
      if (first === undefined || only?.type !== 'codespan' || others.length > 0) continue;
      const id = (only as Tokens.Codespan).text;
      if (anchors.has(id) || /\s/.test(id)) continue;
      anchors.add(id);
      idOfRow.set(first, id);
    }
  });
  return idOfRow;
}

function descriptionOf(tokens: readonly Token[]): string {
  const paragraph = tokens.find(({ type }) => type === 'paragraph') as Tokens.Paragraph | undefined;
  // Where the first code follows, the paragraph may end with a colon.
  return plainText(paragraph?.tokens ?? []).replace(/:$/, '.');
}

/** Without markup, as people read it. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'html') return '';
      if (token.type === 'br') return ' ';
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return 'text' in token && typeof token.text === 'string' ? token.text : '';
    })
    .join('')
    .replaceAll(/\s+/g, ' ');
}

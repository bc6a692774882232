/**
 * The fenced code blocks of a page, as the test runs them. The first word of the info string is the language; the others
 * say how the block is tested:
 *
 *   bash                     runs, in one shell for each page, in the order of the page
 *   bash expect=409          runs, and one of its requests is answered so; every other answer must be 2xx or 3xx
 *   ts file=deliver.ts       is written to that file, which a later block or another test runs
 *   json output              has keys that the JSON printed by the bash block before it has too
 *   text output              has lines that the bash block before it printed; ids and numbers may differ
 *   text skip="a drawing"    is not tested, for this reason
 *   mermaid                  is a drawing that architecture.test.ts compares with the code
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../scripts/servers/server.ts';

export type Snippet = {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly file: string | undefined;
  readonly expect: number | undefined;
  readonly isOutput: boolean;
  readonly skip: string | undefined;
  readonly text: string;
};

const attribute = (info: string, name: string): string | undefined =>
  new RegExp(`(?:^| )${name}=(?:"([^"]*)"|(\\S+))`).exec(info)?.slice(1).find(Boolean);

function parseInfo(info: string) {
  const expect = attribute(info, 'expect');
  return {
    language: info.split(' ')[0] ?? '',
    file: attribute(info, 'file'),
    expect: expect === undefined ? undefined : Number(expect),
    isOutput: / output( |$)/.test(info),
    skip: attribute(info, 'skip'),
  };
}

/** A block inside a list is indented; its text is returned without that indentation. */
export function parseSnippets(page: string, markdown: string): Snippet[] {
  const blocks = markdown.matchAll(/^( *)```(.*)\n([\s\S]*?)^\1```$/gm);
  return [...blocks].map(({ 1: indent = '', 2: info = '', 3: text = '', index }) => ({
    page,
    line: markdown.slice(0, index).split('\n').length,
    ...parseInfo(info.trim()),
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Every page that partners run snippets of: the guides and the README. */
export const pagePaths: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs', 'guides'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/guides/${name}`),
];

export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What is wrong with how a block is marked; undefined: nothing. */
export function snippetIssue({ language, skip, file, isOutput, text }: Snippet) {
  if (skip !== undefined) return skip.length < 8 ? 'skip must give a reason' : undefined;
  if (language === 'bash' || language === 'mermaid') return undefined;
  if (language === 'json') {
    JSON.parse(text);
    return isOutput || file !== undefined ? undefined : 'say output, file=… or skip="…"';
  }
  if (language === 'text' && isOutput) return undefined;
  return file === undefined ? 'say file=…, output or skip="…"' : undefined;
}

/** Colors code at build time. highlight.js writes classes, not styles, so the content policy needs no exception. */

import { createRequire } from 'node:module';
import { escapeHtml } from './html.ts';

type Highlighter = {
  readonly registerLanguage: (name: string, language: unknown) => void;
  readonly getLanguage: (name: string) => unknown;
  readonly highlight: (
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ) => { readonly value: string };
};

// Required, not imported: the types of the package bring those of the DOM, which the whole repository would then have.
const require = createRequire(import.meta.url);
const highlighter = require('highlight.js/lib/core') as Highlighter;

/** The languages of the guides: each costs a file to load. */
const languages = [
  'bash',
  'go',
  'http',
  'javascript',
  'json',
  'php',
  'python',
  'typescript',
  'xml',
];
for (const name of languages) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
}

/** As people call them; shown above the code. */
const labels: Readonly<Record<string, string>> = {
  bash: 'Shell',
  sh: 'Shell',
  shell: 'Shell',
  go: 'Go',
  http: 'HTTP',
  js: 'JavaScript',
  javascript: 'JavaScript',
  json: 'JSON',
  php: 'PHP',
  py: 'Python',
  python: 'Python',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  xml: 'XML',
};

export const languageLabel = (language: string): string => labels[language] ?? 'Text';

/** Escaped HTML; without colors if the language is not known. */
export const highlight = (code: string, language: string): string =>
  highlighter.getLanguage(language) === undefined
    ? escapeHtml(code)
    : highlighter.highlight(code, { language, ignoreIllegals: true }).value;

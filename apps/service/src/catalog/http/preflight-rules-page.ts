/** The page at /docs/preflight-rules: the list of GET /v1/preflight_rules for people. */

import type { PresentedRule } from '../domain/preflight/present-rules.ts';

const style = `
  :root { color-scheme: light dark; --line: #8884; --quiet: #777; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 2rem 1rem; }
  h1 { margin: 0; }
  code { font: 0.9em ui-monospace, monospace; }
  section { border-top: 1px solid var(--line); padding: 1rem 0; }
  h2 { font-size: 1rem; margin: 0; }
  h2 code { font-weight: 700; }
  h2 a { color: inherit; text-decoration: none; }
  p { margin: 0.25rem 0 0.5rem; }
  dl { display: grid; grid-template-columns: 6rem 1fr; margin: 0.5rem 0 0; font-size: 0.875rem; }
  dt { color: var(--quiet); }
  dd { margin: 0; }
  .error { color: #c62828; font-weight: 600; }
  .warning { color: #b26a00; font-weight: 600; }
  @media (prefers-color-scheme: dark) { .error { color: #ff8a80; } .warning { color: #ffc46b; } }
`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

const packs = { a: 'pack A', b: 'pack B', base: 'other stores' } as const;

const scopes = { release: 'the release', track: 'each track' };

/** "error for all stores", or "error for pack A, pack B". */
function describeSeverity({ severity }: PresentedRule): string {
  const names = (Object.keys(packs) as (keyof typeof packs)[]).filter(
    (pack) => severity[pack] !== null,
  );
  const word = severity.a ?? severity.b ?? severity.base ?? '';
  const where =
    names.length === Object.keys(packs).length
      ? 'all stores'
      : names.map((pack) => packs[pack]).join(', ');
  return `<span class="${word}">${word}</span> for ${where}`;
}

const renderRule = (rule: PresentedRule): string => `
<section id="${rule.id}">
  <h2><a href="#${rule.id}">${code(rule.id)}</a></h2>
  <p>${escapeHtml(rule.description)}</p>
  <dl>
    <dt>Severity</dt><dd>${describeSeverity(rule)}</dd>
    <dt>Reads</dt><dd>${rule.fields.map(code).join(', ')} of ${rule.scope.map((scope) => scopes[scope]).join(' and ')}</dd>
    <dt>Prevents</dt><dd>${code(rule.prevents)}</dd>
    <dt>Source</dt><dd>${escapeHtml(rule.source)}</dd>
  </dl>
</section>`;

export const renderRulesPage = (
  version: string,
  rules: readonly PresentedRule[],
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preflight rules – Tonearm</title>
<link rel="icon" href="/favicon.svg">
<style>${style}</style>
</head>
<body>
<h1>Preflight rules</h1>
<p>${rules.length} rules, version ${escapeHtml(version)}. As JSON: <a href="/v1/preflight_rules"><code>GET /v1/preflight_rules</code></a>. <a href="/docs">API reference</a>.</p>
<p><code>POST /v1/releases/{release_id}/validate</code> checks a release against these rules before you submit it, and the review checks every submission. An <span class="error">error</span> means that a store will refuse the release, so it is not sent to that store. A <span class="warning">warning</span> is advice. Packs A and B have their own rules for artwork and audio.</p>
${rules.map(renderRule).join('')}
</body>
</html>
`;

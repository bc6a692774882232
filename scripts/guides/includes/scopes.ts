import { readFileSync } from 'node:fs';
import { scopes } from '../../../apps/service/src/kernel/scope.ts';
import { code, table } from './table.ts';

/** The committed document is made from the routes: each names the scopes it needs. */
const documentUrl = new URL('../../../openapi/openapi.json', import.meta.url);

type Document = {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly 'x-scopes'?: readonly string[] }>>>
  >;
};

export function scopeTable(): string {
  // The parse boundary: our own committed document.
  const { paths } = JSON.parse(readFileSync(documentUrl, 'utf8')) as Document;
  const uses = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { 'x-scopes': needed = [] }]) =>
      needed.map((scope) => ({ scope, route: `${method.toUpperCase()} ${path}` })),
    ),
  );
  const routesOf = (scope: string) =>
    uses.flatMap((use) => (use.scope === scope ? [code(use.route)] : []));
  return table(
    ['Scope', 'Needed for'],
    scopes.map((scope) => [code(scope), routesOf(scope).join(', ') || 'No route yet.']),
  );
}

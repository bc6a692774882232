/** What a credential may grant to another one (contract §5). */

import type { Refusal } from '../../kernel/problem.ts';
import type { Scope } from '../../kernel/scope.ts';

/** A key or client never grants more scopes than its maker has. */
export function refuseScopes(
  wanted: readonly Scope[],
  makerScopes: ReadonlySet<Scope>,
): Refusal | undefined {
  const details = wanted.flatMap((scope, i) =>
    makerScopes.has(scope)
      ? []
      : [{ field: `scopes[${i}]`, issue: `Your credential does not have the scope ${scope}.` }],
  );
  if (details.length === 0) return undefined;
  const missing = wanted.filter((scope) => !makerScopes.has(scope));
  return {
    code: 'insufficient_scope',
    message: `Your credential cannot grant scopes that it does not have: ${missing.join(', ')}. Leave them out, or use a credential that has them.`,
    details,
  };
}

/**
 * Rules that the service already enforced when `openapi/released.json` was released, and that the document states since
 * then. The document seems to accept less, but a request that the service accepted is accepted as before; only a filter
 * that could match nothing is refused now. An entry is removed after the next release, because the released document then
 * has the rule too.
 */

import type { Breach } from './breach.ts';

/** `shownBy`: the test that shows the rule. */
type StatedRule = Pick<Breach, 'kind' | 'at'> & { readonly shownBy: string };

export const statedRules: readonly StatedRule[] = [
  {
    kind: 'value_removed',
    at: 'POST /v1/assets body content_type',
    shownBy: 'assets.test.ts',
  },
  {
    kind: 'type_changed',
    at: 'POST /v1/webhooks body event_type',
    shownBy: 'webhooks-endpoints.test.ts',
  },
  {
    kind: 'type_changed',
    at: 'PATCH /v1/webhooks/{webhook_id} body event_type',
    shownBy: 'webhooks-endpoints.test.ts',
  },
  {
    kind: 'type_changed',
    at: 'POST /v1/sandbox/clock/advance body',
    shownBy: 'sandbox-clock.test.ts',
  },
  {
    kind: 'type_changed',
    at: 'POST /v1/sandbox/scenarios body steps[]',
    shownBy: 'sandbox-scenarios.test.ts',
  },
  // Offered, and ignored: there is no single resource that it could be compared with.
  {
    kind: 'parameter_removed',
    at: 'PATCH /v1/tracks/bulk header If-Match',
    shownBy: 'openapi-document.test.ts',
  },
  {
    kind: 'parameter_removed',
    at: 'PATCH /v1/sandbox/clock header If-Match',
    shownBy: 'openapi-document.test.ts',
  },
  {
    kind: 'format_changed',
    at: 'GET /v1/audit_log query resource',
    shownBy: 'audit-log.test.ts',
  },
];

/** Only this kind of breach at exactly this place. */
export const isStatedRule = (
  { kind, at }: Breach,
  rules: readonly Pick<StatedRule, 'kind' | 'at'>[] = statedRules,
): boolean => rules.some((rule) => rule.kind === kind && rule.at === at);

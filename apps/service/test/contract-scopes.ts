/** Which scope each path needs, written from contract §5 without looking at the routes. */

import assert from 'node:assert/strict';
import type { AnyOperation } from '../src/platform/http/operation.ts';

/** Contract §5: the resource of a scope, by the first segment of the path. `null`: public. */
const resources: Readonly<Record<string, string | null>> = {
  releases: 'releases',
  artists: 'releases',
  labels: 'releases',
  tracks: 'tracks',
  assets: 'assets',
  deliveries: 'deliveries',
  delivery_jobs: 'deliveries',
  webhooks: 'webhooks',
  events: 'events',
  stores: 'stores',
  royalties: 'royalties',
  statements: 'statements',
  adjustments: 'statements',
  earning_holds: 'statements',
  payouts: 'payouts',
  payout_methods: 'payouts',
  tax_profile: 'payouts',
  payout_schedule: 'payouts',
  balance: 'payouts',
  requests: 'requests',
  idempotency_keys: 'requests',
  audit_log: 'audit',
  'audit_log.jsonl': 'audit',
  organization: 'organization',
  api_keys: 'organization',
  oauth_clients: 'organization',
  sandbox: 'sandbox',
  contributor_roles: null,
  genres: null,
  preflight_rules: null,
  event_types: null,
  error_codes: null,
  changelog: null,
  oauth: null,
};

/** Where the path and the method do not decide. */
const exceptions: Readonly<Record<string, string>> = {
  listReleaseTracks: 'tracks:read',
  validateRelease: 'releases:read', // a POST that changes nothing
  dryRunDelivery: 'deliveries:read', // a POST that changes nothing
  redeliverEvent: 'webhooks:write', // there is no events:write
  receiveInInbox: 'public', // its path contains a token
};

/** The scope that contract §5 demands, from the path and the method alone. */
export function scopeOf({ id, method, path }: AnyOperation): string {
  const segment = path.split('/')[2] ?? '';
  const resource = resources[segment];
  assert.ok(
    resource !== undefined,
    `contract §5 has no scope for /v1/${segment}: add it to test/contract-scopes.ts`,
  );
  if (resource === null) return 'public';
  const isRead = method === 'GET' && resource !== 'sandbox';
  return exceptions[id] ?? `${resource}:${isRead ? 'read' : 'write'}`;
}

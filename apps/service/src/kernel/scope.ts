/** What a credential may do (contract §5). Each route names the one it needs. */
export const scopes = [
  'releases:read',
  'releases:write',
  'tracks:read',
  'tracks:write',
  'assets:read',
  'assets:write',
  'deliveries:read',
  'deliveries:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'stores:read',
  'royalties:read',
  'statements:read',
  'payouts:read',
  'payouts:write',
  'requests:read',
  'audit:read',
  'organization:read',
  'organization:write',
  'sandbox:write',
] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope =>
  (scopes as readonly string[]).includes(text);

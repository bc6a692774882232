import type { Id, OrgId } from './ids.ts';

/** Who made a change. Every changed row and every audit row names one. */
export type Actor =
  | { readonly type: 'api_key'; readonly id: Id<'key'> }
  | { readonly type: 'oauth_client'; readonly id: Id<'oac'> }
  | { readonly type: 'operator'; readonly id: string }
  | { readonly type: 'workflow'; readonly id: string };

/** The owner of a transaction that a handler or a loop of the worker opens for an organization. */
export const workflowOwner = (orgId: OrgId, id: string) =>
  ({ orgId, actor: { type: 'workflow', id } }) as const;

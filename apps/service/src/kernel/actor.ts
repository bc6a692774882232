import type { Id } from './ids.ts';

/** Who changed something. Every changed row and every audit row names one. */
export type Actor =
  | { readonly type: 'api_key'; readonly id: Id<'key'> }
  | { readonly type: 'operator'; readonly id: string }
  | { readonly type: 'workflow'; readonly id: string };

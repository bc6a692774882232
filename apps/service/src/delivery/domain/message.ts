/** What goes to a store, and what it may object. */

import type { Id } from '../../kernel/ids.ts';

/** Never used again: stores know a message by it. */
export type MessageId = Id<'msg'>;

export type OutgoingMessage = {
  readonly id: MessageId;
  readonly kind: 'deliver' | 'update' | 'takedown';
  /** `dropped` is never sent. */
  readonly state: 'queued' | 'sending' | 'sent' | 'dropped';
  /** Goes through the lane of what it follows, not ahead of it. */
  readonly isSentInOrder: boolean;
};

export type Rejection = { readonly code: string | null; readonly reason: string };

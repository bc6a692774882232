/** What goes to a store, and what it may object. */

import type { Id } from '../../kernel/ids.ts';

/** Never used again: stores know a message by it. */
export type MessageId = Id<'msg'>;

export type OutgoingMessage = {
  readonly id: MessageId;
  readonly kind: 'deliver' | 'update' | 'takedown';
  /**
   * queued → dispatched → sending → sent: waits for `dispatch`; is in the store's lane; the lane has claimed it;
   * the store has it. queued, dispatched → dropped: it is never sent.
   */
  readonly state: 'queued' | 'dispatched' | 'sending' | 'sent' | 'dropped';
  /** Goes through the lane of what it follows, not ahead of it. */
  readonly isSentInOrder: boolean;
};

/** No lane has claimed it: it can be cancelled without asking the store. */
export const isUnclaimed = ({ state }: OutgoingMessage): boolean =>
  state === 'queued' || state === 'dispatched';

export type Rejection = { readonly code: string | null; readonly reason: string };

/** Messages to stores, and a store's reason for refusing one. */

import type { Id } from '../../kernel/ids.ts';

/** Unique for ever: a store recognizes a repeated message by it. Later messages have greater ids. */
export type MessageId = Id<'msg'>;

export type OutgoingMessage = {
  readonly id: MessageId;
  readonly kind: 'deliver' | 'update' | 'takedown';
  /**
   * queued (not dispatched yet) → dispatched (in its store's lane) → sending (claimed by the lane) → sent.
   * queued, dispatched, sending → dropped: it is never sent, or not again.
   */
  readonly state: 'queued' | 'dispatched' | 'sending' | 'sent' | 'dropped';
  /** The message uses the lane of the message before it and cannot overtake it. */
  readonly isSentInOrder: boolean;
};

/** No lane has claimed the message: it can be cancelled without asking the store. */
export const isUnclaimed = ({ state }: OutgoingMessage): boolean =>
  state === 'queued' || state === 'dispatched';

/** A lane has claimed the message, so the store may have it. */
export const mayHaveArrived = ({ state }: OutgoingMessage): boolean =>
  state === 'sending' || state === 'sent';

/** Always with a code (contract §2): `unspecified` if the store names none. */
export type Rejection = { readonly code: string; readonly reason: string };

export const unspecifiedCode = 'unspecified';

/**
 * Contract §3 and catalogue §1.2, §1.3, implemented a second time for the proofs `deliveries` and `clock`: the state of
 * a store delivery after messages, requests and deadlines in sequence; deliveries-takedowns.ts and deliveries-answers.ts
 * have the rest. It shares no code with the service, so that a mistake in one is not repeated in the other.
 */

export type Status =
  | 'pending'
  | 'in_progress'
  | 'delivered'
  | 'rejected'
  | 'action_required'
  | 'takedown_requested'
  | 'taken_down';

export type Confirmation = 'live' | 'ingest' | 'none';

type MessageKind = 'deliver' | 'update' | 'takedown';

/** What a store is sent: a revision of the release, and where the store may offer it. */
export type Content = { readonly revision: number; readonly territories: readonly string[] };

type Update = Content & {
  readonly status: 'pending' | 'rejected' | 'flagged';
  readonly reason: string | null;
};

export type StoreDelivery = {
  readonly confirmation: Confirmation;
  readonly status: Status;
  readonly kind: MessageKind;
  /** The messages that a lane claimed, the oldest first. */
  readonly messageIds: readonly string[];
  /**
   * Of the current message. `sending`: a lane has claimed it, and whether the store has it is uncertain; it is the last
   * of `messageIds`. `dropped`: it is not sent again. `canceled`: it is never sent.
   */
  readonly messageState: 'queued' | 'sending' | 'sent' | 'dropped' | 'canceled';
  /** The store has acknowledged the current message. */
  readonly isAcknowledged: boolean;
  readonly content: Content;
  readonly update: Update | null;
  readonly reason: string | null;
  /** Of the current message. Null: the store has answered, or there is nothing to answer. */
  readonly deadline: 'ahead' | 'passed' | null;
  readonly liveBasis: 'store' | 'inferred' | null;
  /** The message by which the store got the release. */
  readonly liveMessageId: string | null;
  readonly isTakedownRequested: boolean;
  readonly takenDownBy: 'partner' | 'store' | null;
  /** The store flagged or published an earlier message, and may still publish it. */
  readonly mayStillPublish: boolean;
  /** What the store has. */
  readonly held: Content | null;
  /** The store has, or had, the release: it can name the release by its codes. */
  readonly wasHeld: boolean;
  /** The steps of its timeline, in this order. The proof does not know whether one with a question mark happened. */
  readonly expectedTimeline: readonly string[];
  /** Before the last step. */
  readonly previous: StoreDelivery | undefined;
};

export const newMessage = {
  messageState: 'queued',
  isAcknowledged: false,
  deadline: null,
} as const;

export const newStoreDelivery = (confirmation: Confirmation, content: Content): StoreDelivery => ({
  confirmation,
  status: 'pending',
  kind: 'deliver',
  messageIds: [],
  ...newMessage,
  content,
  update: null,
  reason: null,
  liveBasis: null,
  liveMessageId: null,
  isTakedownRequested: false,
  takenDownBy: null,
  mayStillPublish: false,
  held: null,
  wasHeld: false,
  expectedTimeline: [],
  previous: undefined,
});

export const applyStep = (
  storeDelivery: StoreDelivery,
  name: string,
  changes: Partial<StoreDelivery>,
): StoreDelivery =>
  withHolding({
    ...storeDelivery,
    ...changes,
    expectedTimeline: [...storeDelivery.expectedTimeline, name],
    previous: storeDelivery,
  });

/** Catalogue §1.2: written when a store becomes `delivered`, is updated or taken down. A rejection ends it too. */
function withHolding(storeDelivery: StoreDelivery): StoreDelivery {
  const { status, content, held } = storeDelivery;
  if (status === 'delivered') return { ...storeDelivery, held: held ?? content, wasHeld: true };
  return status === 'taken_down' || status === 'rejected'
    ? { ...storeDelivery, held: null }
    : storeDelivery;
}

/** A lane has claimed the message, so the store may have it. */
export const mayHaveArrived = ({ messageState }: StoreDelivery): boolean =>
  messageState === 'sending' || messageState === 'sent';

/** Undefined until the message is claimed. */
export const currentMessageId = (storeDelivery: StoreDelivery): string | undefined =>
  mayHaveArrived(storeDelivery) ? storeDelivery.messageIds.at(-1) : undefined;

export const isUpdateOpen = ({ update }: StoreDelivery): boolean =>
  update !== null && update.status !== 'rejected';

/** The current message is the first, or a resubmission, and the store has not confirmed it. */
export const isUnconfirmed = (storeDelivery: StoreDelivery): boolean =>
  storeDelivery.kind === 'deliver' &&
  (storeDelivery.liveMessageId === null ||
    storeDelivery.liveMessageId !== currentMessageId(storeDelivery));

export const isLive = ({ status, liveBasis }: StoreDelivery): boolean =>
  status === 'delivered' || (status === 'action_required' && liveBasis !== null);

export const dispatchSteps = {
  deliver: 'dispatched',
  update: 'update_dispatched',
  takedown: 'takedown_dispatched',
} as const;

export const awaitsMessage = ({ messageState }: StoreDelivery): boolean =>
  messageState === 'queued';

/** The message enters the store's lane, with a deadline. */
export const applyDispatched = (storeDelivery: StoreDelivery): StoreDelivery =>
  applyStep(storeDelivery, dispatchSteps[storeDelivery.kind], {
    deadline: 'ahead',
    status: storeDelivery.status === 'pending' ? 'in_progress' : storeDelivery.status,
  });

export const markClaimed = (storeDelivery: StoreDelivery, messageId: string): StoreDelivery => ({
  ...storeDelivery,
  messageState: 'sending',
  messageIds: storeDelivery.messageIds.includes(messageId)
    ? storeDelivery.messageIds
    : [...storeDelivery.messageIds, messageId],
});

export const markSent = (storeDelivery: StoreDelivery): StoreDelivery => ({
  ...storeDelivery,
  messageState: 'sent',
});

export const applySent = (storeDelivery: StoreDelivery, messageId: string): StoreDelivery =>
  markSent(markClaimed(applyDispatched(storeDelivery), messageId));

/** What is not sent for sure is not sent again. */
export const dropUnsent = ({ messageState }: StoreDelivery) =>
  ({
    messageState:
      messageState === 'queued'
        ? 'canceled'
        : messageState === 'sending'
          ? 'dropped'
          : messageState,
  }) as const;

export const canResubmit = ({ status }: StoreDelivery): boolean =>
  status === 'rejected' || status === 'action_required';

export const applyResubmission = (storeDelivery: StoreDelivery, content: Content): StoreDelivery =>
  applyStep(storeDelivery, 'resubmitted', {
    ...newMessage,
    status: 'pending',
    kind: 'deliver',
    content,
    update: null,
    reason: null,
    isTakedownRequested: false,
    mayStillPublish: storeDelivery.mayStillPublish || storeDelivery.status === 'action_required',
  });

export const canUpdate = ({ status, isTakedownRequested }: StoreDelivery): boolean =>
  status === 'delivered' && !isTakedownRequested;

export const applyUpdate = (storeDelivery: StoreDelivery, content: Content): StoreDelivery =>
  applyStep(storeDelivery, 'update_requested', {
    ...newMessage,
    kind: 'update',
    update: { ...content, status: 'pending', reason: null },
    reason: null,
  });

/** The update is not sent: it is rejected before it has a message. */
export const applyRefusedUpdate = (
  storeDelivery: StoreDelivery,
  content: Content,
  reason: string,
): StoreDelivery =>
  applyStep(storeDelivery, 'update_refused', {
    update: { ...content, status: 'rejected', reason },
  });

/**
 * The message is inferred to be done. Silence does not resolve a flag of the store, nor does it say that the store will
 * not publish an earlier message.
 */
export function applyInferred(storeDelivery: StoreDelivery, isByReceipt = false): StoreDelivery {
  const { kind, update } = storeDelivery;
  if (kind === 'takedown') {
    return applyStep(storeDelivery, 'inferred', {
      status: 'taken_down',
      takenDownBy: 'partner',
      deadline: null,
    });
  }
  if (kind === 'deliver') {
    return applyStep(storeDelivery, 'inferred', {
      status: 'delivered',
      deadline: null,
      held: storeDelivery.content,
      liveBasis: 'inferred',
      liveMessageId: currentMessageId(storeDelivery) ?? null,
    });
  }
  if (update === null) return storeDelivery;
  const { revision, territories } = update;
  const content = { revision, territories };
  return applyStep(storeDelivery, 'inferred', {
    content,
    update: null,
    deadline: null,
    held: content,
    ...(isByReceipt && { status: 'delivered', reason: null }),
  });
}

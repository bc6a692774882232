/**
 * Contract §3 and catalogue §1.2, §1.3, implemented a second time for the proof `deliveries`: the state of a store
 * delivery after messages, requests and deadlines in sequence; deliveries-answers.ts has the answers of its store. It
 * shares no code with the service, so that a mistake in one is not repeated in the other.
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
  /** The messages that were sent, the oldest first. */
  readonly messageIds: readonly string[];
  /** The current message was sent: it is the last of `messageIds`. */
  readonly isSent: boolean;
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
};

const newMessage = {
  isSent: false,
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
  });

/** Catalogue §1.2: written when a store becomes `delivered`, is updated or taken down. A rejection ends it too. */
function withHolding(storeDelivery: StoreDelivery): StoreDelivery {
  const { status, content, held } = storeDelivery;
  if (status === 'delivered') return { ...storeDelivery, held: held ?? content, wasHeld: true };
  return status === 'taken_down' || status === 'rejected'
    ? { ...storeDelivery, held: null }
    : storeDelivery;
}

export const currentMessageId = ({ isSent, messageIds }: StoreDelivery): string | undefined =>
  isSent ? messageIds.at(-1) : undefined;

export const isUpdateOpen = ({ update }: StoreDelivery): boolean =>
  update !== null && update.status !== 'rejected';

/** The current message is the first, or a resubmission, and the store has not confirmed it. */
export const isUnconfirmed = (storeDelivery: StoreDelivery): boolean =>
  storeDelivery.kind === 'deliver' &&
  (storeDelivery.liveMessageId === null ||
    storeDelivery.liveMessageId !== currentMessageId(storeDelivery));

export const isLive = ({ status, liveBasis }: StoreDelivery): boolean =>
  status === 'delivered' || (status === 'action_required' && liveBasis !== null);

const dispatchSteps = {
  deliver: 'dispatched',
  update: 'update_dispatched',
  takedown: 'takedown_dispatched',
} as const;

/** Contract §3: a store delivery that was canceled before it was sent gets no message. */
export const awaitsMessage = ({ isSent, status }: StoreDelivery): boolean =>
  !isSent && status !== 'taken_down';

export const applySent = (storeDelivery: StoreDelivery, messageId: string): StoreDelivery =>
  applyStep(storeDelivery, dispatchSteps[storeDelivery.kind], {
    messageIds: [...storeDelivery.messageIds, messageId],
    isSent: true,
    deadline: 'ahead',
    status: storeDelivery.status === 'pending' ? 'in_progress' : storeDelivery.status,
  });

export const applyClosed = (storeDelivery: StoreDelivery, name: 'canceled' | 'closed') =>
  applyStep(storeDelivery, name, {
    status: 'taken_down',
    isTakedownRequested: true,
    takenDownBy: 'partner',
  });

export const applyTakedownAsked = (storeDelivery: StoreDelivery): StoreDelivery =>
  applyStep(storeDelivery, 'takedown_requested', {
    ...newMessage,
    status: 'takedown_requested',
    kind: 'takedown',
    update: null,
    reason: null,
    isTakedownRequested: true,
    takenDownBy: null,
  });

/** Whether a takedown request applies to the store; the others are skipped. */
export const canTakeDown = (storeDelivery: StoreDelivery): boolean =>
  isLive(storeDelivery) ||
  storeDelivery.status === 'rejected' ||
  ((storeDelivery.status === 'pending' ||
    storeDelivery.status === 'in_progress' ||
    storeDelivery.status === 'action_required') &&
    !isTakedownWaiting(storeDelivery));

const isTakedownWaiting = ({ isTakedownRequested, status }: StoreDelivery): boolean =>
  isTakedownRequested && status !== 'takedown_requested' && status !== 'taken_down';

/** The partner takes the store down, or a takedown that waited for the store's answer becomes possible. */
export function applyTakedown(storeDelivery: StoreDelivery): StoreDelivery {
  const { status, mayStillPublish, kind, isSent } = storeDelivery;
  if (!canTakeDown(storeDelivery) && !isTakedownWaiting(storeDelivery)) return storeDelivery;
  if (isLive(storeDelivery)) return applyTakedownAsked(storeDelivery);
  if (status === 'rejected')
    return mayStillPublish
      ? applyTakedownAsked(storeDelivery)
      : applyClosed(storeDelivery, 'closed');
  // The store refused to remove a release that was never live.
  if (kind === 'takedown') return applyTakedownAsked(storeDelivery);
  if (isSent) {
    return isTakedownWaiting(storeDelivery)
      ? storeDelivery
      : applyStep(storeDelivery, 'takedown_wanted', { isTakedownRequested: true });
  }
  // Whether the message is already in the store's lane is not known.
  const dispatched = applyUnknownDispatch(storeDelivery);
  return mayStillPublish ? applyTakedownAsked(dispatched) : applyClosed(dispatched, 'canceled');
}

export const applyUnknownDispatch = (storeDelivery: StoreDelivery): StoreDelivery =>
  applyStep(storeDelivery, `${dispatchSteps[storeDelivery.kind]}?`, {});

/** After an answer or a deadline: the takedown that waited for it follows. */
export const applyWaitingTakedown = (storeDelivery: StoreDelivery): StoreDelivery =>
  isTakedownWaiting(storeDelivery) && (isLive(storeDelivery) || storeDelivery.status === 'rejected')
    ? applyTakedown(storeDelivery)
    : storeDelivery;

/** A takedown was requested while the message was being sent. Whether it was sent is uncertain: a takedown follows. */
export const applyReplacedByTakedown = (storeDelivery: StoreDelivery): StoreDelivery =>
  applyTakedownAsked(
    applyStep(applyStep(storeDelivery, 'dispatched', {}), 'takedown_wanted', {
      isTakedownRequested: true,
    }),
  );

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

export const canUpdate = ({ status }: StoreDelivery): boolean => status === 'delivered';

export const applyUpdate = (storeDelivery: StoreDelivery, content: Content): StoreDelivery =>
  applyStep(storeDelivery, 'update_requested', {
    ...newMessage,
    kind: 'update',
    update: { ...content, status: 'pending', reason: null },
    reason: null,
  });

/** Catalogue §1.3: what follows if the store does not answer in time. */
export function applyDeadline(storeDelivery: StoreDelivery): StoreDelivery {
  if (storeDelivery.deadline !== 'ahead') return storeDelivery;
  const { confirmation, kind, isAcknowledged } = storeDelivery;
  const isIngested = confirmation === 'ingest' && kind === 'deliver' && isAcknowledged;
  return confirmation === 'none' || isIngested
    ? applyWaitingTakedown(applyInferred({ ...storeDelivery, deadline: 'passed' }))
    : applyStep(storeDelivery, 'overdue', { deadline: 'passed' });
}

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

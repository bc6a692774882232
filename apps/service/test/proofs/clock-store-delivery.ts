/**
 * Contract §3 for one store's part of a delivery, written once more for the proof of the clock: which step a
 * request or an answer is, and what it changes. It shares no code with the service.
 */
type Status =
  | 'pending'
  | 'in_progress'
  | 'delivered'
  | 'rejected'
  | 'action_required'
  | 'takedown_requested'
  | 'taken_down';

export type MessageKind = 'deliver' | 'update' | 'takedown';

export type Refusal = { readonly code: string | null; readonly reason: string };

export type AnswerKind =
  | 'delivered'
  | 'rejected'
  | 'action_required'
  | 'removed'
  | 'removal_refused';

export type ModelAnswer = { readonly kind: AnswerKind; readonly refusal: Refusal | null };

type Message = {
  readonly id: number;
  readonly kind: MessageKind;
  state: 'queued' | 'sending' | 'sent';
};

export type StoreDelivery = {
  readonly storeId: string;
  status: Status;
  revision: number;
  pendingRevision: number | null;
  refusal: Refusal | null;
  expectedBy: number | null;
  isOverdue: boolean;
  liveAt: number | null;
  /** Asked back while it was on its way. */
  isTakedownWanted: boolean;
  /** The store still has an earlier message, which it flagged. */
  mayStillPublish: boolean;
  message: Message;
};

export type Step = { readonly name: string; readonly changes: Partial<StoreDelivery> };

export const newStoreDelivery = (
  storeId: string,
  revision: number,
  messageId: number,
): StoreDelivery => ({
  storeId,
  status: 'pending',
  revision,
  pendingRevision: null,
  refusal: null,
  expectedBy: null,
  isOverdue: false,
  liveAt: null,
  isTakedownWanted: false,
  mayStillPublish: false,
  message: messageOf(messageId, 'deliver'),
});

const messageOf = (id: number, kind: MessageKind): Message => ({ id, kind, state: 'queued' });

const settled = { expectedBy: null, isOverdue: false } as const;

export const isUnsent = ({ status, message }: StoreDelivery): boolean =>
  message.state !== 'sent' && status !== 'taken_down';

/** What the store is to get, or to remove. */
export const wantedRevision = ({ revision, pendingRevision }: StoreDelivery): number =>
  pendingRevision ?? revision;

const requestTakedownStep = (messageId: number): Step => ({
  name: 'takedown_requested',
  changes: {
    ...settled,
    status: 'takedown_requested',
    pendingRevision: null,
    refusal: null,
    isTakedownWanted: true,
    message: messageOf(messageId, 'takedown'),
  },
});

const markTakedownWanted: Step = { name: 'takedown_wanted', changes: { isTakedownWanted: true } };

/** Whether asking for a takedown is of any use. */
export function canTakeDown(storeDelivery: StoreDelivery, supportsTakedown: boolean): boolean {
  const { status, message, mayStillPublish: isHeld, isTakedownWanted: isUnwanted } = storeDelivery;
  if (status === 'taken_down' || status === 'takedown_requested') return false;
  if (status === 'rejected' && !isHeld) return false;
  if (message.kind === 'deliver' && message.state === 'queued' && !isHeld) return true;
  return supportsTakedown && !(isUnwanted && message.kind !== 'takedown');
}

export function requestTakedown(storeDelivery: StoreDelivery, messageId: number): Step | undefined {
  const { status, message, mayStillPublish: isHeld, isTakedownWanted: isUnwanted } = storeDelivery;
  const wants = isUnwanted ? undefined : markTakedownWanted;
  if (status === 'delivered') {
    return message.state === 'sending' ? wants : requestTakedownStep(messageId);
  }
  if (status === 'rejected') return requestTakedownStep(messageId);
  // Asked before, and refused: it is asked again.
  if (status === 'action_required' && message.kind === 'takedown')
    return requestTakedownStep(messageId);
  if (message.state !== 'queued') return wants;
  return isHeld
    ? requestTakedownStep(messageId)
    : { name: 'canceled', changes: { ...settled, status: 'taken_down' } };
}

/** It never left for certain, and nobody wants it any more: the store is asked to remove it. */
export function replaceByTakedown(
  { isTakedownWanted: isUnwanted, message }: StoreDelivery,
  messageId: number,
): Step | undefined {
  const isLost = isUnwanted && message.state === 'sending' && message.kind !== 'takedown';
  return isLost ? requestTakedownStep(messageId) : undefined;
}

export const isRefused = ({ status }: StoreDelivery): boolean =>
  status === 'rejected' || status === 'action_required';

export const requestResubmission = (
  storeDelivery: StoreDelivery,
  revision: number,
  messageId: number,
): Step => ({
  name: 'resubmitted',
  changes: {
    ...settled,
    status: 'pending',
    revision,
    refusal: null,
    isTakedownWanted: false,
    mayStillPublish: storeDelivery.mayStillPublish || storeDelivery.status === 'action_required',
    message: messageOf(messageId, 'deliver'),
  },
});

export const requestUpdate = (revision: number, messageId: number): Step => ({
  name: 'update_requested',
  changes: {
    ...settled,
    pendingRevision: revision,
    refusal: null,
    message: messageOf(messageId, 'update'),
  },
});

export const markDispatched = ({ status, message }: StoreDelivery, expectedBy: number): Step => ({
  name: { deliver: 'dispatched', update: 'update_dispatched', takedown: 'takedown_dispatched' }[
    message.kind
  ],
  changes: { expectedBy, status: status === 'pending' ? 'in_progress' : status },
});

/** What an answer to the latest message does; undefined when nothing. */
export function applyAnswer(
  storeDelivery: StoreDelivery,
  answer: ModelAnswer,
  now: number,
): Step | undefined {
  if (storeDelivery.message.state === 'queued') return undefined;
  const found = {
    deliver: applyDeliverAnswer,
    update: applyUpdateAnswer,
    takedown: applyTakedownAnswer,
  }[storeDelivery.message.kind](storeDelivery, answer, now);
  if (found === undefined) return undefined;
  const message = { ...storeDelivery.message, state: 'sent' } as const;
  return { ...found, changes: { ...settled, ...found.changes, message } };
}

const isSame = (one: Refusal | null, other: Refusal | null): boolean =>
  one?.code === other?.code && one?.reason === other?.reason;

function applyDeliverAnswer(
  storeDelivery: StoreDelivery,
  { kind: says, refusal }: ModelAnswer,
  now: number,
): Step | undefined {
  const { status } = storeDelivery;
  if (status !== 'in_progress' && status !== 'action_required') return undefined;
  if (says === 'delivered') {
    const changes = { status: says, refusal: null, isHeld: false, liveAt: now } as const;
    return { name: says, changes };
  }
  if (says === 'rejected') {
    return { name: says, changes: { status: says, refusal, isTakedownWanted: false } };
  }
  if (says !== 'action_required') return undefined;
  if (status === says && isSame(storeDelivery.refusal, refusal)) return undefined;
  return { name: says, changes: { status: says, refusal } };
}

function applyUpdateAnswer(
  storeDelivery: StoreDelivery,
  { kind: says, refusal }: ModelAnswer,
): Step | undefined {
  const { status, pendingRevision } = storeDelivery;
  if (status !== 'delivered' || pendingRevision === null) return undefined;
  const done = { pendingRevision: null } as const;
  if (says === 'delivered') {
    return { name: 'updated', changes: { ...done, revision: pendingRevision, refusal: null } };
  }
  if (says === 'rejected') return { name: 'update_refused', changes: { ...done, refusal } };
  if (says !== 'action_required' || isSame(storeDelivery.refusal, refusal)) return undefined;
  return { name: 'update_flagged', changes: { refusal } };
}

function applyTakedownAnswer(
  storeDelivery: StoreDelivery,
  { kind: says, refusal }: ModelAnswer,
): Step | undefined {
  if (storeDelivery.status !== 'takedown_requested') return undefined;
  if (says === 'removed') return { name: says, changes: { status: 'taken_down', refusal: null } };
  if (says !== 'removal_refused') return undefined;
  // What never was out is not out because it is kept.
  const status = storeDelivery.liveAt === null ? 'action_required' : 'delivered';
  return { name: says, changes: { status, refusal, isTakedownWanted: false } };
}

export function aggregateOf(storeDeliveries: readonly Pick<StoreDelivery, 'status'>[]): string {
  const left = new Set(storeDeliveries.map(({ status }) => status));
  left.delete('taken_down');
  if (left.size === 0) return 'taken_down';
  if (left.has('rejected')) return 'rejected';
  if (left.has('action_required')) return 'action_required';
  return left.has('pending') || left.has('in_progress') ? 'in_progress' : 'delivered';
}

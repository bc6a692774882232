/**
 * Contract §3 for one store delivery, implemented a second time for the proof `clock`: which step a request or an
 * answer is, and which fields it changes. It shares no code with the service.
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
  /** A takedown was requested while the message was being sent. */
  isTakedownWanted: boolean;
  /** The store flagged an earlier message and may still publish it. */
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

/** The revision that the store has or is about to get. */
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

/** Whether a takedown request has an effect on this store delivery; if it has on none, the request is refused. */
export function canTakeDown(storeDelivery: StoreDelivery, supportsTakedown: boolean): boolean {
  const { status, message, mayStillPublish, isTakedownWanted } = storeDelivery;
  if (status === 'taken_down' || status === 'takedown_requested') return false;
  if (status === 'rejected' && !mayStillPublish) return false;
  if (message.kind === 'deliver' && message.state === 'queued' && !mayStillPublish) return true;
  return supportsTakedown && !(isTakedownWanted && message.kind !== 'takedown');
}

export function requestTakedown(storeDelivery: StoreDelivery, messageId: number): Step | undefined {
  const { status, message, mayStillPublish, isTakedownWanted } = storeDelivery;
  const wants = isTakedownWanted ? undefined : markTakedownWanted;
  if (status === 'delivered') {
    return message.state === 'sending' ? wants : requestTakedownStep(messageId);
  }
  if (status === 'rejected') return requestTakedownStep(messageId);
  // The store refused an earlier takedown: it is sent another one.
  if (status === 'action_required' && message.kind === 'takedown')
    return requestTakedownStep(messageId);
  if (message.state !== 'queued') return wants;
  return mayStillPublish
    ? requestTakedownStep(messageId)
    : { name: 'canceled', changes: { ...settled, status: 'taken_down' } };
}

/** A message that may or may not have been sent, and whose takedown was requested, is replaced by a takedown. */
export function replaceByTakedown(
  { isTakedownWanted, message }: StoreDelivery,
  messageId: number,
): Step | undefined {
  const isLost = isTakedownWanted && message.state === 'sending' && message.kind !== 'takedown';
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

/** The step that an answer to the latest message causes; undefined if it changes nothing. */
export function applyAnswer(
  storeDelivery: StoreDelivery,
  answer: ModelAnswer,
  now: number,
): Step | undefined {
  if (storeDelivery.message.state === 'queued') return undefined;
  const step = {
    deliver: applyDeliverAnswer,
    update: applyUpdateAnswer,
    takedown: applyTakedownAnswer,
  }[storeDelivery.message.kind](storeDelivery, answer, now);
  if (step === undefined) return undefined;
  const message = { ...storeDelivery.message, state: 'sent' } as const;
  return { ...step, changes: { ...settled, ...step.changes, message } };
}

const isSame = (one: Refusal | null, other: Refusal | null): boolean =>
  one?.code === other?.code && one?.reason === other?.reason;

function applyDeliverAnswer(
  storeDelivery: StoreDelivery,
  { kind, refusal }: ModelAnswer,
  now: number,
): Step | undefined {
  const { status } = storeDelivery;
  if (status !== 'in_progress' && status !== 'action_required') return undefined;
  if (kind === 'delivered') {
    return {
      name: kind,
      changes: { status: kind, refusal: null, mayStillPublish: false, liveAt: now },
    };
  }
  if (kind === 'rejected') {
    return { name: kind, changes: { status: kind, refusal, isTakedownWanted: false } };
  }
  if (kind !== 'action_required') return undefined;
  if (status === kind && isSame(storeDelivery.refusal, refusal)) return undefined;
  return { name: kind, changes: { status: kind, refusal } };
}

function applyUpdateAnswer(
  storeDelivery: StoreDelivery,
  { kind, refusal }: ModelAnswer,
): Step | undefined {
  const { status, pendingRevision } = storeDelivery;
  if (status !== 'delivered' || pendingRevision === null) return undefined;
  const done = { pendingRevision: null } as const;
  if (kind === 'delivered') {
    return { name: 'updated', changes: { ...done, revision: pendingRevision, refusal: null } };
  }
  if (kind === 'rejected') return { name: 'update_refused', changes: { ...done, refusal } };
  if (kind !== 'action_required' || isSame(storeDelivery.refusal, refusal)) return undefined;
  return { name: 'update_flagged', changes: { refusal } };
}

function applyTakedownAnswer(
  storeDelivery: StoreDelivery,
  { kind, refusal }: ModelAnswer,
): Step | undefined {
  if (storeDelivery.status !== 'takedown_requested') return undefined;
  if (kind === 'removed') return { name: kind, changes: { status: 'taken_down', refusal: null } };
  if (kind !== 'removal_refused') return undefined;
  // A release that was never live does not become `delivered` because the store refuses to remove it.
  const status = storeDelivery.liveAt === null ? 'action_required' : 'delivered';
  return { name: kind, changes: { status, refusal, isTakedownWanted: false } };
}

export function aggregateOf(storeDeliveries: readonly Pick<StoreDelivery, 'status'>[]): string {
  const left = new Set(storeDeliveries.map(({ status }) => status));
  left.delete('taken_down');
  if (left.size === 0) return 'taken_down';
  if (left.has('rejected')) return 'rejected';
  if (left.has('action_required')) return 'action_required';
  return left.has('pending') || left.has('in_progress') ? 'in_progress' : 'delivered';
}

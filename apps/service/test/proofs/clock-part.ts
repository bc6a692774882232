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

export type Kind = 'deliver' | 'update' | 'takedown';

export type Refusal = { readonly code: string | null; readonly reason: string };

export type Said = 'delivered' | 'rejected' | 'action_required' | 'removed' | 'removal_refused';

export type Word = { readonly says: Said; readonly refusal: Refusal | null };

type Message = { readonly id: number; readonly kind: Kind; state: 'queued' | 'sending' | 'sent' };

export type Part = {
  readonly storeId: string;
  status: Status;
  revision: number;
  pendingRevision: number | null;
  refusal: Refusal | null;
  expectedBy: number | null;
  isOverdue: boolean;
  liveAt: number | null;
  /** Asked back while it was on its way. */
  isUnwanted: boolean;
  /** The store still has an earlier message, which it flagged. */
  isHeld: boolean;
  message: Message;
};

export type Step = { readonly name: string; readonly changes: Partial<Part> };

export const freshPart = (storeId: string, revision: number, messageId: number): Part => ({
  storeId,
  status: 'pending',
  revision,
  pendingRevision: null,
  refusal: null,
  expectedBy: null,
  isOverdue: false,
  liveAt: null,
  isUnwanted: false,
  isHeld: false,
  message: messageOf(messageId, 'deliver'),
});

const messageOf = (id: number, kind: Kind): Message => ({ id, kind, state: 'queued' });

const settled = { expectedBy: null, isOverdue: false } as const;

export const isUnsent = ({ status, message }: Part): boolean =>
  message.state !== 'sent' && status !== 'taken_down';

/** What the store is to get, or to remove. */
export const wantedRevision = ({ revision, pendingRevision }: Part): number =>
  pendingRevision ?? revision;

const askedToRemove = (messageId: number): Step => ({
  name: 'takedown_requested',
  changes: {
    ...settled,
    status: 'takedown_requested',
    pendingRevision: null,
    refusal: null,
    isUnwanted: true,
    message: messageOf(messageId, 'takedown'),
  },
});

const unwanted: Step = { name: 'takedown_wanted', changes: { isUnwanted: true } };

/** Whether asking for a takedown is of any use. */
export function canTakeDown(part: Part, takesTakedowns: boolean): boolean {
  const { status, message, isHeld, isUnwanted } = part;
  if (status === 'taken_down' || status === 'takedown_requested') return false;
  if (status === 'rejected' && !isHeld) return false;
  if (message.kind === 'deliver' && message.state === 'queued' && !isHeld) return true;
  return takesTakedowns && !(isUnwanted && message.kind !== 'takedown');
}

export function takeDown(part: Part, messageId: number): Step | undefined {
  const { status, message, isHeld, isUnwanted } = part;
  const wants = isUnwanted ? undefined : unwanted;
  if (status === 'delivered') {
    return message.state === 'sending' ? wants : askedToRemove(messageId);
  }
  if (status === 'rejected') return askedToRemove(messageId);
  // Asked before, and refused: it is asked again.
  if (status === 'action_required' && message.kind === 'takedown') return askedToRemove(messageId);
  if (message.state !== 'queued') return wants;
  return isHeld
    ? askedToRemove(messageId)
    : { name: 'canceled', changes: { ...settled, status: 'taken_down' } };
}

/** It never left for certain, and nobody wants it any more: the store is asked to remove it. */
export function turnAround({ isUnwanted, message }: Part, messageId: number): Step | undefined {
  const isLost = isUnwanted && message.state === 'sending' && message.kind !== 'takedown';
  return isLost ? askedToRemove(messageId) : undefined;
}

export const isRefused = ({ status }: Part): boolean =>
  status === 'rejected' || status === 'action_required';

export const resubmit = (part: Part, revision: number, messageId: number): Step => ({
  name: 'resubmitted',
  changes: {
    ...settled,
    status: 'pending',
    revision,
    refusal: null,
    isUnwanted: false,
    isHeld: part.isHeld || part.status === 'action_required',
    message: messageOf(messageId, 'deliver'),
  },
});

export const update = (revision: number, messageId: number): Step => ({
  name: 'update_requested',
  changes: {
    ...settled,
    pendingRevision: revision,
    refusal: null,
    message: messageOf(messageId, 'update'),
  },
});

export const dispatch = ({ status, message }: Part, expectedBy: number): Step => ({
  name: { deliver: 'dispatched', update: 'update_dispatched', takedown: 'takedown_dispatched' }[
    message.kind
  ],
  changes: { expectedBy, status: status === 'pending' ? 'in_progress' : status },
});

/** What an answer to the latest message does; undefined when nothing. */
export function hear(part: Part, word: Word, now: number): Step | undefined {
  if (part.message.state === 'queued') return undefined;
  const found = { deliver: hearDelivery, update: hearUpdate, takedown: hearTakedown }[
    part.message.kind
  ](part, word, now);
  if (found === undefined) return undefined;
  const message = { ...part.message, state: 'sent' } as const;
  return { ...found, changes: { ...settled, ...found.changes, message } };
}

const isSame = (one: Refusal | null, other: Refusal | null): boolean =>
  one?.code === other?.code && one?.reason === other?.reason;

function hearDelivery(part: Part, { says, refusal }: Word, now: number): Step | undefined {
  const { status } = part;
  if (status !== 'in_progress' && status !== 'action_required') return undefined;
  if (says === 'delivered') {
    const changes = { status: says, refusal: null, isHeld: false, liveAt: now } as const;
    return { name: says, changes };
  }
  if (says === 'rejected') {
    return { name: says, changes: { status: says, refusal, isUnwanted: false } };
  }
  if (says !== 'action_required') return undefined;
  if (status === says && isSame(part.refusal, refusal)) return undefined;
  return { name: says, changes: { status: says, refusal } };
}

function hearUpdate(part: Part, { says, refusal }: Word): Step | undefined {
  const { status, pendingRevision } = part;
  if (status !== 'delivered' || pendingRevision === null) return undefined;
  const done = { pendingRevision: null } as const;
  if (says === 'delivered') {
    return { name: 'updated', changes: { ...done, revision: pendingRevision, refusal: null } };
  }
  if (says === 'rejected') return { name: 'update_refused', changes: { ...done, refusal } };
  if (says !== 'action_required' || isSame(part.refusal, refusal)) return undefined;
  return { name: 'update_flagged', changes: { refusal } };
}

function hearTakedown(part: Part, { says, refusal }: Word): Step | undefined {
  if (part.status !== 'takedown_requested') return undefined;
  if (says === 'removed') return { name: says, changes: { status: 'taken_down', refusal: null } };
  if (says !== 'removal_refused') return undefined;
  // What never was out is not out because it is kept.
  const status = part.liveAt === null ? 'action_required' : 'delivered';
  return { name: says, changes: { status, refusal, isUnwanted: false } };
}

export function aggregateOf(parts: readonly Pick<Part, 'status'>[]): string {
  const left = new Set(parts.map(({ status }) => status));
  left.delete('taken_down');
  if (left.size === 0) return 'taken_down';
  if (left.has('rejected')) return 'rejected';
  if (left.has('action_required')) return 'action_required';
  return left.has('pending') || left.has('in_progress') ? 'in_progress' : 'delivered';
}

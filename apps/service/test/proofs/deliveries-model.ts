/**
 * Contract §3 once more, written for the proof alone: what a store's part of a delivery must become when
 * messages, answers and requests come one after the other, and what all parts make of their delivery. It
 * shares nothing with the service, so that a mistake in one is no mistake in the other.
 */
export type Status =
  | 'pending'
  | 'in_progress'
  | 'delivered'
  | 'rejected'
  | 'action_required'
  | 'takedown_requested'
  | 'taken_down';

type MessageKind = 'deliver' | 'update' | 'takedown';

export type Answer = {
  readonly messageId: string;
  readonly kind:
    | 'accepted'
    | 'delivered'
    | 'rejected'
    | 'action_required'
    | 'removed'
    | 'removal_refused';
  readonly reason: string;
};

export type Part = {
  readonly status: Status;
  readonly kind: MessageKind;
  /** Undefined while the message is still to be sent. */
  readonly messageId: string | undefined;
  readonly revision: number;
  readonly pendingRevision: number | null;
  readonly reason: string | null;
  /** Asked back while on its way: it is taken down as soon as it lands. */
  readonly isUnwanted: boolean;
  /** What its timeline must say, in this order. */
  readonly path: readonly string[];
};

export const freshPart = (revision: number): Part => ({
  status: 'pending',
  kind: 'deliver',
  messageId: undefined,
  revision,
  pendingRevision: null,
  reason: null,
  isUnwanted: false,
  path: [],
});

const step = (part: Part, name: string, changes: Partial<Part>): Part => ({
  ...part,
  ...changes,
  path: [...part.path, name],
});

const dispatches = {
  deliver: 'dispatched',
  update: 'update_dispatched',
  takedown: 'takedown_dispatched',
} as const;

/** Contract §3: a takedown that was canceled has nothing left to send. */
export const awaitsMessage = ({ messageId, status }: Part): boolean =>
  messageId === undefined && status !== 'taken_down';

export const sent = (part: Part, messageId: string): Part =>
  step(part, dispatches[part.kind], {
    messageId,
    status: part.status === 'pending' ? 'in_progress' : part.status,
  });

/** By the kind of message: state and answer, and what follows. What is not here changes nothing. */
const moves: Readonly<Record<MessageKind, Readonly<Record<string, readonly [string, Status]>>>> = {
  deliver: {
    'in_progress delivered': ['delivered', 'delivered'],
    'in_progress rejected': ['rejected', 'rejected'],
    'in_progress action_required': ['action_required', 'action_required'],
    'action_required delivered': ['delivered', 'delivered'],
    'action_required rejected': ['rejected', 'rejected'],
    'action_required action_required': ['action_required', 'action_required'],
  },
  update: {
    'delivered delivered': ['updated', 'delivered'],
    'delivered rejected': ['update_refused', 'delivered'],
    'delivered action_required': ['update_flagged', 'delivered'],
  },
  takedown: {
    'takedown_requested removed': ['taken_down', 'taken_down'],
    'takedown_requested removal_refused': ['takedown_refused', 'delivered'],
  },
};

const settles = new Set(['updated', 'update_refused']);
const praises = new Set(['delivered', 'removed']);
const keepsIt = new Set(['rejected', 'takedown_refused']);

export function heard(part: Part, answer: Answer): Part {
  const move = moves[part.kind][`${part.status} ${answer.kind}`];
  if (move === undefined || !counts(part, answer)) return part;
  const [name, usual] = move;
  // What never was out is not out because it is kept.
  const isKept = name === 'takedown_refused' && !part.path.includes('delivered');
  const status = isKept ? 'action_required' : usual;
  const landed = step(part, name, {
    status,
    reason: praises.has(answer.kind) ? null : answer.reason,
    isUnwanted: part.isUnwanted && !keepsIt.has(name),
    ...(settles.has(name) && { pendingRevision: null }),
    ...(name === 'updated' && { revision: part.pendingRevision ?? 0 }),
  });
  return name === 'delivered' && landed.isUnwanted ? takenDown(landed) : landed;
}

/** Only what is said to the latest message, says something new, and finds something undecided. */
function counts(part: Part, { messageId, kind, reason }: Answer): boolean {
  if (messageId !== part.messageId) return false;
  if (kind === 'action_required' && part.reason === reason) return false;
  return part.kind !== 'update' || part.pendingRevision !== null;
}

export function takenDown(part: Part): Part {
  switch (part.status) {
    case 'pending':
      return step(part, 'canceled', { status: 'taken_down' });
    case 'delivered':
      return step(part, 'takedown_requested', {
        status: 'takedown_requested',
        kind: 'takedown',
        messageId: undefined,
        pendingRevision: null,
        reason: null,
        isUnwanted: true,
      });
    case 'in_progress':
    case 'action_required':
      // Asked for twice, it is taken down once.
      return part.isUnwanted ? part : step(part, 'takedown_wanted', { isUnwanted: true });
    default:
      return part;
  }
}

/** Wanted down while it was being sent, and it never left for certain: the store is asked at once. */
export const askedBack = (part: Part): Part =>
  takenDown({
    ...step(step(part, 'dispatched', {}), 'takedown_wanted', { isUnwanted: true }),
    status: 'delivered',
  });

export const resubmitted = (part: Part, revision: number): Part =>
  step(part, 'resubmitted', {
    status: 'pending',
    kind: 'deliver',
    messageId: undefined,
    revision,
    reason: null,
    isUnwanted: false,
  });

export const updated = (part: Part, pendingRevision: number): Part =>
  step(part, 'update_requested', {
    kind: 'update',
    messageId: undefined,
    pendingRevision,
    reason: null,
  });

export type Tally = Map<string, number>;

export function tallyOf(statuses: Iterable<string>): Tally {
  const tally: Tally = new Map();
  for (const status of statuses) tally.set(status, (tally.get(status) ?? 0) + 1);
  return tally;
}

/** Contract §3: a pure function of the stores that are not taken down. */
export function aggregateOf(tally: Tally): string {
  const has = (...statuses: readonly Status[]) =>
    statuses.some((status) => (tally.get(status) ?? 0) > 0);
  if (has('rejected')) return 'rejected';
  if (has('action_required')) return 'action_required';
  if (has('pending', 'in_progress')) return 'in_progress';
  return has('delivered', 'takedown_requested') ? 'delivered' : 'taken_down';
}

/** Contract §3, of a release with this one delivery: delivered once any store has had it. */
export function releaseStatusOf(parts: readonly Part[]): string {
  if (parts.some(({ path }) => path.includes('delivered'))) return 'delivered';
  const left = parts.filter(({ status }) => status !== 'taken_down');
  const isRefused = left.length > 0 && left.every(({ status }) => status === 'rejected');
  return isRefused ? 'rejected' : 'submitted';
}

/**
 * Contract §3, implemented a second time for the proof `deliveries`: the state of a store delivery after messages,
 * answers and requests in sequence, and the status of the delivery and the release that follows. It shares no code
 * with the service, so that a mistake in one is not repeated in the other.
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
    | 'acknowledged'
    | 'delivered'
    | 'rejected'
    | 'action_required'
    | 'removed'
    | 'removal_refused';
  readonly reason: string;
};

export type StoreDelivery = {
  readonly status: Status;
  readonly kind: MessageKind;
  /** Undefined until the message is sent. */
  readonly messageId: string | undefined;
  readonly revision: number;
  readonly pendingRevision: number | null;
  readonly reason: string | null;
  /** A takedown was requested before the store answered: it is sent as soon as the store confirms the delivery. */
  readonly isTakedownWanted: boolean;
  /** The steps of its timeline, in this order. */
  readonly expectedTimeline: readonly string[];
};

export const newStoreDelivery = (revision: number): StoreDelivery => ({
  status: 'pending',
  kind: 'deliver',
  messageId: undefined,
  revision,
  pendingRevision: null,
  reason: null,
  isTakedownWanted: false,
  expectedTimeline: [],
});

const applyStep = (
  storeDelivery: StoreDelivery,
  name: string,
  changes: Partial<StoreDelivery>,
): StoreDelivery => ({
  ...storeDelivery,
  ...changes,
  expectedTimeline: [...storeDelivery.expectedTimeline, name],
});

const dispatchSteps = {
  deliver: 'dispatched',
  update: 'update_dispatched',
  takedown: 'takedown_dispatched',
} as const;

/** Contract §3: a store delivery that was canceled before it was sent gets no message. */
export const awaitsMessage = ({ messageId, status }: StoreDelivery): boolean =>
  messageId === undefined && status !== 'taken_down';

export const applySent = (storeDelivery: StoreDelivery, messageId: string): StoreDelivery =>
  applyStep(storeDelivery, dispatchSteps[storeDelivery.kind], {
    messageId,
    status: storeDelivery.status === 'pending' ? 'in_progress' : storeDelivery.status,
  });

/** For each kind of message: status and answer → step and new status. Other answers change nothing. */
const transitions: Readonly<
  Record<MessageKind, Readonly<Record<string, readonly [string, Status]>>>
> = {
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

const clearsPendingRevision = new Set(['updated', 'update_refused']);
const clearsReason = new Set(['delivered', 'removed']);
const clearsTakedownWanted = new Set(['rejected', 'takedown_refused']);

export function applyAnswer(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  const transition = transitions[storeDelivery.kind][`${storeDelivery.status} ${answer.kind}`];
  if (transition === undefined || !isRelevantAnswer(storeDelivery, answer)) return storeDelivery;
  const [name, usualStatus] = transition;
  // A release that was never live does not become `delivered` because the store refuses to remove it.
  const wasNeverLive =
    name === 'takedown_refused' && !storeDelivery.expectedTimeline.includes('delivered');
  const status = wasNeverLive ? 'action_required' : usualStatus;
  const next = applyStep(storeDelivery, name, {
    status,
    reason: clearsReason.has(answer.kind) ? null : answer.reason,
    isTakedownWanted: storeDelivery.isTakedownWanted && !clearsTakedownWanted.has(name),
    ...(clearsPendingRevision.has(name) && { pendingRevision: null }),
    ...(name === 'updated' && { revision: storeDelivery.pendingRevision ?? 0 }),
  });
  return name === 'delivered' && next.isTakedownWanted ? applyTakedown(next) : next;
}

/** An answer counts if it is to the latest message, is not a repeated flag, and its update is still pending. */
function isRelevantAnswer(
  storeDelivery: StoreDelivery,
  { messageId, kind, reason }: Answer,
): boolean {
  if (messageId !== storeDelivery.messageId) return false;
  if (kind === 'action_required' && storeDelivery.reason === reason) return false;
  return storeDelivery.kind !== 'update' || storeDelivery.pendingRevision !== null;
}

export function applyTakedown(storeDelivery: StoreDelivery): StoreDelivery {
  switch (storeDelivery.status) {
    case 'pending':
      return applyStep(storeDelivery, 'canceled', { status: 'taken_down' });
    case 'delivered':
      return applyStep(storeDelivery, 'takedown_requested', {
        status: 'takedown_requested',
        kind: 'takedown',
        messageId: undefined,
        pendingRevision: null,
        reason: null,
        isTakedownWanted: true,
      });
    case 'in_progress':
    case 'action_required':
      // A second request does not cause a second step.
      return storeDelivery.isTakedownWanted
        ? storeDelivery
        : applyStep(storeDelivery, 'takedown_wanted', { isTakedownWanted: true });
    default:
      return storeDelivery;
  }
}

/** A takedown was requested while the message was being sent. Whether it was sent is uncertain: a takedown follows. */
export const applyReplacedByTakedown = (storeDelivery: StoreDelivery): StoreDelivery =>
  applyTakedown({
    ...applyStep(applyStep(storeDelivery, 'dispatched', {}), 'takedown_wanted', {
      isTakedownWanted: true,
    }),
    status: 'delivered',
  });

export const applyResubmission = (storeDelivery: StoreDelivery, revision: number): StoreDelivery =>
  applyStep(storeDelivery, 'resubmitted', {
    status: 'pending',
    kind: 'deliver',
    messageId: undefined,
    revision,
    reason: null,
    isTakedownWanted: false,
  });

export const applyUpdate = (storeDelivery: StoreDelivery, pendingRevision: number): StoreDelivery =>
  applyStep(storeDelivery, 'update_requested', {
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

/** Contract §3, for a release with one delivery: `delivered` once any store has delivered it. */
export function releaseStatusOf(storeDeliveries: readonly StoreDelivery[]): string {
  if (storeDeliveries.some(({ expectedTimeline }) => expectedTimeline.includes('delivered')))
    return 'delivered';
  const left = storeDeliveries.filter(({ status }) => status !== 'taken_down');
  const isRefused = left.length > 0 && left.every(({ status }) => status === 'rejected');
  return isRefused ? 'rejected' : 'submitted';
}

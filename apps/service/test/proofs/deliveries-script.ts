/** Draws, before a delivery is created, the answers of its stores and the requests of its partner. */

import type { Answer } from './deliveries-model.ts';
import type { Random } from './random.ts';

/** An answer to the latest message, to the previous one, or to an unknown message id. */
export type ScriptedAnswer = Pick<Answer, 'kind' | 'reason'> & {
  readonly to: 'this' | 'former' | 'unknown';
};

type Script = readonly ScriptedAnswer[];

/** Decides which answers the stores of a delivery give, and which requests follow the first answers. */
export type PlanKind = 'smooth' | 'rough' | 'refused' | 'withdrawn' | 'hasty';

export type StorePlan = {
  readonly first: Script;
  /** Answers to a second `deliver` message. */
  readonly second: Script;
  readonly update: Script;
  readonly takedown: Script;
  /** Answers after a takedown was requested of a store delivery that the store had flagged. */
  readonly afterTakedown: Script;
  readonly ifRefused: 'resubmit' | 'takedown' | undefined;
  readonly ifDelivered: 'update' | 'takedown' | undefined;
  /** Taken down as soon as the delivery is created. */
  readonly isTakenDownEarly: boolean;
};

export type DeliveryPlan = {
  readonly kind: PlanKind;
  readonly storePlans: ReadonlyMap<string, StorePlan>;
  /** How long after the creation an early takedown is requested: none, some or many messages have been sent by then. */
  readonly earlyTakedownMs: number;
};

type WeightedScript = readonly [share: number, script: string];

const answersByName: Readonly<Record<string, ScriptedAnswer>> = {
  acknowledged: { kind: 'acknowledged', reason: '', to: 'this' },
  delivered: { kind: 'delivered', reason: '', to: 'this' },
  rejected: { kind: 'rejected', reason: 'the cover is blurred', to: 'this' },
  flagged: { kind: 'action_required', reason: 'who owns it?', to: 'this' },
  reflagged: { kind: 'action_required', reason: 'who owns the cover?', to: 'this' },
  removed: { kind: 'removed', reason: '', to: 'this' },
  kept: { kind: 'removal_refused', reason: 'a promotion is running', to: 'this' },
  'old-delivered': { kind: 'delivered', reason: '', to: 'former' },
  'old-rejected': { kind: 'rejected', reason: 'of long ago', to: 'former' },
  'old-removed': { kind: 'removed', reason: '', to: 'former' },
  'stray-rejected': { kind: 'rejected', reason: 'of nothing', to: 'unknown' },
};

/** Shares of a hundred. The answers after the deciding one are repeated, late or impossible. */
const confirming: readonly WeightedScript[] = [
  [80, 'delivered'],
  [4, 'accepted delivered'],
  [4, 'delivered accepted'],
  [4, 'delivered delivered'],
  [2, 'delivered rejected'],
  [2, 'delivered flagged'],
  [2, 'flagged delivered'],
  [1, 'removed delivered'],
  [1, 'stray-rejected delivered'],
];
const mixed: readonly WeightedScript[] = [
  [62, 'delivered'],
  [5, 'delivered delivered'],
  [4, 'delivered accepted rejected'],
  [2, 'kept delivered'],
  [9, 'rejected'],
  [2, 'rejected delivered'],
  [2, 'rejected rejected'],
  [6, 'flagged'],
  [3, 'flagged flagged delivered'],
  [2, 'flagged rejected'],
  [2, 'flagged reflagged'],
  [1, 'delivered flagged stray-rejected'],
];
const refusing: readonly WeightedScript[] = [
  [88, 'rejected'],
  [4, 'rejected rejected'],
  [4, 'rejected delivered'],
  [4, 'flagged rejected'],
];
const resubmitted: readonly WeightedScript[] = [
  [50, 'delivered'],
  [15, 'old-delivered delivered'],
  [15, 'old-rejected delivered'],
  [5, 'rejected old-delivered'],
  [5, 'old-rejected flagged delivered'],
  [5, 'old-delivered rejected'],
  [5, 'flagged old-delivered'],
];
const updating: readonly WeightedScript[] = [
  [50, 'delivered'],
  [10, 'delivered delivered'],
  [15, 'rejected'],
  [10, 'flagged delivered'],
  [5, 'flagged reflagged rejected'],
  [10, 'old-rejected delivered rejected'],
];
const removing: readonly WeightedScript[] = [
  [60, 'removed'],
  [10, 'removed removed'],
  [10, 'old-rejected removed'],
  [10, 'kept'],
  [5, 'kept removed'],
  [5, 'delivered removed old-removed'],
];
const withdrawing: readonly WeightedScript[] = [
  [80, 'removed'],
  [10, 'removed kept'],
  [10, 'old-delivered removed'],
];
const afterTakedownAnswers: readonly WeightedScript[] = [
  [60, 'delivered'],
  [30, 'rejected'],
  [10, 'reflagged delivered delivered'],
];

const firstAnswers: Readonly<Record<PlanKind, readonly WeightedScript[]>> = {
  smooth: confirming,
  rough: mixed,
  refused: refusing,
  withdrawn: confirming,
  hasty: confirming,
};

const planKinds: readonly WeightedScript[] = [
  [46, 'smooth'],
  [35, 'rough'],
  [7, 'refused'],
  [5, 'withdrawn'],
  [7, 'hasty'],
];

const earlyTakedownMsMax = 3_000;

function drawOne(random: Random, choices: readonly WeightedScript[]): string {
  let left = random.below(100);
  for (const [share, text] of choices) {
    left -= share;
    if (left < 0) return text;
  }
  throw new Error('the shares must add up to 100');
}

const drawScript = (random: Random, choices: readonly WeightedScript[]): Script =>
  drawOne(random, choices)
    .split(' ')
    .map((name) => answersByName[name]!);

const isOnceIn = (random: Random, times: number): boolean => random.below(times) === 0;

function drawStorePlan(random: Random, kind: PlanKind, isGivenUp: boolean): StorePlan {
  const isRough = kind === 'rough';
  const isTakenDownWhole = kind === 'withdrawn' || kind === 'hasty';
  const requestIfDelivered = isRough
    ? random.pick(['update', 'takedown', ...noRequests] as const)
    : undefined;
  return {
    first: drawScript(random, firstAnswers[kind]),
    second: drawScript(random, isRough ? resubmitted : confirming),
    update: drawScript(random, updating),
    takedown: drawScript(random, isTakenDownWhole ? withdrawing : removing),
    afterTakedown: drawScript(random, afterTakedownAnswers),
    ifRefused: drawIfRefused(random, kind, isGivenUp),
    ifDelivered: kind === 'withdrawn' ? 'takedown' : requestIfDelivered,
    isTakenDownEarly: kind === 'hasty' || (isRough && isOnceIn(random, 30)),
  };
}

/** For sixteen of eighteen stores no request follows. */
const noRequests = Array.from({ length: 16 }, () => undefined);

function drawIfRefused(random: Random, kind: PlanKind, isGivenUp: boolean): StorePlan['ifRefused'] {
  if (kind === 'refused') return isGivenUp ? undefined : 'resubmit';
  return kind === 'rough'
    ? random.pick(['resubmit', 'resubmit', 'takedown', undefined])
    : undefined;
}

export function drawPlan(random: Random, storeIds: readonly string[]): DeliveryPlan {
  const kind = drawOne(random, planKinds) as PlanKind;
  const isGivenUp = isOnceIn(random, 2);
  return {
    kind,
    storePlans: new Map(storeIds.map((id) => [id, drawStorePlan(random, kind, isGivenUp)])),
    earlyTakedownMs: random.below(earlyTakedownMsMax),
  };
}

/** What the stores of a delivery are going to say and its partner to ask for, drawn before anything happens. */
import type { Answer } from './deliveries-model.ts';
import type { Random } from './random.ts';

/** An answer to the message at hand, to the one before it, or to one that never was. */
export type Line = Pick<Answer, 'kind' | 'reason'> & { readonly to: 'this' | 'former' | 'nobody' };

type Script = readonly Line[];

/** How a delivery goes: which answers its stores give, and what is asked of it in mid-way. */
export type Temper = 'smooth' | 'rough' | 'refused' | 'withdrawn' | 'hasty';

export type Role = {
  readonly first: Script;
  /** To a second message with the release. */
  readonly second: Script;
  readonly update: Script;
  readonly takedown: Script;
  /** After a takedown was asked for of something the store had only flagged. */
  readonly afterthought: Script;
  readonly ifRefused: 'resubmit' | 'takedown' | undefined;
  readonly ifDelivered: 'update' | 'takedown' | undefined;
  /** Taken down as soon as the delivery is created. */
  readonly isHasty: boolean;
};

export type Plan = {
  readonly temper: Temper;
  readonly roles: ReadonlyMap<string, Role>;
  /** How long a hasty takedown waits: nothing, some or much has been sent by then. */
  readonly hasteMs: number;
};

type Spec = readonly [share: number, words: string];

const words: Readonly<Record<string, Line>> = {
  accepted: { kind: 'accepted', reason: '', to: 'this' },
  delivered: { kind: 'delivered', reason: '', to: 'this' },
  rejected: { kind: 'rejected', reason: 'the cover is blurred', to: 'this' },
  flagged: { kind: 'action_required', reason: 'who owns it?', to: 'this' },
  reflagged: { kind: 'action_required', reason: 'who owns the cover?', to: 'this' },
  removed: { kind: 'removed', reason: '', to: 'this' },
  kept: { kind: 'removal_refused', reason: 'a promotion is running', to: 'this' },
  'old-delivered': { kind: 'delivered', reason: '', to: 'former' },
  'old-rejected': { kind: 'rejected', reason: 'of long ago', to: 'former' },
  'old-removed': { kind: 'removed', reason: '', to: 'former' },
  'stray-rejected': { kind: 'rejected', reason: 'of nothing', to: 'nobody' },
};

/** In shares of a hundred. After what decides come repetitions, late and impossible answers. */
const confirming: readonly Spec[] = [
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
const mixed: readonly Spec[] = [
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
const refusing: readonly Spec[] = [
  [88, 'rejected'],
  [4, 'rejected rejected'],
  [4, 'rejected delivered'],
  [4, 'flagged rejected'],
];
const again: readonly Spec[] = [
  [50, 'delivered'],
  [15, 'old-delivered delivered'],
  [15, 'old-rejected delivered'],
  [5, 'rejected old-delivered'],
  [5, 'old-rejected flagged delivered'],
  [5, 'old-delivered rejected'],
  [5, 'flagged old-delivered'],
];
const updating: readonly Spec[] = [
  [50, 'delivered'],
  [10, 'delivered delivered'],
  [15, 'rejected'],
  [10, 'flagged delivered'],
  [5, 'flagged reflagged rejected'],
  [10, 'old-rejected delivered rejected'],
];
const removing: readonly Spec[] = [
  [60, 'removed'],
  [10, 'removed removed'],
  [10, 'old-rejected removed'],
  [10, 'kept'],
  [5, 'kept removed'],
  [5, 'delivered removed old-removed'],
];
const gone: readonly Spec[] = [
  [80, 'removed'],
  [10, 'removed kept'],
  [10, 'old-delivered removed'],
];
const lateWord: readonly Spec[] = [
  [60, 'delivered'],
  [30, 'rejected'],
  [10, 'reflagged delivered delivered'],
];

const firsts: Readonly<Record<Temper, readonly Spec[]>> = {
  smooth: confirming,
  rough: mixed,
  refused: refusing,
  withdrawn: confirming,
  hasty: confirming,
};

const tempers: readonly Spec[] = [
  [46, 'smooth'],
  [35, 'rough'],
  [7, 'refused'],
  [5, 'withdrawn'],
  [7, 'hasty'],
];

const hasteMsMax = 3_000;

function drawOne(random: Random, specs: readonly Spec[]): string {
  let left = random.below(100);
  for (const [share, text] of specs) {
    left -= share;
    if (left < 0) return text;
  }
  throw new Error('shares make a hundred');
}

const drawScript = (random: Random, specs: readonly Spec[]): Script =>
  drawOne(random, specs)
    .split(' ')
    .map((word) => words[word]!);

const isOnceIn = (random: Random, times: number): boolean => random.below(times) === 0;

function drawRole(random: Random, temper: Temper, isGivenUp: boolean): Role {
  const isRough = temper === 'rough';
  const isWhole = temper === 'withdrawn' || temper === 'hasty';
  const wishIfDelivered = isRough
    ? random.pick(['update', 'takedown', ...nothings] as const)
    : undefined;
  return {
    first: drawScript(random, firsts[temper]),
    second: drawScript(random, isRough ? again : confirming),
    update: drawScript(random, updating),
    takedown: drawScript(random, isWhole ? gone : removing),
    afterthought: drawScript(random, lateWord),
    ifRefused: drawIfRefused(random, temper, isGivenUp),
    ifDelivered: temper === 'withdrawn' ? 'takedown' : wishIfDelivered,
    isHasty: temper === 'hasty' || (isRough && isOnceIn(random, 30)),
  };
}

/** Sixteen of eighteen stores are left alone. */
const nothings = Array.from({ length: 16 }, () => undefined);

function drawIfRefused(random: Random, temper: Temper, isGivenUp: boolean): Role['ifRefused'] {
  if (temper === 'refused') return isGivenUp ? undefined : 'resubmit';
  return temper === 'rough'
    ? random.pick(['resubmit', 'resubmit', 'takedown', undefined])
    : undefined;
}

export function drawPlan(random: Random, storeIds: readonly string[]): Plan {
  const temper = drawOne(random, tempers) as Temper;
  const isGivenUp = isOnceIn(random, 2);
  return {
    temper,
    roles: new Map(storeIds.map((id) => [id, drawRole(random, temper, isGivenUp)])),
    hasteMs: random.below(hasteMsMax),
  };
}

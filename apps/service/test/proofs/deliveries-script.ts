/** Draws, before a delivery is created, the answers of its stores and the requests of its partner. */

import {
  afterTakedownAnswers,
  firstAnswers,
  lateAnswers,
  type PlanKind,
  removing,
  resubmitted,
  updating,
  type WeightedScript,
  withdrawing,
} from './deliveries-answer-lists.ts';
import type { Answer } from './deliveries-answer-steps.ts';
import type { Confirmation, Status } from './deliveries-model.ts';
import type { Random } from './random.ts';

/**
 * What an answer names: the latest message, the one before it, the first one, a code of the release or of its first
 * track, or a message that does not exist.
 */
export type AnswerTarget = 'this' | 'former' | 'first' | 'upc' | 'isrc' | 'unknown';

export type ScriptedAnswer = Pick<Answer, 'kind' | 'reason'> & { readonly to: AnswerTarget };

export type Script = readonly ScriptedAnswer[];

/** By the status in which a store is when the partner's requests, or late answers, begin. */
type ByStatus<T> = Readonly<Partial<Record<Status, T>>>;

type StoreRound = {
  readonly late: ByStatus<Script>;
  readonly requests: ByStatus<'resubmit' | 'update' | 'takedown'>;
};

export type StorePlan = {
  readonly first: Script;
  /** Answers to a resubmission. */
  readonly second: Script;
  readonly update: Script;
  readonly takedown: Script;
  /** Answers after a takedown was requested that waits for the store's answer. */
  readonly afterTakedown: Script;
  readonly rounds: readonly StoreRound[];
  /** Taken down as soon as the delivery is created. */
  readonly isTakenDownEarly: boolean;
  /** An answer to a message of the delivery that a second delivery of the release has replaced. */
  readonly afterRedelivery: ScriptedAnswer;
};

/** What the partner sends again: a corrected release, or the same with other territories. */
export type Correction = {
  readonly isCorrected: boolean;
  readonly releaseTerritories: readonly string[];
  /** Undefined: the territories that were requested before. */
  readonly territoryCodes: readonly string[] | undefined;
};

export type DeliveryPlan = {
  readonly kind: PlanKind;
  readonly storePlans: ReadonlyMap<string, StorePlan>;
  /** How long after the creation an early takedown is requested: none, some or many messages have been sent by then. */
  readonly earlyTakedownMs: number;
  /** The clock of its organization is advanced past every deadline, after each round of answers. */
  readonly passesDeadlines: boolean;
  readonly corrections: readonly Correction[];
  /** Stores that took the release down get it by a second delivery. */
  readonly isRedelivered: boolean;
};

const kinds: Readonly<Record<string, Pick<ScriptedAnswer, 'kind' | 'reason'>>> = {
  receipt: { kind: 'acknowledged', reason: '' },
  delivered: { kind: 'delivered', reason: '' },
  rejected: { kind: 'rejected', reason: 'the cover is blurred' },
  flagged: { kind: 'action_required', reason: 'who owns it?' },
  reflagged: { kind: 'action_required', reason: 'who owns the cover?' },
  removed: { kind: 'removed', reason: '' },
  kept: { kind: 'removal_refused', reason: 'a promotion is running' },
};

const targets: Readonly<Record<string, AnswerTarget>> = {
  old: 'former',
  first: 'first',
  upc: 'upc',
  isrc: 'isrc',
  stray: 'unknown',
};

/** `delivered` answers the latest message, `old-delivered` another one. */
function toAnswer(name: string): ScriptedAnswer {
  const [word = '', target] = name.split('-').toReversed();
  const kind = kinds[word];
  const to = target === undefined ? 'this' : targets[target];
  if (kind === undefined || to === undefined) throw new Error(`no such answer: ${name}`);
  return { ...kind, to };
}

const toScript = (text: string): Script =>
  text.split(' ').flatMap((name) => (name === '' ? [] : [toAnswer(name)]));

function drawOne(random: Random, choices: readonly WeightedScript[]): string {
  let left = random.below(choices.reduce((sum, [share]) => sum + share, 0));
  for (const [share, text] of choices) {
    left -= share;
    if (left < 0) return text;
  }
  throw new Error('there is no choice');
}

const drawScript = (random: Random, choices: readonly WeightedScript[]): Script =>
  toScript(drawOne(random, choices));

const isOnceIn = (random: Random, times: number): boolean => random.below(times) === 0;

const rounds = 2;

function drawRound(random: Random, kind: PlanKind, confirmation: Confirmation): StoreRound {
  const late = Object.fromEntries(
    Object.entries(lateAnswers[confirmation]).map(([status, scripts]) => [
      status,
      drawScript(random, scripts),
    ]),
  );
  return { late, requests: drawRequests(random, kind) };
}

function drawRequests(random: Random, kind: PlanKind): StoreRound['requests'] {
  if (kind === 'withdrawn') return { delivered: 'takedown', in_progress: 'takedown' };
  if (kind === 'updated') return { delivered: 'update' };
  if (kind !== 'rough' && kind !== 'refused') return {};
  const again = random.pick(['resubmit', 'resubmit', 'takedown', undefined] as const);
  const ifFlagged = random.pick(['resubmit', 'takedown', undefined] as const);
  const ifDelivered = random.pick(['update', 'takedown', ...noRequests] as const);
  return {
    ...(again !== undefined && { rejected: again }),
    ...(ifFlagged !== undefined && { action_required: ifFlagged }),
    ...(ifDelivered !== undefined && { delivered: ifDelivered }),
    ...(isOnceIn(random, 20) && { in_progress: 'takedown' }),
  };
}

/** For six of eight delivered stores no request follows. */
const noRequests = Array.from({ length: 6 }, () => undefined);

function drawStorePlan(random: Random, kind: PlanKind, confirmation: Confirmation): StorePlan {
  const isTakenDownWhole = kind === 'withdrawn' || kind === 'hasty';
  return {
    first: drawScript(random, firstAnswers[confirmation][kind]),
    second: drawScript(random, resubmitted),
    update: drawScript(random, updating),
    takedown: drawScript(random, isTakenDownWhole ? withdrawing : removing),
    afterTakedown: drawScript(random, afterTakedownAnswers),
    rounds: Array.from({ length: rounds }, () => drawRound(random, kind, confirmation)),
    isTakenDownEarly: kind === 'hasty' || (kind === 'rough' && isOnceIn(random, 30)),
    afterRedelivery: toAnswer(
      random.pick(['delivered', 'removed', 'kept', 'flagged', 'rejected', 'receipt']),
    ),
  };
}

/** The first deliveries have these kinds, so that the smallest run has them all. */
const firstKinds: readonly PlanKind[] = [
  'rough',
  'rough',
  'refused',
  'updated',
  'withdrawn',
  'hasty',
  'smooth',
];

const planKinds: readonly WeightedScript[] = [
  [31, 'smooth'],
  [45, 'rough'],
  [7, 'refused'],
  [5, 'updated'],
  [5, 'withdrawn'],
  [7, 'hasty'],
];

const earlyTakedownMsMax = 3_000;

const drawCorrection = (random: Random): Correction => {
  const territoryCodes = random.pick([
    undefined,
    ['GB'],
    ['DE', 'GB'],
    ['GB', 'US'],
    ['WORLDWIDE'],
  ] as const);
  return {
    isCorrected: territoryCodes === undefined || random.below(3) > 0,
    releaseTerritories: random.pick([['WORLD'], ['DE', 'GB'], ['DE', 'GB', 'US']] as const),
    territoryCodes,
  };
};

export function drawPlan(
  random: Random,
  index: number,
  stores: ReadonlyMap<string, { readonly confirmation: Confirmation }>,
): DeliveryPlan {
  const kind = firstKinds[index] ?? (drawOne(random, planKinds) as PlanKind);
  return {
    kind,
    storePlans: new Map(
      Array.from(stores, ([id, { confirmation }]) => [
        id,
        drawStorePlan(random, kind, confirmation),
      ]),
    ),
    // The first hasty delivery is taken down at once, before its messages are sent.
    earlyTakedownMs: index < firstKinds.length ? 0 : random.below(earlyTakedownMsMax),
    passesDeadlines: index % 2 === 0,
    corrections: Array.from({ length: rounds }, () => drawCorrection(random)),
    isRedelivered: isOnceIn(random, 2),
  };
}

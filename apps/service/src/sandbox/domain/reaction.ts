/** What a fictional store does with a message: which replies it gives, and when. */

import { hourMs, minuteMs } from '../../kernel/duration.ts';
import type { Confirmation } from '../../network/face.ts';
import { durationMs } from './duration.ts';
import { integerBetween, hashToFraction } from './hash-to-fraction.ts';
import type { LaterAction } from './later-action.ts';
import type { MessageKind, ScenarioId, ScenarioStep } from './scenario.ts';
import { timingOf } from './store-timing.ts';

export type SimulatedMessage = {
  readonly storeId: string;
  readonly kind: MessageKind;
  readonly confirmation: Confirmation;
  /** When the release is out. */
  readonly startsAt: Date;
  /** The partner's reference of the release, or its UPC: the same in every run. */
  readonly releaseName: string;
  readonly expectedBy: Date | null;
  /** Business time. */
  readonly now: Date;
};

/**
 * The store accepts the message, rejects it, or flags it; or, later, it flags or removes the release it has. How a store
 * says `yes` depends on its confirmation; some say nothing.
 */
export type SimulatedReply =
  | { readonly says: 'yes' | 'removed' }
  | { readonly says: 'no' | 'flag'; readonly code: string | null; readonly reason: string };

/** The step that a message meets, with the scenario it belongs to. */
export type MetStep = ScenarioStep & { readonly scenarioId: ScenarioId };

export type ScheduledReply = { readonly afterMs: number; readonly reply: SimulatedReply };

const yes: SimulatedReply = { says: 'yes' };

/** A number in [0, 1) for a purpose, the same in every run. */
type RandomFor = (purpose: string) => number;

export const randomFor =
  ({ storeId, kind, releaseName }: SimulatedMessage, seed: number, index: number): RandomFor =>
  (purpose) =>
    hashToFraction(seed, storeId, kind, releaseName, index, purpose);

/** Whether a step with a `chance` applies to the message. */
export const isStepTaken = ({ chance = 1 }: ScenarioStep, random: RandomFor): boolean =>
  random('chance') < chance;

/** How long the store takes to review a message, or to remove the release. */
function workMs({ storeId, kind }: SimulatedMessage, random: RandomFor): number {
  const { review, takedown } = timingOf(storeId);
  const [min, max] = kind === 'takedown' ? takedown : review;
  return integerBetween(min * hourMs, max * hourMs, random('work'));
}

/** A store that announces availability does so when the release is out, not earlier. */
function usualMs(sent: SimulatedMessage, random: RandomFor): number {
  const work = workMs(sent, random);
  const announces = sent.kind === 'deliver' && sent.confirmation === 'live';
  return announces ? Math.max(work, sent.startsAt.getTime() - sent.now.getTime()) : work;
}

/** Without a step: the store's usual reply. An outage has no replies; `simulate-store.ts` handles it. */
export function simulateReplies(
  sent: SimulatedMessage,
  step: MetStep | undefined,
  random: RandomFor,
): readonly ScheduledReply[] {
  const replies = repliesToMessage(sent, step, random);
  return step?.then === undefined || sent.kind === 'takedown'
    ? replies
    : [...replies, ...laterReplies(liveMs(sent, replies), step.then, step)];
}

function repliesToMessage(
  sent: SimulatedMessage,
  step: MetStep | undefined,
  random: RandomFor,
): readonly ScheduledReply[] {
  const usual = () => usualMs(sent, random);
  const afterOr = (fallback: () => number) =>
    step?.after === undefined ? fallback() : durationMs(step.after);
  switch (step?.action) {
    case 'confirm':
      return [{ afterMs: afterOr(usual), reply: yes }];
    case 'reject':
      return [{ afterMs: afterOr(() => workMs(sent, random)), reply: negativeReply('no', step) }];
    case 'flag':
      return flagReplies(sent, step, afterOr, random);
    case 'delay':
      return [{ afterMs: usual() + afterOr(() => 0), reply: yes }];
    case 'late':
      return [{ afterMs: untilDeadlineMs(sent) + lateMs(afterOr(() => hourMs)), reply: yes }];
    case 'lose':
      return [];
    case 'duplicate':
      return duplicates(afterOr(usual), step.times ?? 2, random);
    default:
      return [{ afterMs: usual(), reply: yes }];
  }
}

/** At least a second: an answer at the deadline itself is not late. */
const lateMs = (ms: number): number => Math.max(ms, 1_000);

const untilDeadlineMs = ({ expectedBy, now }: SimulatedMessage): number =>
  expectedBy === null ? 0 : Math.max(0, expectedBy.getTime() - now.getTime());

const verbs = { no: 'Rejected', flag: 'Flagged' } as const;

const negativeReply = (
  says: 'no' | 'flag',
  { code, reason, scenarioId }: Pick<MetStep, 'code' | 'reason' | 'scenarioId'>,
): SimulatedReply => ({
  says,
  code: code ?? null,
  reason: reason ?? `${verbs[says]} by your sandbox scenario ${scenarioId}.`,
});

/** A store does not flag a takedown. */
function flagReplies(
  sent: SimulatedMessage,
  step: MetStep,
  afterOr: (fallback: () => number) => number,
  random: RandomFor,
): readonly ScheduledReply[] {
  if (sent.kind === 'takedown') return repliesToMessage(sent, undefined, random);
  const afterMs = afterOr(() => workMs(sent, random));
  const first: ScheduledReply = { afterMs, reply: negativeReply('flag', step) };
  if (step.resolves === undefined) return [first];
  const secondMs =
    step.resolves_after === undefined ? workMs(sent, random) : durationMs(step.resolves_after);
  const second = step.resolves === 'confirm' ? yes : negativeReply('no', step);
  return [first, { afterMs: afterMs + secondMs, reply: second }];
}

/** The same reply several times, a minute to an hour apart. */
function duplicates(firstMs: number, times: number, random: RandomFor): readonly ScheduledReply[] {
  let afterMs = firstMs;
  return Array.from({ length: times }, (_, i) => {
    if (i > 0) afterMs += integerBetween(minuteMs, hourMs, random(`again ${i}`));
    return { afterMs, reply: yes };
  });
}

/** When the store has what the message carries: when it says so last, or when we infer it (catalogue §1.3). */
function liveMs(sent: SimulatedMessage, replies: readonly ScheduledReply[]): number {
  const answeredMs = replies.at(-1)?.afterMs ?? 0;
  if (sent.confirmation === 'live') return answeredMs;
  // A message that was sent after its deadline is inferred to be done within an hour.
  if (sent.confirmation === 'none') return untilDeadlineMs(sent) || hourMs;
  // The receipt confirms an update; a release is also not live before its deadline.
  return sent.kind === 'update' ? answeredMs : Math.max(answeredMs, untilDeadlineMs(sent));
}

function laterReplies(
  fromMs: number,
  later: readonly LaterAction[],
  { scenarioId }: MetStep,
): readonly ScheduledReply[] {
  let afterMs = fromMs;
  return later.map((each) => {
    afterMs += durationMs(each.after);
    const reply: SimulatedReply =
      each.action === 'remove'
        ? { says: 'removed' }
        : negativeReply('flag', { code: each.code, reason: each.reason, scenarioId });
    return { afterMs, reply };
  });
}

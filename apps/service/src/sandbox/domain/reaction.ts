/** What a fictional store does with a message: which replies it gives, and when. */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { hourMs, minuteMs } from '../../kernel/duration.ts';
import { durationMs } from './duration.ts';
import { integerBetween, hashToFraction } from './hash-to-fraction.ts';
import type { MessageKind, ScenarioId, ScenarioStep } from './scenario.ts';
import { timingOf } from './store-timing.ts';

export type SimulatedMessage = {
  readonly storeId: string;
  readonly kind: MessageKind;
  readonly releaseDate: CalendarDate;
  /** The partner's reference of the release, or its UPC: the same in every run. */
  readonly releaseName: string;
  readonly expectedBy: Date | null;
  /** Business time. */
  readonly now: Date;
};

/** The store accepts the message, rejects it, or flags it. */
export type SimulatedReply =
  | { readonly says: 'yes' }
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

/** A store confirms a release on its release date (midnight in UTC) at the earliest. */
function usualMs(sent: SimulatedMessage, random: RandomFor): number {
  const work = workMs(sent, random);
  const untilReleaseMs = Date.parse(`${sent.releaseDate}T00:00:00Z`) - sent.now.getTime();
  return sent.kind === 'deliver' ? Math.max(work, untilReleaseMs) : work;
}

/** Without a step: the store's usual reply. An outage has no replies; `simulate-store.ts` handles it. */
export function simulateReplies(
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
  { code, reason, scenarioId }: MetStep,
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
  if (sent.kind === 'takedown') return simulateReplies(sent, undefined, random);
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

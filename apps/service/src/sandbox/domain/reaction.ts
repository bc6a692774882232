/** What a fictional store does with a message: when it answers what, or that it is away. */

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
  /** The partner's own name for the release, or its UPC: the same in every run. */
  readonly releaseName: string;
  readonly expectedBy: Date | null;
  /** Business time. */
  readonly now: Date;
};

/** Yes, no or a question, to whatever the store was sent. */
export type SimulatedReply =
  | { readonly says: 'yes' }
  | { readonly says: 'no' | 'flag'; readonly code: string | null; readonly reason: string };

/** The step that a message meets, with the scenario it belongs to. */
export type MetStep = ScenarioStep & { readonly scenarioId: ScenarioId };

export type ScheduledReply = { readonly afterMs: number; readonly reply: SimulatedReply };

const yes: SimulatedReply = { says: 'yes' };

/** Seeded by the scenario, or 0. */
type RandomFor = (what: string) => number;

export const randomFor =
  ({ storeId, kind, releaseName }: SimulatedMessage, seed: number, index: number): RandomFor =>
  (what) =>
    hashToFraction(seed, storeId, kind, releaseName, index, what);

/** Whether a step that is not certain happens. */
export const isStepTaken = ({ chance = 1 }: ScenarioStep, thrown: RandomFor): boolean =>
  thrown('chance') < chance;

/** How long the store looks at what it was sent, or takes to remove it. */
function workMs({ storeId, kind }: SimulatedMessage, thrown: RandomFor): number {
  const { review, takedown } = timingOf(storeId);
  const [min, max] = kind === 'takedown' ? takedown : review;
  return integerBetween(min * hourMs, max * hourMs, thrown('work'));
}

/** A release is out on its day, and not before (midnight in UTC). */
function usualMs(sent: SimulatedMessage, thrown: RandomFor): number {
  const work = workMs(sent, thrown);
  const untilOut = Date.parse(`${sent.releaseDate}T00:00:00Z`) - sent.now.getTime();
  return sent.kind === 'deliver' ? Math.max(work, untilOut) : work;
}

/** Without a step, what the store usually does. An outage is not an answer, and not for here. */
export function simulateReplies(
  sent: SimulatedMessage,
  step: MetStep | undefined,
  thrown: RandomFor,
): readonly ScheduledReply[] {
  const usual = () => usualMs(sent, thrown);
  const given = (otherwise: () => number) =>
    step?.after === undefined ? otherwise() : durationMs(step.after);
  switch (step?.action) {
    case 'confirm':
      return [{ afterMs: given(usual), reply: yes }];
    case 'reject':
      return [{ afterMs: given(() => workMs(sent, thrown)), reply: negativeReply('no', step) }];
    case 'flag':
      return flagged(sent, step, given, thrown);
    case 'delay':
      return [{ afterMs: usual() + given(() => 0), reply: yes }];
    case 'late':
      return [{ afterMs: untilDeadlineMs(sent) + lateMs(given(() => hourMs)), reply: yes }];
    case 'lose':
      return [];
    case 'duplicate':
      return duplicates(given(usual), step.times ?? 2, thrown);
    default:
      return [{ afterMs: usual(), reply: yes }];
  }
}

/** At the very moment of the deadline nobody is late. */
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

/** Nobody questions a takedown. */
function flagged(
  sent: SimulatedMessage,
  step: MetStep,
  given: (otherwise: () => number) => number,
  thrown: RandomFor,
): readonly ScheduledReply[] {
  if (sent.kind === 'takedown') return simulateReplies(sent, undefined, thrown);
  const afterMs = given(() => workMs(sent, thrown));
  const first: ScheduledReply = { afterMs, reply: negativeReply('flag', step) };
  if (step.resolves === undefined) return [first];
  const secondMs =
    step.resolves_after === undefined ? workMs(sent, thrown) : durationMs(step.resolves_after);
  const second = step.resolves === 'confirm' ? yes : negativeReply('no', step);
  return [first, { afterMs: afterMs + secondMs, reply: second }];
}

/** The same again, some minutes apart. */
function duplicates(firstMs: number, times: number, thrown: RandomFor): readonly ScheduledReply[] {
  let afterMs = firstMs;
  return Array.from({ length: times }, (_, i) => {
    if (i > 0) afterMs += integerBetween(minuteMs, hourMs, thrown(`again ${i}`));
    return { afterMs, reply: yes };
  });
}

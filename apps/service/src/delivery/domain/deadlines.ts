/** By when a store should have answered (contract §2 `expected_by`). */

import { shiftBusinessDays } from '../../kernel/business-days.ts';
import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { addMs, hourMs } from '../../kernel/duration.ts';
import type { OutgoingMessage } from './message.ts';

/** Spec §8: propagation typically takes 24 to 72 hours. */
const takedownMs = 72 * hourMs;

type DeadlineInput = {
  readonly kind: OutgoingMessage['kind'];
  readonly leadTimeBusinessDays: number;
  readonly releaseDate: CalendarDate;
};

export function computeExpectedBy(
  { kind, leadTimeBusinessDays, releaseDate }: DeadlineInput,
  now: Date,
): Date {
  if (kind === 'takedown') return addMs(now, takedownMs);
  const byLeadTime = shiftBusinessDays(now, Math.max(1, leadTimeBusinessDays));
  if (kind === 'update') return byLeadTime;
  // Nobody can say that it is out before it is out: a day after its own, wherever that ends last.
  const afterReleaseDay = new Date(Date.parse(`${releaseDate}T00:00:00Z`) + 48 * hourMs);
  return afterReleaseDay > byLeadTime ? afterReleaseDay : byLeadTime;
}

const firstRedispatchMs = 30_000;
const doublingsMax = 7;

/** When to look again whether everything was sent: after ½, 1, 2 … 64 minutes. */
export const redispatchDelayMs = (dispatches: number): number =>
  firstRedispatchMs * 2 ** Math.min(dispatches, doublingsMax);

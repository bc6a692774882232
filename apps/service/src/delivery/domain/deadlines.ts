/** The deadline for a store's answer (contract §2 `expected_by`), and when a delivery is dispatched again. */

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
  // A store confirms only after the release date. 48 hours after its start in UTC, it is over in every time zone.
  const afterReleaseDay = new Date(Date.parse(`${releaseDate}T00:00:00Z`) + 48 * hourMs);
  return afterReleaseDay > byLeadTime ? afterReleaseDay : byLeadTime;
}

const firstRedispatchMs = 30_000;
const doublingsMax = 7;

/** Until the next dispatch, if a message is still unsent: ½, 1, 2 … 64 minutes. */
export const redispatchDelayMs = (dispatches: number): number =>
  firstRedispatchMs * 2 ** Math.min(dispatches, doublingsMax);

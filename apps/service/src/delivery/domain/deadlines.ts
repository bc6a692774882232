/** By when a store should have answered (contract §2 `expected_by`). */
import { addMs, hourMs } from '../../kernel/duration.ts';
import { shiftBusinessDays } from '../../kernel/business-days.ts';
import type { CalendarDate } from '../../kernel/calendar-date.ts';
import type { OutgoingMessage } from './message.ts';

/** Spec §8: propagation typically takes 24 to 72 hours. */
const takedownMs = 72 * hourMs;

type Sending = {
  readonly kind: OutgoingMessage['kind'];
  readonly leadTimeBusinessDays: number;
  readonly releaseDate: CalendarDate;
};

export function expectedBy({ kind, leadTimeBusinessDays, releaseDate }: Sending, now: Date): Date {
  if (kind === 'takedown') return addMs(now, takedownMs);
  const byLeadTime = shiftBusinessDays(now, Math.max(1, leadTimeBusinessDays));
  if (kind === 'update') return byLeadTime;
  // Nobody can say that it is out before it is out: a day after its own, wherever that ends last.
  const out = new Date(Date.parse(`${releaseDate}T00:00:00Z`) + 48 * hourMs);
  return out > byLeadTime ? out : byLeadTime;
}

const firstPatienceMs = 30_000;
const doublingsMax = 7;

/** When to look again whether everything was sent: after ½, 1, 2 … 64 minutes. */
export const dispatchAgainMs = (dispatches: number): number =>
  firstPatienceMs * 2 ** Math.min(dispatches, doublingsMax);

/** The deadline for a store's answer (contract §2 `expected_by`), and when a delivery is dispatched again. */

import { shiftBusinessDays } from '../../kernel/business-days.ts';
import { addMs, dayMs, hourMs } from '../../kernel/duration.ts';
import type { Confirmation } from '../../network/face.ts';
import type { OutgoingMessage } from './message.ts';

/** Spec §8: propagation typically takes 24 to 72 hours. */
const takedownMs = 72 * hourMs;

/** After its start in UTC, a release date is over in every time zone. */
const releaseDayMs = 2 * dayMs;

type DeadlineInput = {
  readonly kind: OutgoingMessage['kind'];
  readonly confirmation: Confirmation;
  readonly leadTimeBusinessDays: number;
  /** When the release is out: an instant, or the start of the release date in UTC. */
  readonly startsAt: Date;
  /** The release is out everywhere at the same moment. */
  readonly isTimed: boolean;
};

export function computeExpectedBy(
  { kind, confirmation, leadTimeBusinessDays, startsAt, isTimed }: DeadlineInput,
  now: Date,
): Date {
  if (kind === 'takedown') return addMs(now, takedownMs);
  const byLeadTime = shiftBusinessDays(now, Math.max(1, leadTimeBusinessDays));
  if (kind === 'update') return byLeadTime;
  // A store that announces availability does so after the start. For the others, the deadline is when we infer it.
  const graceMs = confirmation !== 'live' ? 0 : isTimed ? dayMs : releaseDayMs;
  const afterStart = addMs(startsAt, graceMs);
  return afterStart > byLeadTime ? afterStart : byLeadTime;
}

const firstRedispatchMs = 30_000;
const doublingsMax = 7;

/** Until the next dispatch, if a message is still unsent: ½, 1, 2 … 64 minutes. */
export const redispatchDelayMs = (dispatches: number): number =>
  firstRedispatchMs * 2 ** Math.min(dispatches, doublingsMax);

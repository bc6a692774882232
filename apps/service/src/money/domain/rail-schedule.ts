/**
 * When the rail is asked again what has become of a payment:
 *
 *   its last answer is unknown   after 1, 5, 15 and 60 minutes, then every hour
 *   in transit                   at 12:00 UTC on the day it arrives, then every day
 *   paid                         1, 7, 14, 28 and 56 days after it was paid: a payment can come back weeks later
 */

import { addMs, dayMs, minuteMs } from '../../kernel/duration.ts';
import type { Payout } from './payout.ts';

const retryMinutes = [1, 5, 15];
const lastRetryMinutes = 60;
const bounceCheckDays = [1, 7, 14, 28, 56];
const arrivalTime = 'T12:00:00.000Z';

type Asked = Pick<Payout, 'status' | 'arrivesOn' | 'updatedAt'>;

/** Undefined: not again. `unknowns` is the number of unknown outcomes since the last answer. */
export function nextAskAt(payout: Asked, unknowns: number, now: Date): Date | undefined {
  if (isSettled(payout)) return undefined;
  if (unknowns > 0) {
    return addMs(now, (retryMinutes[unknowns - 1] ?? lastRetryMinutes) * minuteMs);
  }
  switch (payout.status) {
    case 'in_transit': {
      const arrival = new Date(`${payout.arrivesOn}${arrivalTime}`);
      return arrival > now ? arrival : addMs(now, dayMs);
    }
    case 'paid':
      // Nothing changes a paid payout until it is returned, so `updatedAt` is when it was paid.
      return bounceCheckDays
        .map((days) => addMs(payout.updatedAt, days * dayMs))
        .find((check) => check > now);
    default:
      return addMs(now, minuteMs);
  }
}

const isSettled = ({ status }: Asked): boolean =>
  status !== 'processing' && status !== 'in_transit' && status !== 'paid';

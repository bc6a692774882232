/**
 * The limits within one process: for development without Redis, and while Redis does not answer. The same rules as
 * `redis-limiter.ts`, on the process's own clock.
 */

import type { Clock } from '../../kernel/clock.ts';
import { minuteMs, secondMs } from '../../kernel/duration.ts';
import type { RateLimiter, RatePolicy, RateVerdict } from '../../kernel/rate.ts';

const rateKeysMax = 10_000;

type Count = {
  minute: number;
  used: number;
  /** When the requests of the last second were accepted, oldest first. */
  recent: number[];
};

export function createLocalLimiter(clock: Clock): RateLimiter {
  const counts = new Map<string, Count>();

  /** Moves the key to the end, so that the first key is the least recently used. */
  const countOf = (rateKey: string, minute: number): Count => {
    const known = counts.get(rateKey);
    const count =
      known?.minute === minute ? known : { minute, used: 0, recent: known?.recent ?? [] };
    counts.delete(rateKey);
    const [leastRecent] = counts.keys();
    if (counts.size >= rateKeysMax && leastRecent !== undefined) counts.delete(leastRecent);
    counts.set(rateKey, count);
    return count;
  };

  return {
    close: async () => counts.clear(),
    consume: async (rateKey, policy) => {
      const nowMs = clock.now().getTime();
      const count = countOf(rateKey, Math.floor(nowMs / minuteMs));
      count.recent = count.recent.filter((at) => nowMs - at < secondMs);
      return verdict(count, policy, nowMs);
    },
  };
}

function verdict(count: Count, { perMinute, perSecond }: RatePolicy, nowMs: number): RateVerdict {
  const resetSeconds = Math.ceil((minuteMs - (nowMs % minuteMs)) / 1_000);
  const left = Math.max(0, perMinute - count.used);
  if (left === 0) {
    return { isAllowed: false, remaining: 0, resetSeconds, retryAfterSeconds: resetSeconds };
  }
  if (count.recent.length >= perSecond) {
    return { isAllowed: false, remaining: left, resetSeconds, retryAfterSeconds: 1 };
  }
  count.used++;
  count.recent.push(nowMs);
  return { isAllowed: true, remaining: left - 1, resetSeconds, retryAfterSeconds: 0 };
}

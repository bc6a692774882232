import type { Clock } from '../../kernel/clock.ts';
import type { RateLimiter, RatePolicy } from '../../kernel/rate.ts';
import { limiterFallbacks } from '../telemetry/instruments.ts';
import { createLocalLimiter } from './local-limiter.ts';

/** After Redis failed, this long nobody asks it: a request should not pay for its time-out. */
const redisRetryAfterMs = 500;

/**
 * Redis where it answers; else this process's share of the limit, so that all instances together
 * never allow more than the limit. Never an error: a limiter that is away must not turn anybody away.
 */
export function createSharedLimiter(
  redis: RateLimiter,
  clock: Clock,
  instances: number,
): RateLimiter {
  const local = createLocalLimiter(clock);
  limiterFallbacks().add(0);
  let skipRedisUntilMs = 0;
  return {
    close: async () => {
      await Promise.all([redis.close(), local.close()]);
    },
    consume: async (subject, policy) => {
      if (clock.now().getTime() >= skipRedisUntilMs) {
        try {
          return await redis.consume(subject, policy);
        } catch {
          skipRedisUntilMs = clock.now().getTime() + redisRetryAfterMs;
        }
      }
      limiterFallbacks().add(1);
      return local.consume(subject, perInstancePolicy(policy, instances));
    },
  };
}

const perInstancePolicy = (
  { perMinute, perSecond }: RatePolicy,
  instances: number,
): RatePolicy => ({
  perMinute: Math.max(1, Math.floor(perMinute / instances)),
  perSecond: Math.max(1, Math.floor(perSecond / instances)),
});

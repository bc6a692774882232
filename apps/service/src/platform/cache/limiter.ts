import type { Clock } from '../../kernel/clock.ts';
import type { RateLimiter, RatePolicy } from '../../kernel/rate.ts';
import { limiterFallbacks } from '../telemetry/instruments.ts';
import { createLocalLimiter } from './local-limiter.ts';

/** After a failure, Redis is not asked for this long, so that requests do not wait for its time-out. */
const redisRetryAfterMs = 500;

/**
 * Counts in Redis. While Redis does not answer, counts in this process against its share of the limit, so that all
 * instances together never allow more than the limit. Never an error: an unavailable limiter must not refuse requests.
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
    consume: async (rateKey, policy) => {
      if (clock.now().getTime() >= skipRedisUntilMs) {
        try {
          return await redis.consume(rateKey, policy);
        } catch {
          skipRedisUntilMs = clock.now().getTime() + redisRetryAfterMs;
        }
      }
      limiterFallbacks().add(1);
      return local.consume(rateKey, perInstancePolicy(policy, instances));
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

/**
 * The limits across any number of processes: one script in Redis, which counts and decides in one
 * step on Redis's own clock. A refused request is not counted. Both keys of a subject share a hash
 * tag, so that a Redis cluster keeps them together.
 *
 *   {subject}:quota   the minute and how many it has seen
 *   {subject}:burst   when the last `perSecond` requests were accepted, newest first
 */
import { Redis } from 'ioredis';
import type { RateLimiter } from '../../kernel/rate.ts';

const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local minute = math.floor(time[1] / 60)
local reset = 60 - time[1] % 60
local perMinute, perSecond = tonumber(ARGV[1]), tonumber(ARGV[2])

local quota = redis.call('HMGET', KEYS[1], 'minute', 'used')
local used = tonumber(quota[1]) == minute and tonumber(quota[2]) or 0
if used >= perMinute then return { 0, 0, reset, reset } end

local edge = redis.call('LINDEX', KEYS[2], perSecond - 1)
if edge and now - tonumber(edge) < 1000000 then return { 0, perMinute - used, reset, 1 } end

redis.call('HSET', KEYS[1], 'minute', minute, 'used', used + 1)
redis.call('EXPIRE', KEYS[1], 120)
redis.call('LPUSH', KEYS[2], string.format('%.0f', now))
redis.call('LTRIM', KEYS[2], 0, perSecond - 1)
redis.call('PEXPIRE', KEYS[2], 2000)
return { 1, perMinute - used - 1, reset, 0 }
`;

const commandTimeoutMs = 150;
const reconnectAfterMs = 1_000;

type Reply = [allowed: number, remaining: number, resetSeconds: number, retryAfterSeconds: number];

type ScriptedRedis = Redis & {
  take(quotaKey: string, burstKey: string, perMinute: number, perSecond: number): Promise<Reply>;
};

/** `namespace` keeps the counters of environments that share a Redis apart (contract §9). */
export function createRedisLimiter(
  url: string,
  namespace: string,
  onError: (error: Error) => void,
): RateLimiter {
  const redis = new Redis(url, {
    // A request never waits for a Redis that is away: it fails at once, and the caller goes local.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 1_000,
    retryStrategy: () => reconnectAfterMs,
  }) as ScriptedRedis;
  redis.defineCommand('take', { numberOfKeys: 2, lua: script });
  redis.on('error', onError);

  return {
    close: async () => redis.disconnect(),
    take: async (subject, { perMinute, perSecond }) => {
      const [allowed, remaining, resetSeconds, retryAfterSeconds] = await redis.take(
        `limit:{${namespace}:${subject}}:quota`,
        `limit:{${namespace}:${subject}}:burst`,
        perMinute,
        perSecond,
      );
      return { isAllowed: allowed === 1, remaining, resetSeconds, retryAfterSeconds };
    },
  };
}

/**
 * The limits across any number of processes: one script in Redis, which counts and decides in one step on Redis's own
 * clock. A refused request is not counted. Requests of one turn of the event loop share a call of the script, which
 * decides them one after the other: under load, a call per request cost a fifth of a read's time. For one Redis (with
 * replicas if needed), not for cluster mode, where one script cannot use the keys of several rate keys.
 *
 *   rateKey:quota   the minute, and how many requests were accepted in it
 *   rateKey:burst   when the last `perSecond` requests were accepted, newest first
 */

import { Redis } from 'ioredis';
import type { RateLimiter, RatePolicy, RateVerdict } from '../../kernel/rate.ts';

const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local minute = math.floor(time[1] / 60)
local reset = 60 - time[1] % 60
local nowText = string.format('%.0f', now)

local function consume(quotaKey, burstKey, perMinute, perSecond)
  local quota = redis.call('HMGET', quotaKey, 'minute', 'used')
  local used = tonumber(quota[1]) == minute and tonumber(quota[2]) or 0
  if used >= perMinute then return { 0, 0, reset, reset } end

  local edge = redis.call('LINDEX', burstKey, perSecond - 1)
  if edge and now - tonumber(edge) < 1000000 then return { 0, perMinute - used, reset, 1 } end

  if used == 0 then
    redis.call('HSET', quotaKey, 'minute', minute, 'used', 1)
    redis.call('EXPIRE', quotaKey, 120)
  else
    redis.call('HINCRBY', quotaKey, 'used', 1)
  end
  if redis.call('LPUSH', burstKey, nowText) > perSecond then
    redis.call('LTRIM', burstKey, 0, perSecond - 1)
  end
  redis.call('PEXPIRE', burstKey, 2000)
  return { 1, perMinute - used - 1, reset, 0 }
end

local verdicts = {}
for i = 1, #KEYS, 2 do
  verdicts[#verdicts + 1] = consume(KEYS[i], KEYS[i + 1], tonumber(ARGV[i]), tonumber(ARGV[i + 1]))
end
return verdicts
`;

const usualAnswerTimeoutMs = 250;
const reconnectAfterMs = 1_000;

/** Redis runs nothing else while a script runs. */
const batchMax = 64;

type Reply = readonly [
  allowed: number,
  remaining: number,
  resetSeconds: number,
  retryAfterSeconds: number,
];

type ScriptedRedis = Redis & {
  consumeLimits(
    keysCount: number,
    ...keysAndArguments: readonly (string | number)[]
  ): Promise<Reply[]>;
};

type PendingConsume = {
  readonly rateKey: string;
  readonly policy: RatePolicy;
  readonly answer: (verdict: RateVerdict) => void;
  readonly fail: (error: unknown) => void;
};

const toVerdict = ([allowed, remaining, resetSeconds, retryAfterSeconds]: Reply): RateVerdict => ({
  isAllowed: allowed === 1,
  remaining,
  resetSeconds,
  retryAfterSeconds,
});

/**
 * If the event loop itself was late, the timer fires before an answer that has already arrived is read; so it reads once
 * more before it gives up.
 */
async function inTime<T>(answer: Promise<T>, answerTimeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new Error('Redis did not answer in time'));
  const timer = setTimeout(() => setImmediate(giveUp), answerTimeoutMs);
  // The one that loses the race must not count as unhandled.
  answer.catch(() => undefined);
  late.promise.catch(() => undefined);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** `namespace` keeps the counters of environments that share a Redis apart (contract §9). */
export function createRedisLimiter(
  url: string,
  namespace: string,
  onError: (error: Error) => void,
  answerTimeoutMs = usualAnswerTimeoutMs,
): RateLimiter {
  const redis = new Redis(url, {
    // Without a connection a request fails at once instead of waiting, and the caller counts locally.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    retryStrategy: () => reconnectAfterMs,
  }) as ScriptedRedis;
  redis.defineCommand('consumeLimits', { lua: script });
  redis.on('error', onError);

  const consumeBatch = async (batch: readonly PendingConsume[]): Promise<void> => {
    const keys = batch.flatMap(({ rateKey }) => [
      `limit:${namespace}:${rateKey}:quota`,
      `limit:${namespace}:${rateKey}:burst`,
    ]);
    const limits = batch.flatMap(({ policy }) => [policy.perMinute, policy.perSecond]);
    try {
      const answer = redis.consumeLimits(keys.length, ...keys, ...limits);
      const replies = await inTime(answer, answerTimeoutMs);
      replies.forEach((reply, i) => batch[i]?.answer(toVerdict(reply)));
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  };

  let waiting: PendingConsume[] = [];
  const consumeWaiting = (): void => {
    const pending = waiting;
    waiting = [];
    for (let i = 0; i < pending.length; i += batchMax) {
      void consumeBatch(pending.slice(i, i + batchMax));
    }
  };

  return {
    close: async () => redis.disconnect(),
    consume: (rateKey, policy) =>
      new Promise<RateVerdict>((answer, fail) => {
        if (waiting.push({ rateKey, policy, answer, fail }) === 1) setImmediate(consumeWaiting);
      }),
  };
}

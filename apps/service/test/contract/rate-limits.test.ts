/** Rate limits (spec §8, contract §1, §9), on a real Redis. One case per rule. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { until } from '../../../../scripts/servers/server.ts';
import { anonymousPolicy, ratePolicyOf } from '../../src/identity/domain/rate-policy.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { RateLimiter, RatePolicy } from '../../src/kernel/rate.ts';
import { createSharedLimiter } from '../../src/platform/cache/limiter.ts';
import { createLocalLimiter } from '../../src/platform/cache/local-limiter.ts';
import { createRedisLimiter } from '../../src/platform/cache/redis-limiter.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

const redisUrl = process.env['TONEARM_TEST_REDIS'] ?? '';
const ignore = () => undefined;

/** A burst is counted within one second and a quota within one minute: tests start early in both. */
const waitForFreshWindow = () =>
  until(
    'a second has just begun, and the minute is not about to end',
    () => Date.now() % 1_000 < 100 && Date.now() % 60_000 < 55_000,
  );

/** Requests of one rate key, all within one second: sent again when the machine stood still for longer. */
async function consumeWithinOneSecond(
  count: number,
  consume: (rateKey: string, i: number) => ReturnType<RateLimiter['consume']>,
) {
  for (;;) {
    await waitForFreshWindow();
    const rateKey = randomUUID();
    const startedAt = Date.now();
    const verdicts = await Promise.all(
      Array.from({ length: count }, (_, i) => consume(rateKey, i)),
    );
    if (Math.floor(Date.now() / 1_000) === Math.floor(startedAt / 1_000))
      return { rateKey, startedAt, verdicts };
  }
}

describe('contract §9: the policies', () => {
  const policies: readonly [tier: Parameters<typeof ratePolicyOf>[0], policy: RatePolicy][] = [
    ['starter', { perMinute: 300, perSecond: 15 }],
    ['growth', { perMinute: 1_200, perSecond: 50 }],
    ['enterprise', { perMinute: 6_000, perSecond: 150 }],
  ];
  for (const [tier, policy] of policies) {
    test(`${tier}: ${policy.perMinute}/min, ${policy.perSecond}/s; in the sandbox 12,000/min, 300/s`, () => {
      assert.deepEqual(ratePolicyOf(tier, 'live'), policy);
      assert.deepEqual(ratePolicyOf(tier, 'sandbox'), { perMinute: 12_000, perSecond: 300 });
    });
  }
  test('without a credential 60/min, 10/s per address', () => {
    assert.deepEqual(anonymousPolicy, { perMinute: 60, perSecond: 10 });
  });
});

/** A busy machine stands still for longer than the api waits for Redis. */
const openRedisLimiter = (namespace: string): RateLimiter =>
  createRedisLimiter(redisUrl, namespace, ignore, 60_000);

const limiters: readonly [name: string, open: () => RateLimiter][] = [
  ['Redis', () => openRedisLimiter('test')],
  ['one process', () => createLocalLimiter(systemClock)],
];
for (const [name, open] of limiters) {
  describe(`the limiter of ${name}`, () => {
    let limiter: RateLimiter;
    before(async () => {
      limiter = open();
      await until('it answers', () =>
        limiter.consume(randomUUID(), anonymousPolicy).then(
          () => true,
          () => false,
        ),
      );
    });
    after(() => limiter.close());

    test('the burst: exactly `perSecond` requests within a second, and more after it', async () => {
      const policy = { perMinute: 1_000, perSecond: 5 };
      const { rateKey, startedAt, verdicts } = await consumeWithinOneSecond(20, (key) =>
        limiter.consume(key, policy),
      );
      assert.equal(verdicts.filter(({ isAllowed }) => isAllowed).length, 5);
      for (const verdict of verdicts.filter(({ isAllowed }) => !isAllowed)) {
        assert.equal(verdict.retryAfterSeconds, 1);
        assert.equal(verdict.remaining, 995, 'a refused request is not counted');
      }
      await until(
        'one is allowed again',
        async () => (await limiter.consume(rateKey, policy)).isAllowed,
      );
      assert.ok(Date.now() - startedAt > 950, 'not before the second is over');
    });

    test('the quota: exactly `perMinute` requests within a clock minute, and no more until it ends', async () => {
      const rateKey = randomUUID();
      const policy = { perMinute: 7, perSecond: 100 };
      await waitForFreshWindow();
      const verdicts = [];
      for (let i = 0; i < 10; i++) verdicts.push(await limiter.consume(rateKey, policy));
      assert.deepEqual(
        verdicts.map(({ isAllowed }) => isAllowed),
        [...Array(7).fill(true), false, false, false],
      );
      assert.deepEqual(
        verdicts.map(({ remaining }) => remaining),
        [6, 5, 4, 3, 2, 1, 0, 0, 0, 0],
      );
      const { resetSeconds, retryAfterSeconds } = verdicts.at(-1)!;
      assert.equal(retryAfterSeconds, resetSeconds);
      assert.ok(resetSeconds >= 1 && resetSeconds <= 60);
    });

    test('each rate key is counted separately', async () => {
      const policy = { perMinute: 1, perSecond: 1 };
      const verdicts = await Promise.all(
        Array.from({ length: 10 }, () => limiter.consume(randomUUID(), policy)),
      );
      assert.ok(verdicts.every(({ isAllowed }) => isAllowed));
    });
  });
}

describe('across instances', () => {
  test('spec §8: sandbox requests do not count against live, on one Redis and with one organization id', async () => {
    const environments = ['live', 'sandbox'].map((name) => openRedisLimiter(name));
    const rateKey = randomUUID();
    const policy = { perMinute: 1, perSecond: 1 };
    for (const limiter of environments) {
      const ready = () =>
        limiter.consume(randomUUID(), policy).then(
          () => true,
          () => false,
        );
      await until('it answers', ready);
      assert.equal((await limiter.consume(rateKey, policy)).isAllowed, true);
    }
    await Promise.all(environments.map((limiter) => limiter.close()));
  });

  test('four limiters on one Redis together allow exactly the limit', async () => {
    const four = Array.from({ length: 4 }, () => openRedisLimiter('test'));
    const ready = (limiter: RateLimiter) =>
      limiter.consume(randomUUID(), anonymousPolicy).then(
        () => true,
        () => false,
      );
    for (const limiter of four) await until('it answers', () => ready(limiter));
    const policy = { perMinute: 60, perSecond: 25 };
    const { verdicts } = await consumeWithinOneSecond(200, (key, i) =>
      four[i % 4]!.consume(key, policy),
    );
    assert.equal(verdicts.filter(({ isAllowed }) => isAllowed).length, 25);
    await Promise.all(four.map((limiter) => limiter.close()));
  });

  test('without Redis each instance allows its share and nothing fails; afterwards Redis counts again', async () => {
    const proxy = await openBreakableProxy(Number(new URL(redisUrl).port));
    const clock = systemClock;
    const two = Array.from({ length: 2 }, () =>
      createSharedLimiter(
        createRedisLimiter(`redis://127.0.0.1:${proxy.port}`, 'test', ignore),
        clock,
        2,
      ),
    );
    const policy = { perMinute: 60, perSecond: 20 };
    proxy.breakConnections();
    const { rateKey, verdicts } = await consumeWithinOneSecond(100, (key, i) =>
      two[i % 2]!.consume(key, policy),
    );
    assert.equal(verdicts.filter(({ isAllowed }) => isAllowed).length, 20, 'two shares of 10');
    proxy.restore();
    const redis = new Redis(redisUrl);
    const key = `limit:test:${rateKey}:quota`;
    await until('Redis counts again', async () => {
      await two[0]!.consume(rateKey, policy);
      return (await redis.exists(key)) === 1;
    });
    redis.disconnect();
    await Promise.all(two.map((limiter) => limiter.close()));
    await proxy.close();
  });
});

describe('over HTTP', () => {
  let service: TestService;
  let label: OrgClient;
  const limiter = openRedisLimiter('test');
  before(async () => {
    service = await openTestService({ environment: 'live', limiter });
    label = await service.givenOrganization();
  });
  after(async () => {
    await service.close();
    await limiter.close();
  });

  test('spec §8: every response has the rate limit headers, successes included; contract §1: four of them', async () => {
    const replies = await Promise.all([
      label.call('GET', '/v1/releases'),
      label.call('POST', '/v1/releases', draft()),
      label.call('POST', '/v1/releases', {}),
      label.call('GET', '/v1/releases/rel_x'),
      label.call('GET', '/v1/releases/%ZZ'),
      service.request(undefined, 'GET', '/v1/releases'),
      service.request(undefined, 'GET', '/nowhere'),
      service.request(undefined, 'GET', '/healthz'),
      service.request(undefined, 'GET', '/openapi.json'),
    ]);
    for (const { status, headers } of replies) {
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
        assert.match(headers.get(name) ?? '', /^\d+$/, `${status} ${name}`);
      }
      assert.match(headers.get('ratelimit-policy') ?? '', /^\d+;w=60, \d+;w=1$/);
    }
    assert.equal(replies[0].headers.get('ratelimit-limit'), '1200');
    assert.equal(replies[5].headers.get('ratelimit-limit'), '60');
  });

  test('spec §8: more than the burst within a second is 429, though quota remains', async () => {
    const starter = await service.givenOrganization({ tier: 'starter' });
    await waitForFreshWindow();
    const startedAt = Date.now();
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => starter.call('GET', '/v1/releases')),
    );
    const seconds = Math.ceil((Date.now() - startedAt) / 1_000);
    const refused = replies.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0);
    assert.ok(replies.length - refused.length <= 15 * (seconds + 1), `within ${seconds} s`);
    for (const { json, headers } of refused) {
      assert.equal(json.error.code, 'rate_limit_exceeded');
      assert.equal(headers.get('retry-after'), '1');
      assert.ok(Number(headers.get('ratelimit-remaining')) > 0);
    }
  });

  test('wrong keys are counted by address and get 429 in the end; a valid key still works', async () => {
    // The test before used up the burst of `label`; on a slow machine that was less than a second ago.
    const other = await service.givenOrganization();
    await waitForFreshWindow();
    const guesses = await Promise.all(
      Array.from({ length: 80 }, () => service.request('ta_live_wrong', 'GET', '/v1/releases')),
    );
    assert.ok(guesses.some(({ status }) => status === 401));
    assert.ok(guesses.some(({ status }) => status === 429));
    assert.equal((await other.call('GET', '/v1/releases')).status, 200);
    assert.equal(
      (await service.request(undefined, 'GET', '/healthz')).status,
      200,
      'probes are not counted',
    );
  });
});

describe('without PostgreSQL', () => {
  test('contract §9: a request whose key cannot be looked up does not count as unauthenticated: 503, never 429', async (t) => {
    const proxy = await openBreakableProxy(
      Number(new URL(process.env['TONEARM_TEST_POSTGRES'] ?? '').port),
    );
    const limiter = createLocalLimiter(systemClock);
    const service = await openTestService({
      environment: 'live',
      limiter,
      databasePort: proxy.port,
    });
    t.after(async () => {
      await service.close();
      await proxy.close();
    });
    const label = await service.givenOrganization();
    proxy.breakConnections();
    // More than the 60 per minute and 10 per second that an address may send without a credential.
    const replies = await Promise.all(
      Array.from({ length: 80 }, () => label.call('GET', '/v1/releases')),
    );
    const counts = Object.groupBy(replies, ({ status }) => status);
    assert.deepEqual(
      Object.entries(counts).map(([status, group]) => [status, group?.length]),
      [['503', 80]],
    );
    for (const { headers } of replies) {
      assert.equal(headers.get('retry-after'), '2');
      assert.match(headers.get('ratelimit-limit') ?? '', /^\d+$/, 'contract §1: on every response');
    }

    const guesses = await Promise.all(
      Array.from({ length: 80 }, () => service.request('ta_live_wrong', 'GET', '/v1/releases')),
    );
    assert.ok(
      guesses.some(({ status }) => status === 429),
      'a wrong key is still counted by its address',
    );
    proxy.restore();
    await until(
      'the key is looked up again',
      async () => (await label.call('GET', '/v1/releases')).status === 200,
    );
  });
});

/** A TCP proxy in front of Redis or PostgreSQL that can refuse connections and accept them again. */
async function openBreakableProxy(targetPort: number) {
  const sockets = new Set<Socket>();
  const state = { isCut: false };
  const server = createServer((client) => {
    if (state.isCut) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: '127.0.0.1', port: targetPort });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', ignore);
    }
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    breakConnections: () => {
      state.isCut = true;
      drop();
    },
    restore: () => (state.isCut = false),
    close: async () => {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

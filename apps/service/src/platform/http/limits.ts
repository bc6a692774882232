/** Rate limits on the wire (spec §8, contract §1, §9): headers on every answer, 429 with Retry-After. */

import { Problem } from '../../kernel/problem.ts';
import type { RateLimiter, RatePolicy, RateVerdict } from '../../kernel/rate.ts';
import type { Caller } from './caller.ts';

export type RateLimits = {
  readonly limiter: RateLimiter;
  readonly anonymous: RatePolicy;
  /** Of documentation. */
  readonly pages: RatePolicy;
};

/** The limiter's verdict: headers for the answer, and the refusal if there is one. */
export type Judgement = {
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: Problem | undefined;
};

export async function judgeCaller({ limiter }: RateLimits, caller: Caller): Promise<Judgement> {
  const { orgId, ratePolicy, rateKey = orgId } = caller;
  return judge(limiter, rateKey, ratePolicy);
}

export async function judge(
  limiter: RateLimiter,
  rateKey: string,
  policy: RatePolicy,
): Promise<Judgement> {
  return judgement(policy, await limiter.consume(rateKey, policy));
}

/** A request without a valid credential is counted by its address. */
export async function judgeAnonymous(
  { limiter, anonymous }: RateLimits,
  address: string,
  counter = 'address',
): Promise<Judgement> {
  return judge(limiter, `${counter}:${address}`, anonymous);
}

/** Documentation has a counter of its own, so that a reader's requests to the API are not refused. */
export const judgePage = async (
  { limiter, pages }: RateLimits,
  address: string,
): Promise<Judgement> => judge(limiter, `page:${address}`, pages);

export const isPage = (url: string): boolean =>
  /^\/(?:docs|openapi\.json|llms(?:-full)?\.txt|favicon\.svg)(?:[/?]|$)/.test(url);

/** Probes are frequent, come from few addresses and reveal nothing, so they are not counted. */
export const isProbe = (url: string): boolean => url === '/healthz' || url === '/readyz';

export const uncounted = ({ anonymous }: RateLimits): Judgement =>
  judgement(anonymous, {
    isAllowed: true,
    remaining: anonymous.perMinute,
    resetSeconds: 60,
    retryAfterSeconds: 0,
  });

function judgement(policy: RatePolicy, verdict: RateVerdict): Judgement {
  const { isAllowed, remaining, resetSeconds, retryAfterSeconds } = verdict;
  return {
    headers: {
      'ratelimit-limit': String(policy.perMinute),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(resetSeconds),
      'ratelimit-policy': `${policy.perMinute};w=60, ${policy.perSecond};w=1`,
    },
    refusal: isAllowed
      ? undefined
      : new Problem('rate_limit_exceeded', `Too many requests. Retry in ${retryAfterSeconds} s.`, {
          headers: { 'retry-after': String(retryAfterSeconds) },
        }),
  };
}

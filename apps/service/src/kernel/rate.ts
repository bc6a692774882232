/** How many requests are allowed (spec §8, contract §9): a quota per clock minute and a burst per second. */
export type RatePolicy = { readonly perMinute: number; readonly perSecond: number };

export type RateVerdict = {
  readonly isAllowed: boolean;
  /** What is left of the minute's quota. */
  readonly remaining: number;
  /** Until the minute ends. */
  readonly resetSeconds: number;
  /** When to retry; 0 if the request is allowed. */
  readonly retryAfterSeconds: number;
};

/** `rateKey`: what requests are counted by, an organization, an inbox, an OAuth client or an address. */
export type RateLimiter = {
  readonly consume: (rateKey: string, policy: RatePolicy) => Promise<RateVerdict>;
  readonly close: () => Promise<void>;
};

/** How many requests are allowed (spec §8, contract §9): a quota per clock minute, a burst per second. */
export type RatePolicy = { readonly perMinute: number; readonly perSecond: number };

export type RateVerdict = {
  readonly isAllowed: boolean;
  /** What is left of the minute's quota. */
  readonly remaining: number;
  /** Until the minute ends. */
  readonly resetSeconds: number;
  /** When to come back; 0 when allowed. */
  readonly retryAfterSeconds: number;
};

/** `subject` is whoever is counted: an organization, or the address of somebody unknown. */
export type RateLimiter = {
  readonly consume: (subject: string, policy: RatePolicy) => Promise<RateVerdict>;
  readonly close: () => Promise<void>;
};

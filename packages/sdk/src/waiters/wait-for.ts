/** Waits for a resource to reach a state: woken by its events, and by polling where there are none. */

import { ApiError, ConnectionError, TonearmError } from '../core/errors.ts';
import type { RequestOptions } from '../core/request.ts';
import { sleep, untilAborted } from '../core/sleep.ts';
import type { Concerns, EventFeed, Subscription } from './event-feed.ts';

export type WaitOptions<T> = {
  /** How long to wait, in milliseconds. If you omit it, 10 minutes. */
  readonly timeoutMs?: number | undefined;
  /** Ends the waiting. It rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Gets the resource at first, and whenever it has changed. */
  readonly onProgress?: ((resource: T) => void) | undefined;
  /** What to wait for, instead of the end that the method describes. */
  readonly until?: ((resource: T) => boolean) | undefined;
};

/** The state was not reached in time. */
export class WaitTimeoutError<T = unknown> extends TonearmError {
  /** The resource as it was read last. `undefined`: it could not be read. */
  readonly last: T | undefined;

  constructor(message: string, last: T | undefined, cause: unknown) {
    super(message, { cause });
    this.last = last;
  }
}

export type Waiting<T> = {
  /** What is waited for, for the error. */
  readonly what: string;
  readonly read: (options: RequestOptions) => PromiseLike<T>;
  readonly isDone: (resource: T) => boolean;
  /** The events after which the resource has probably changed, if it has some. */
  readonly concerns?: Concerns | undefined;
};

const timeoutMsDefault = 600_000;
/** With the feed, polling is only for an event that got lost. */
const pollMsWithFeed = 15_000;
const firstPollMs = 400;
const pollMaxMs = 5_000;

export async function waitFor<T>(
  feed: EventFeed,
  waiting: Waiting<T>,
  options: WaitOptions<T>,
): Promise<T> {
  const { signal, timeoutMs = timeoutMsDefault } = options;
  const endsAt = Date.now() + timeoutMs;
  const isDone = options.until ?? waiting.isDone;
  const watch = new Watch(waiting, options.onProgress);
  const subscription = await subscribed(feed, waiting.concerns, signal);
  try {
    for (let round = 0; ; round++) {
      const resource = await watch.read(endsAt, signal);
      if (resource !== undefined && isDone(resource)) return resource;
      const leftMs = endsAt - Date.now();
      if (leftMs <= 0) throw watch.timeoutError(timeoutMs);
      if (subscription === undefined) await sleep(Math.min(leftMs, pollMs(round)), signal);
      else await subscription.wait(Math.min(leftMs, pollMsWithFeed), signal);
    }
  } finally {
    if (subscription !== undefined) feed.unsubscribe(subscription);
  }
}

const pollMs = (round: number): number => Math.min(pollMaxMs, firstPollMs * 1.4 ** round);

/** A feed that cannot be read is no reason to fail: the resource may be readable. */
async function subscribed(
  feed: EventFeed,
  concerns: Concerns | undefined,
  signal: AbortSignal | undefined,
): Promise<Subscription | undefined> {
  if (concerns === undefined) return undefined;
  const subscribing = feed.subscribe(concerns).catch(() => undefined);
  try {
    return await untilAborted(subscribing, signal);
  } catch (error) {
    // Nobody waits for it any more, and the feed would be read for ever.
    void subscribing.then((late) => late && feed.unsubscribe(late));
    throw error;
  }
}

/** The resource as it is read again and again. */
class Watch<T> {
  readonly #waiting: Waiting<T>;
  readonly #onProgress: ((resource: T) => void) | undefined;
  #last: T | undefined;
  #lastText: string | undefined;
  #failure: unknown;

  constructor(waiting: Waiting<T>, onProgress: ((resource: T) => void) | undefined) {
    this.#waiting = waiting;
    this.#onProgress = onProgress;
  }

  /** `undefined`: no answer this time. A service that is away for a minute does not end a wait of ten. */
  async read(endsAt: number, signal: AbortSignal | undefined): Promise<T | undefined> {
    try {
      const totalTimeoutMs = Math.max(1, endsAt - Date.now());
      this.#last = await this.#waiting.read({ signal, totalTimeoutMs });
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#failure = error;
      return undefined;
    }
    const text = JSON.stringify(this.#last);
    if (text !== this.#lastText) this.#onProgress?.(this.#last);
    this.#lastText = text;
    return this.#last;
  }

  timeoutError(timeoutMs: number): WaitTimeoutError<T> {
    return new WaitTimeoutError(
      `Gave up after ${timeoutMs / 1000} s: ${this.#waiting.what} has not happened.`,
      this.#last,
      this.#failure,
    );
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500));

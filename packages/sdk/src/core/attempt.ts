/** One attempt: it ends with an answer, a failure, or when its time is over. */

import { ConnectionError, TimeoutError, TonearmError } from './errors.ts';
import type { Fetch } from './settings.ts';

export type Attempt<T> = {
  readonly url: string;
  readonly init: RequestInit;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the body is read after the attempt: the signal still ends it then. */
  readonly isStreamed?: boolean;
  /** The number of the attempt, from 1, for errors. */
  readonly number: number;
  /** Reads what is needed of the answer, in the time of the attempt. */
  readonly read: (response: Response) => T | Promise<T>;
};

export async function makeAttempt<T>(attempt: Attempt<T>): Promise<T> {
  const { signal, timeoutMs, number } = attempt;
  signal?.throwIfAborted();
  // One controller and one timer for each attempt: AbortSignal.any and AbortSignal.timeout cost more.
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  try {
    return await attempt.read(
      await attempt.fetch(attempt.url, { ...attempt.init, signal: controller.signal }),
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (isLate) throw new TimeoutError(`No answer within ${timeoutMs} ms.`, number, error);
    if (error instanceof TonearmError) throw error;
    throw new ConnectionError(`No answer: ${reasonOf(error)}.`, number, error);
  } finally {
    clearTimeout(timer);
    if (!attempt.isStreamed) signal?.removeEventListener('abort', stop);
  }
}

/** `fetch` hides the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? (cause?.message ? cause.message : error.message);
}

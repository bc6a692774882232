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
  /** A sentence for errors of the connection: what to do about the address. */
  readonly addressHint?: string;
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
    // Without the path: that of an upload is signed.
    const { origin } = URL.parse(attempt.url) ?? { origin: 'the address' };
    const from = `No answer from ${origin}`;
    if (isLate) throw new TimeoutError(`${from} within ${timeoutMs} ms.`, number, error);
    if (error instanceof TonearmError) throw error;
    const sentences = [`${from}: ${reasonOf(error)}.`, attempt.addressHint];
    throw new ConnectionError(sentences.filter(Boolean).join(' '), number, error);
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

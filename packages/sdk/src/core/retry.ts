/** When an attempt is repeated, and after how long. */

import { ApiError, ConnectionError } from './errors.ts';

const firstBackoffMs = 500;
const backoffMaxMs = 8_000;
/** A service that asks for a longer wait gets no retry: a program should not hang for that long. */
const retryAfterMaxMs = 60_000;

/** Other refusals are final: the same request gets the same answer. */
export function isRetryable(error: ConnectionError | ApiError, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  const { status, code } = error;
  return status === 429 || code === 'idempotency_key_in_use' || (status >= 500 && isRepeatable);
}

/**
 * How long to wait before the retry with this number (from 1). Full jitter: clients that failed together do not come
 * back together. `undefined`: too long to wait.
 */
export function retryDelayMs(
  retry: number,
  error: unknown,
  random = Math.random,
): number | undefined {
  const backoffMs = random() * Math.min(backoffMaxMs, firstBackoffMs * 2 ** (retry - 1));
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
  if (retryAfter === undefined) return backoffMs;
  const askedMs = retryAfter * 1000;
  return askedMs > retryAfterMaxMs ? undefined : askedMs + random() * firstBackoffMs;
}

/** The seconds of a `Retry-After` header, which has seconds or a date (RFC 9110 §10.2.3). */
export function retryAfterOf(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - now) / 1000));
}

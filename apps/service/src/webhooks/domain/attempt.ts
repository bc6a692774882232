/** One event sent to one webhook: when it is retried, and when retries end (spec §6, contract §6). */

import { hourMs, minuteMs, secondMs } from '../../kernel/duration.ts';
import type { Id } from '../../kernel/ids.ts';

export type EventId = Id<'evt'>;
export type AttemptId = Id<'att'>;

export const webhookDeliveryStatuses = ['pending', 'delivered', 'undelivered'] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

export type AttemptOutcome = {
  /** Null: the receiver did not answer. */
  readonly statusCode: number | null;
  readonly failure: string | null;
  /** The first 4 KiB of the answer's body. */
  readonly response: string | null;
  readonly durationMs: number;
  /** From the receiver's Retry-After. */
  readonly retryAfterSeconds: number | null;
};

/** We could not make the request (no route, no name server …): it does not count as an attempt. */
export type Unsent = { readonly isUnsent: true };
export const unsent: Unsent = { isUnsent: true };
export const isUnsent = (result: AttemptOutcome | Unsent): result is Unsent => 'isUnsent' in result;

const slowAfterMs = 3 * secondMs;

/** ADR 0011: the sandbox's clock waits this long for an attempt, and for none of an endpoint that is slow. */
export const isSlow = (durationMs: number): boolean => durationMs > slowAfterMs;

const backoffMs = [5_000, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs] as const;
const jitter = 0.2;
const applyJitter = (ms: number, random: number): number =>
  Math.round(ms * (1 - jitter + 2 * jitter * random));

/** A redirect is a failure and never followed. */
export const isSuccessful = ({ statusCode }: AttemptOutcome): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/**
 * Milliseconds until the next attempt after `attempts`; undefined after the last. `random` in [0, 1) spreads
 * retries by ±20 %; a receiver's Retry-After replaces that, clamped to one to two times the base.
 */
export function backoff(
  attempts: number,
  { retryAfterSeconds }: AttemptOutcome,
  random: number,
): number | undefined {
  const baseMs = backoffMs[attempts - 1];
  if (baseMs === undefined) return undefined;
  if (retryAfterSeconds !== null) {
    return Math.min(Math.max(retryAfterSeconds * 1_000, baseMs), 2 * baseMs);
  }
  return applyJitter(baseMs, random);
}

const pauseMsMax = minuteMs;

/** Milliseconds that a dispatcher pauses after consecutive failures of ours: 1, 2, 4 … 60 s, ±20 %. */
export const pauseAfter = (ownFailures: number, random: number): number =>
  applyJitter(Math.min(secondMs * 2 ** (ownFailures - 1), pauseMsMax), random);

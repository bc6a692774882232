/** One event on its way to one endpoint: when it is tried again, and when no more (spec §6, contract §6). */

import { hourMs, minuteMs, secondMs } from '../../kernel/duration.ts';
import type { Id } from '../../kernel/ids.ts';

export type EventId = Id<'evt'>;
export type AttemptId = Id<'att'>;

export const webhookDeliveryStatuses = ['pending', 'delivered', 'undelivered'] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

/** What came of an attempt. */
export type AttemptOutcome = {
  /** Null: there was no answer. */
  readonly statusCode: number | null;
  readonly failure: string | null;
  /** The beginning of what was answered. */
  readonly response: string | null;
  readonly durationMs: number;
  /** As the receiver asked, in seconds. */
  readonly retryAfterSeconds: number | null;
};

/** The request could not be made, for reasons of ours: it is no attempt. */
export type Unsent = { readonly isUnsent: true };
export const unsent: Unsent = { isUnsent: true };
export const isUnsent = (result: AttemptOutcome | Unsent): result is Unsent => 'isUnsent' in result;

const backoffMs = [5_000, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs] as const;
const jitter = 0.2;
const applyJitter = (ms: number, random: number): number =>
  Math.round(ms * (1 - jitter + 2 * jitter * random));

/** A redirect is a failure and never followed. */
export const isSuccessful = ({ statusCode }: AttemptOutcome): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/**
 * How long after so many attempts the next is made; undefined when it was the last. `thrown` in [0, 1) spreads
 * retries by ±20 %; a receiver's Retry-After counts between once and twice the usual.
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

/** How long an endpoint's lane pauses after so many failures of ours one after the other: 1, 2, 4 … 60 s, ±20 %. */
export const pauseAfter = (ownFailures: number, random: number): number =>
  applyJitter(Math.min(secondMs * 2 ** (ownFailures - 1), pauseMsMax), random);

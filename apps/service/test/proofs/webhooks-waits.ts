/**
 * Judges how long after a failed attempt the next one was made, in business time.
 *
 * The planned wait (`next_retry_at`, from the end of the attempt) must lie within the bounds of contract §6 for every
 * retry, and no retry may end before its planned time. How much later it ends depends on the clock. A frozen clock does
 * not move during an attempt at an endpoint that answers, so the whole gap between two attempts must lie within the
 * bounds too. A running clock moves while a retry waits for a killed worker and while it is made, and it is frozen,
 * advanced and resumed during first attempts; a frozen clock does not wait for an endpoint that is silent. There a gap
 * may be longer than the bounds: by how much is counted and printed, not judged.
 */

import { isSlow } from '../../src/webhooks/domain/attempt.ts';
import { isSometimesSilent, waitAfter } from './webhooks-answer-plan.ts';
import type { JudgeContext } from './webhooks-judge.ts';
import type { Endpoint } from './webhooks-receivers.ts';
import type { Json, Partner } from './webhooks-scenario.ts';

export const noWaits = () => ({
  retries: 0,
  retries_while_held: 0,
  /** Attempts of more than 3 s: a frozen clock does not wait for their endpoint, so its gaps may be longer than the bounds. */
  slow_attempts_while_held: 0,
  retry_afters: 0,
  /** Shares of the wait without jitter; answers with `retry-after` are left out. */
  shortest_share: Infinity,
  longest_share: 0,
  /** Where the clock runs, or the endpoint is silent at times. */
  longer_than_bounds: 0,
  latest_ms: 0,
});
export type Waits = ReturnType<typeof noWaits>;

/** Waits are whole milliseconds. */
const roundingMs = 1;

export function judgeRetryWaits(
  { answerPlan, recordMismatch, waits }: JudgeContext,
  { isClockFrozen }: Partner,
  endpoint: Endpoint,
  reference: string,
  attempts: readonly Json[],
): void {
  const answers = answerPlan.answersOf(endpoint.index, reference);
  const isWaitedFor = isClockFrozen && !isSometimesSilent(endpoint.index);
  if (isWaitedFor) {
    waits.slow_attempts_while_held += attempts.filter((each) => isSlow(each.duration_ms)).length;
  }
  for (const [i, attempt] of attempts.slice(0, -1).entries()) {
    const answer = answers[i];
    if (answer === undefined) return;
    const name = `${endpoint.index}/${reference} after attempt ${i + 1}`;
    const { from, to, baseMs } = waitAfter(i + 1, answer);
    const endedAt = Date.parse(attempt.created_at);
    const dueAt = Date.parse(attempt.next_retry_at);
    const plannedMs = dueAt - endedAt;
    const gapMs = Date.parse(attempts[i + 1].created_at) - endedAt;
    const isWithin = (ms: number) => ms >= from - roundingMs && ms <= to + roundingMs;
    if (!isWithin(plannedMs)) recordMismatch('wrong_waits', `${name}: ${plannedMs} ms`);
    if (gapMs < plannedMs)
      recordMismatch('early_retries', `${name}: ${gapMs} ms, due after ${plannedMs}`);
    waits.retries++;
    if (answer.kind === 'limited') waits.retry_afters++;
    else {
      waits.shortest_share = Math.min(waits.shortest_share, plannedMs / baseMs);
      waits.longest_share = Math.max(waits.longest_share, plannedMs / baseMs);
    }
    if (isWaitedFor) {
      waits.retries_while_held++;
      if (!isWithin(gapMs)) recordMismatch('gaps_outside_while_held', `${name}: ${gapMs} ms`);
    } else {
      if (!isWithin(gapMs)) waits.longer_than_bounds++;
      waits.latest_ms = Math.max(waits.latest_ms, gapMs - plannedMs);
    }
  }
}

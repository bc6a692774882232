/**
 * Derives from the seed what each receiver answers to each attempt of each release. So the proof knows beforehand how
 * many attempts each pair needs, whichever processes are killed, and a repeated attempt gets the same answer.
 */

import { hash } from 'node:crypto';

export type Answer =
  | { readonly kind: 'good'; readonly status: 200 | 202 | 204 }
  | { readonly kind: 'error' | 'redirect' | 'slow' | 'reset' | 'silent' }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

export const attemptsMax = 6;

/** Pairs that never succeed, and single failures: together about a tenth of all answers. */
const neverSucceedsShare = 0.004;
const badShare = 0.078;
/** Few, because each lasts for the 30 s after which an attempt has failed. */
const silentShare = 1 / 1_000;

/** The first of the six endpoints of each partner. The sandbox clock does not wait for it while it is silent. */
export const isSometimesSilent = (endpoint: number): boolean => endpoint % 6 === 0;

/** Seconds below, within and above the range that the service honours, for each of the waits. */
const retryAfters = [0, 7, 60, 450, 2_400, 10_000, 30_000, 999_999];
const badKinds = ['error', 'redirect', 'slow', 'reset', 'limited'] as const;
const goodStatuses = [200, 200, 202, 204] as const;

export type AnswerPlan = {
  readonly answerOf: (endpoint: number, reference: string, attempt: number) => Answer;
  /** The answers to all attempts until the event is delivered or given up. */
  readonly answersOf: (endpoint: number, reference: string) => readonly Answer[];
};

export function createAnswerPlan(seed: number, hasSilent: boolean): AnswerPlan {
  const drawShare = (...parts: readonly (string | number)[]): number =>
    hash('sha256', [seed, ...parts].join('/'), 'buffer').readUInt32BE() / 2 ** 32;
  const pick = <T>(from: readonly T[], ...parts: readonly (string | number)[]): T =>
    from[Math.floor(drawShare(...parts) * from.length)]!;

  const answerOf: AnswerPlan['answerOf'] = (endpoint, reference, attempt) => {
    const pair = [endpoint, reference] as const;
    const maybeSilent = hasSilent && attempt === 1 && isSometimesSilent(endpoint);
    if (maybeSilent && drawShare('silent', ...pair) < silentShare) return { kind: 'silent' };
    const isBad =
      drawShare('hopeless', ...pair) < neverSucceedsShare ||
      drawShare('bad', ...pair, attempt) < badShare;
    // An event that was given up and is redelivered by request succeeds.
    if (!isBad || attempt > attemptsMax) {
      return { kind: 'good', status: pick(goodStatuses, 'good', ...pair, attempt) };
    }
    const kind = pick(badKinds, 'kind', ...pair, attempt);
    if (kind !== 'limited') return { kind };
    return { kind, retryAfterSeconds: pick(retryAfters, 'after', ...pair, attempt) };
  };
  return {
    answerOf,
    answersOf: (endpoint, reference) => {
      const answers: Answer[] = [];
      while (answers.length < attemptsMax && answers.at(-1)?.kind !== 'good') {
        answers.push(answerOf(endpoint, reference, answers.length + 1));
      }
      return answers;
    },
  };
}

/** The status code that the attempt must record; null if there was no answer. */
export function statusOf(answer: Answer): number | null {
  switch (answer.kind) {
    case 'good':
      return answer.status;
    case 'error':
      return 500;
    case 'redirect':
      return 302;
    case 'slow':
      return 503;
    case 'limited':
      return 429;
    default:
      return null;
  }
}

const minuteMs = 60_000;
const waitsMs = [5_000, 5 * minuteMs, 30 * minuteMs, 120 * minuteMs, 300 * minuteMs];

/** Contract §6: the bounds of the wait after this attempt, and the wait without jitter. */
export function waitAfter(attempt: number, answer: Answer) {
  const baseMs = waitsMs[attempt - 1]!;
  if (answer.kind !== 'limited') return { from: 0.8 * baseMs, to: 1.2 * baseMs, baseMs };
  const askedMs = Math.min(Math.max(answer.retryAfterSeconds * 1_000, baseMs), 2 * baseMs);
  return { from: askedMs, to: askedMs, baseMs };
}

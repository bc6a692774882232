/**
 * What receivers answer, thrown for each endpoint, release and attempt: so the proof knows beforehand how many
 * attempts each of them needs, whoever dies meanwhile, and a repeated attempt is answered as it was before.
 */

import { hash } from 'node:crypto';

export type Answer =
  | { readonly kind: 'good'; readonly status: 200 | 202 | 204 }
  | { readonly kind: 'error' | 'redirect' | 'slow' | 'reset' | 'silent' }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

export const attemptsMax = 6;

/** Together about a tenth of all answers: pairs that never succeed, and single failures. */
const neverSucceedsShare = 0.004;
const badShare = 0.078;
/** Each holds a lane for the 30 s after which an attempt has failed. */
const silentShare = 1 / 5_000;

/** Below, within and above what is honoured of it, for each of the waits. */
const retryAfters = [0, 7, 60, 450, 2_400, 10_000, 30_000, 999_999];
const badKinds = ['error', 'redirect', 'slow', 'reset', 'limited'] as const;
const goodStatuses = [200, 200, 202, 204] as const;

export type AnswerPlan = {
  readonly answerOf: (endpoint: number, reference: string, attempt: number) => Answer;
  /** All there are until it is delivered, or given up. */
  readonly answersOf: (endpoint: number, reference: string) => readonly Answer[];
};

export function createAnswerPlan(seed: number, hasSilent: boolean): AnswerPlan {
  const drawShare = (...parts: readonly (string | number)[]): number =>
    hash('sha256', [seed, ...parts].join('/'), 'buffer').readUInt32BE() / 2 ** 32;
  const pick = <T>(from: readonly T[], ...parts: readonly (string | number)[]): T =>
    from[Math.floor(drawShare(...parts) * from.length)]!;

  const answerOf: AnswerPlan['answerOf'] = (endpoint, reference, attempt) => {
    const pair = [endpoint, reference] as const;
    const isSilent = hasSilent && attempt === 1 && drawShare('silent', ...pair) < silentShare;
    if (isSilent) return { kind: 'silent' };
    const isBad =
      drawShare('hopeless', ...pair) < neverSucceedsShare ||
      drawShare('bad', ...pair, attempt) < badShare;
    // What is asked for by hand once it was given up arrives.
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

/** As an attempt must have it; null where there was no answer. */
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

/** Contract §6: how long after so many attempts the next is made, from and to, and the usual. */
export function waitAfter(attempt: number, answer: Answer) {
  const baseMs = waitsMs[attempt - 1]!;
  if (answer.kind !== 'limited') return { from: 0.8 * baseMs, to: 1.2 * baseMs, baseMs };
  const askedMs = Math.min(Math.max(answer.retryAfterSeconds * 1_000, baseMs), 2 * baseMs);
  return { from: askedMs, to: askedMs, baseMs };
}

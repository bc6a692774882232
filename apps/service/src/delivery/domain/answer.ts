/** A store's answer to a message. Connectors translate each store's protocol into it. */

import type { MessageId, Rejection } from './message.ts';

export type StoreAnswer = { readonly messageId: MessageId } & (
  | { readonly kind: 'accepted' }
  | { readonly kind: 'delivered'; readonly url: string | null }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'action_required'; readonly rejection: Rejection }
  | { readonly kind: 'removed' }
  | { readonly kind: 'removal_refused'; readonly rejection: Rejection }
);

export type AnswerKind = StoreAnswer['kind'];

type OmitEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An answer without the id of its message. */
export type AnswerContent = OmitEach<StoreAnswer, 'messageId'>;

/** Limits for text that stores send, in code points. */
const codeMax = 100;
const reasonMax = 2_000;
const urlMax = 2_000;

/** PostgreSQL does not store U+0000, and a lone surrogate is not valid text. */
const boundedText = (text: string, max: number): string =>
  Array.from(text.slice(0, 2 * max).replaceAll('\u0000', ''))
    .slice(0, max)
    .join('')
    .toWellFormed();

export const boundedRejection = ({ code, reason }: Rejection): Rejection => ({
  code: code === null ? null : boundedText(code, codeMax) || null,
  reason: boundedText(reason, reasonMax) || 'The store gave no reason.',
});

/** People click on it, so only http and https are stored. */
export const boundedUrl = (url: string | null): string | null =>
  url !== null && url.length <= urlMax && /^https?:\/\//.test(url)
    ? boundedText(url, urlMax)
    : null;

export function boundedAnswer(answer: StoreAnswer): StoreAnswer {
  if ('rejection' in answer) {
    const rejection = boundedRejection(answer.rejection);
    // Spec §3.2: a rejection has a code and a reason; a flag may have no code.
    return answer.kind === 'action_required'
      ? { ...answer, rejection }
      : { ...answer, rejection: { ...rejection, code: rejection.code ?? 'unspecified' } };
  }
  return 'url' in answer ? { ...answer, url: boundedUrl(answer.url) } : answer;
}

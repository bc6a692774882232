/** What a store says to a message of ours, in the words of the trade; connectors translate into them. */

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
/** What a store says, whatever it says it to. */
export type AnswerContent = OmitEach<StoreAnswer, 'messageId'>;

/** Stores write what they like; what is kept of it has its limits. */
const codeMax = 100;
const reasonMax = 2_000;
const urlMax = 2_000;

/** U+0000 is no text to PostgreSQL, and half a surrogate pair none to anybody. Lengths count code points. */
const boundedText = (text: string, max: number): string =>
  Array.from(text.slice(0, 2 * max).replaceAll('\u0000', ''))
    .slice(0, max)
    .join('')
    .toWellFormed();

export const boundedRejection = ({ code, reason }: Rejection): Rejection => ({
  code: code === null ? null : boundedText(code, codeMax) || null,
  reason: boundedText(reason, reasonMax) || 'The store gave no reason.',
});

/** Shown to people, who click on it: nothing but the web's own addresses. */
export const boundedUrl = (url: string | null): string | null =>
  url !== null && url.length <= urlMax && /^https?:\/\//.test(url)
    ? boundedText(url, urlMax)
    : null;

export function boundedAnswer(answer: StoreAnswer): StoreAnswer {
  if ('rejection' in answer) {
    const rejection = boundedRejection(answer.rejection);
    // Spec §3.2: a rejection has both; a flag need not have a code.
    return answer.kind === 'action_required'
      ? { ...answer, rejection }
      : { ...answer, rejection: { ...rejection, code: rejection.code ?? 'unspecified' } };
  }
  return 'url' in answer ? { ...answer, url: boundedUrl(answer.url) } : answer;
}

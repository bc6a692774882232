/** What a store says about a release. Connectors translate each store's protocol into it. */

import { type MessageId, type Rejection, unspecifiedCode } from './message.ts';

/** As stores send it: of any length, perhaps without a code. */
export type ReceivedRejection = { readonly code: string | null; readonly reason: string };

/** An answer without the message or the release that it is about. */
export type AnswerContent<Reason = Rejection> =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'delivered'; readonly url: string | null }
  | { readonly kind: 'rejected'; readonly rejection: Reason }
  | { readonly kind: 'action_required'; readonly rejection: Reason }
  | { readonly kind: 'removed' }
  | { readonly kind: 'removal_refused'; readonly rejection: Reason };

export type AnswerKind = AnswerContent['kind'];

/** `messageId` is null if the store named only the release. */
export type StoreAnswer = { readonly messageId: MessageId | null } & AnswerContent;

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

const boundedRejection = ({ code, reason }: ReceivedRejection): Rejection => ({
  code: boundedText(code ?? '', codeMax) || unspecifiedCode,
  reason: boundedText(reason, reasonMax) || 'The store gave no reason.',
});

/** People click on it, so only http and https are stored. */
export const boundedUrl = (url: string | null): string | null =>
  url !== null && url.length <= urlMax && /^https?:\/\//.test(url)
    ? boundedText(url, urlMax)
    : null;

export function boundedAnswer(answer: AnswerContent<ReceivedRejection>): AnswerContent {
  switch (answer.kind) {
    case 'acknowledged':
    case 'removed':
      return { kind: answer.kind };
    case 'delivered':
      return { kind: answer.kind, url: boundedUrl(answer.url) };
    default:
      return { kind: answer.kind, rejection: boundedRejection(answer.rejection) };
  }
}

/** The answers that have arrived are applied in lanes; the last byte of a delivery's id, modulo `lanes`, is its lane. */
export type AnswerLane = { readonly index: number; readonly lanes: number };

/**
 * The inbox: a webhook receiver in the sandbox, for partners who have no public address. It keeps the messages it
 * receives, and gives the answer that the partner set: for a number of times, or until the partner changes it.
 */

import type { Id } from '../../kernel/ids.ts';

export const messagesKeptMax = 1_000;
export const timesMax = 1_000;
/** Longer than the 30 s after which an attempt times out (contract §6). */
export const delaySecondsMax = 35;
export const retryAfterSecondsMax = 86_400;

export type InboxAnswer = {
  readonly status: number;
  /** How many more requests get this answer; null: until the partner changes it. */
  readonly times: number | null;
  readonly delaySeconds: number;
  readonly retryAfterSeconds: number | null;
};

export const usualAnswer: InboxAnswer = {
  status: 200,
  times: null,
  delaySeconds: 0,
  retryAfterSeconds: null,
};

export type Inbox = { readonly sealedToken: Buffer; readonly answer: InboxAnswer };

export type InboxMessage = {
  readonly id: Id<'inb'>;
  readonly receivedAt: Date;
  /** The status that the inbox answered. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly bodySha256: Buffer;
};

/** Whether the sender of a webhook counts it as delivered (contract §6). */
export const isReceived = (status: number): boolean => status < 300;

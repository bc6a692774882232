/**
 * The inbox: a webhook receiver of the sandbox's own, for partners who have no public address. It keeps
 * what it is sent, and answers as it was told: so many times, or until it is told something else.
 */

import type { Id } from '../../kernel/ids.ts';

export const messagesKeptMax = 1_000;
export const timesMax = 1_000;
/** Longer than the 30 s a webhook waits (contract §6). */
export const delaySecondsMax = 35;
export const retryAfterSecondsMax = 86_400;

export type InboxAnswer = {
  readonly status: number;
  /** How many requests more are answered so; null: until it is told something else. */
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
  /** What was answered. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly bodySha256: Buffer;
};

/** Whether the sender of a webhook takes it for received (contract §6). */
export const isReceived = (status: number): boolean => status < 300;

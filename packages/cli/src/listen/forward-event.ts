/** Sends one event to a receiver on this machine, and again if that fails. */

import { setTimeout as wait } from 'node:timers/promises';
import { type SignedEvent, signedHeaders } from './sign-event.ts';

/** As the service: an attempt ends after 30 s. The waits are shorter, because a developer looks at them. */
const attemptTimeoutMs = 30_000;
const waitsMs = [1_000, 3_000, 9_000];
export const attemptsMax = waitsMs.length + 1;

export type Attempt = {
  readonly number: number;
  /** Undefined: no answer. */
  readonly status: number | undefined;
  readonly failure: string | undefined;
  readonly durationMs: number;
  readonly isLast: boolean;
};

export type Forwarding = {
  readonly url: string;
  readonly secret: string;
  readonly signal: AbortSignal;
  readonly onAttempt: (attempt: Attempt) => void;
};

/** A receiver that does not run, and one that hangs, in the words of a developer. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer in ${attemptTimeoutMs / 1_000} s`;
  const cause = error.cause as
    | { readonly code?: string; readonly errors?: { code?: string }[] }
    | undefined;
  return cause?.code ?? cause?.errors?.[0]?.code ?? error.message;
}

async function attempt(event: SignedEvent, body: string, { url, secret, signal }: Forwarding) {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: signedHeaders(event, body, secret, new Date()),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]),
    });
    await answer.body?.cancel();
    return { status: answer.status, failure: undefined };
  } catch (error) {
    signal.throwIfAborted();
    return { status: undefined, failure: reasonOf(error) };
  }
}

const hasSucceeded = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300;

/** Returns whether the receiver took the event. */
export async function forwardEvent(event: SignedEvent, forwarding: Forwarding): Promise<boolean> {
  // Every attempt sends the same bytes.
  const body = JSON.stringify(event);
  for (let number = 1; ; number++) {
    const begun = performance.now();
    const { status, failure } = await attempt(event, body, forwarding);
    const isLast = number === attemptsMax || hasSucceeded(status);
    forwarding.onAttempt({
      number,
      status,
      failure,
      durationMs: Math.round(performance.now() - begun),
      isLast,
    });
    if (isLast) return hasSucceeded(status);
    await wait(waitsMs[number - 1], undefined, { signal: forwarding.signal });
  }
}

/** `localhost:3000/hooks` is http. */
export function parseReceiver(text: string): URL | undefined {
  const address = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  return URL.canParse(address) ? new URL(address) : undefined;
}

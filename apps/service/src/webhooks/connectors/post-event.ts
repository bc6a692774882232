/** Sends to receivers that partners run. Every reaction of a receiver is an outcome, never an error. */

import type { OrgId } from '../../kernel/ids.ts';
import type { Outbound } from '../../platform/outbound/post.ts';
import { type AttemptOutcome, type Unsent, unsent } from '../domain/attempt.ts';

export type PostEvent = (
  to: { readonly orgId: OrgId; readonly url: string },
  message: {
    /** Called when the request is sent, which may be later than `post`: they contain that time. */
    readonly headers: () => Readonly<Record<string, string>>;
    readonly body: Buffer;
  },
  signal?: AbortSignal,
) => Promise<AttemptOutcome | Unsent>;

export function postEventThrough(outbound: Outbound, timeoutMs: number): PostEvent {
  return async ({ orgId, url }, message, signal) => {
    const limits = { organization: orgId, timeoutMs, signal };
    const result = await outbound.post(url, message, limits);
    if (result.kind === 'unsent') return unsent;
    const durationMs = Math.round(result.durationMs);
    return result.kind === 'answered'
      ? {
          statusCode: result.status,
          failure: null,
          response: result.bodyExcerpt,
          durationMs,
          retryAfterSeconds: retryAfterSecondsOf(result),
        }
      : {
          statusCode: null,
          failure: result.text,
          response: null,
          durationMs,
          retryAfterSeconds: null,
        };
  };
}

type Answered = Extract<Awaited<ReturnType<Outbound['post']>>, { readonly kind: 'answered' }>;

/** Retry-After is a number of seconds, or a date. The receiver's Date header is subtracted from it, not our clock. */
function retryAfterSecondsOf({ retryAfter, date }: Answered): number | null {
  if (retryAfter === undefined) return null;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const waitMs = Date.parse(retryAfter) - Date.parse(date ?? '');
  return Number.isNaN(waitMs) ? null : Math.max(0, Math.ceil(waitMs / 1_000));
}

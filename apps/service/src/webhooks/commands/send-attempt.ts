import type { Clock } from '../../kernel/clock.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { webhookAttempts } from '../../platform/telemetry/instruments.ts';
import type { PostEvent } from '../connectors/post-event.ts';
import { signedHeaders } from '../connectors/sign.ts';
import { type AttemptOutcome, isSuccessful, isUnsent, type Unsent } from '../domain/attempt.ts';
import type { Attempt } from './make-attempts.ts';

export type SendDeps = { readonly post: PostEvent; readonly clock: Clock };

/** `onSent` is called when the request leaves, which may be later than the call. */
export async function sendAttempt(
  { post, clock }: SendDeps,
  orgId: OrgId,
  { url, payload, secrets }: Attempt,
  signal: AbortSignal | undefined,
  onSent: () => void,
): Promise<AttemptOutcome | Unsent> {
  const headers = () => {
    onSent();
    return signedHeaders(payload, secrets, clock.now());
  };
  const outcome = await post({ orgId, url }, { headers, body: payload.body }, signal);
  if (isUnsent(outcome)) return outcome;
  webhookAttempts().add(1, { outcome: isSuccessful(outcome) ? 'succeeded' : 'failed' });
  return outcome;
}

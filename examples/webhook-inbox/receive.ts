/** What every receiver does with a request, whatever the framework: verify, store, answer, and process afterwards. */

import { Tonearm, WebhookVerificationError } from '@tonearm/sdk';
import type { Inbox } from './inbox.ts';

/** More than any event has. The frameworks refuse longer bodies before they reach `receive`. */
export const bodyBytesMax = 10_000_000;

const { webhooks } = new Tonearm();

/** The secrets of TONEARM_WEBHOOK_SECRETS, separated by commas: two while you rotate. */
export function readSecrets(): readonly string[] {
  const secrets = (process.env['TONEARM_WEBHOOK_SECRETS'] ?? '').split(',').filter(Boolean);
  if (secrets.length === 0) throw new Error('TONEARM_WEBHOOK_SECRETS is missing');
  return secrets;
}

/** Returns the status to answer with. `body` is the raw body: JSON that is parsed and written again may differ. */
export async function receive(
  inbox: Inbox,
  secrets: readonly string[],
  body: Uint8Array,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
): Promise<200 | 401> {
  try {
    const event = await webhooks.verify(body, headers, secrets);
    if (event.type !== 'ping' && inbox.store(event)) setImmediate(inbox.drain);
    return 200;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 401;
    // Anything else is our own failure: a 500 makes Tonearm try again later.
    throw error;
  }
}

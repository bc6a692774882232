/** Signs an event as the service signs webhooks, so that a receiver cannot tell the difference: both schemes. */

import { createHmac, randomBytes } from 'node:crypto';

const secretPrefix = 'whsec_';
const secretBytes = 32;

export const newSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64');

export type SignedEvent = { readonly id: string; readonly type: string };

/** `now` is real time: a receiver refuses a timestamp that is more than 5 minutes off. */
export function signedHeaders(
  event: SignedEvent,
  body: string,
  secret: string,
  now: Date,
): Record<string, string> {
  const seconds = Math.floor(now.getTime() / 1_000);
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${event.id}.${seconds}.${body}`)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
    'x-svc-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'x-svc-event': event.type,
    // The service has no attempt of this id: support cannot look it up.
    'x-svc-delivery': `att_local_${randomBytes(8).toString('hex')}`,
  };
}

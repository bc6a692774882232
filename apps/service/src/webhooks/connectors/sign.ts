/**
 * Signatures (spec §5.2, contract §6): `X-SVC-Signature` over the exact bytes, and the Standard Webhooks trio, which
 * also covers the event id and the time, against replays. After a rotation, until the grace period ends,
 * `X-SVC-Signature` uses the old secret, and the trio carries the signatures of both.
 */

import { createHmac, createSecretKey } from 'node:crypto';
import type { AttemptId, EventId } from '../domain/attempt.ts';
import { base64FromSecret } from '../domain/webhook.ts';

export type SigningSecrets = {
  readonly current: string;
  /** During the grace period after a rotation. */
  readonly old: string | undefined;
};

export type SignedPayload = {
  readonly eventId: EventId;
  readonly type: string;
  readonly attemptId: AttemptId;
  readonly body: Buffer;
};

/** A key object: with a buffer as its key, Node throws and catches two errors in each call. */
const hmac = (key: Buffer) => createHmac('sha256', createSecretKey(key));

const signBody = (secret: string, body: Buffer): string =>
  `sha256=${hmac(Buffer.from(secret)).update(body).digest('hex')}`;

function signStandardWebhook(
  secret: string,
  { eventId, body }: SignedPayload,
  seconds: number,
): string {
  const key = Buffer.from(base64FromSecret(secret), 'base64');
  const digest = hmac(key).update(`${eventId}.${seconds}.`).update(body);
  return `v1,${digest.digest('base64')}`;
}

export function signedHeaders(
  payload: SignedPayload,
  { current, old }: SigningSecrets,
  realNow: Date,
) {
  const seconds = Math.floor(realNow.getTime() / 1_000);
  const secrets = old === undefined ? [current] : [current, old];
  return {
    'content-type': 'application/json',
    'x-svc-event': payload.type,
    'x-svc-delivery': payload.attemptId,
    'x-svc-signature': signBody(old ?? current, payload.body),
    'webhook-id': payload.eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets
      .map((secret) => signStandardWebhook(secret, payload, seconds))
      .join(' '),
  };
}

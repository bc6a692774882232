/**
 * Signatures (spec §5.2, contract §6): `X-SVC-Signature` over the exact bytes, and the Standard Webhooks trio, which
 * also says which event and when, against replays. After a rotation the first stays with the old secret until the
 * grace ends, and the trio carries both.
 */
import { createHmac } from 'node:crypto';
import type { AttemptId, EventId } from '../domain/attempt.ts';
import { keyPartOf } from '../domain/webhook.ts';

export type Secrets = {
  readonly current: string;
  /** While it is still accepted. */
  readonly old: string | undefined;
};

export type Letter = {
  readonly eventId: EventId;
  readonly type: string;
  readonly attemptId: AttemptId;
  readonly body: Buffer;
};

const usual = (secret: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function standard(secret: string, { eventId, body }: Letter, seconds: number): string {
  const key = Buffer.from(keyPartOf(secret), 'base64');
  const digest = createHmac('sha256', key).update(`${eventId}.${seconds}.`).update(body);
  return `v1,${digest.digest('base64')}`;
}

export function headersOf(letter: Letter, { current, old }: Secrets, realNow: Date) {
  const seconds = Math.floor(realNow.getTime() / 1_000);
  const secrets = old === undefined ? [current] : [current, old];
  return {
    'content-type': 'application/json',
    'x-svc-event': letter.type,
    'x-svc-delivery': letter.attemptId,
    'x-svc-signature': usual(old ?? current, letter.body),
    'webhook-id': letter.eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => standard(secret, letter, seconds)).join(' '),
  };
}

/** The inbox on the wire. */

import { isUtf8 } from 'node:buffer';
import { type Static, Type } from 'typebox';
import {
  closed,
  IdOf,
  Nullable,
  PageOf,
  pageQuery,
  Timestamp,
} from '../../platform/http/schema.ts';
import {
  type InboxAnswer,
  type InboxMessage,
  retryAfterSecondsMax,
  timesMax,
  usualAnswer,
} from '../domain/inbox.ts';

export const inboxPath = '/v1/sandbox/inbox';

const status = Type.Integer({ minimum: 200, maximum: 599, examples: [503] });
const times = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: timesMax,
    description:
      'How many requests get this answer; then 200 again. null: all of them, until you change it.',
  }),
);

/** 0s to 35s. */
const delay = Type.String({ pattern: '^([0-2]?[0-9]|3[0-5])s$', examples: ['31s'] });
const retryAfter = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: retryAfterSecondsMax,
    description: 'Seconds, sent as Retry-After.',
  }),
);

export const TellInboxBody = Type.Object(
  {
    status,
    times: Type.Optional(times),
    delay: Type.Optional(delay),
    retry_after: Type.Optional(retryAfter),
  },
  { ...closed, title: 'TellInbox', 'x-read-only': ['url'] },
);

const url = Type.String({ description: 'The URL of the inbox. It accepts any POST.' });
const Answer = Type.Object(
  { status, times, delay, retry_after: retryAfter },
  { ...closed, title: 'InboxAnswer', description: 'How it answers the next request.' },
);

export const InboxBody = Type.Object({ url, answer: Answer }, { ...closed, title: 'Inbox' });

const MessageBody = Type.Object(
  {
    id: IdOf('inb'),
    received_at: Timestamp('Real time, not the time of the sandbox clock.'),
    status: Type.Integer({ description: 'The status that the inbox answered.' }),
    event_id: Nullable(Type.String({ description: 'The header webhook-id.' })),
    event_type: Nullable(Type.String({ description: 'The header X-SVC-Event.' })),
    headers: Type.Record(Type.String(), Type.String(), {
      description:
        'By lower-case name: at most 64 headers and 8 KiB, without credentials and cookies.',
    }),
    body: Nullable(
      Type.String({
        description: 'The exact text. Its UTF-8 bytes are the bytes that were signed.',
      }),
    ),
    body_base64: Nullable(Type.String({ description: 'The body, if it is not valid UTF-8.' })),
    body_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { ...closed, title: 'InboxMessage' },
);

export const InboxListQuery = Type.Object(pageQuery, closed);

export const InboxPage = Type.Object(
  { url, answer: Answer, ...PageOf('InboxMessagePage', MessageBody).properties },
  { title: 'InboxPage' },
);

export const Acknowledgement = Type.Object(
  { received: Type.Boolean() },
  { ...closed, title: 'InboxAcknowledgement' },
);

export const toAnswer = (body: Static<typeof TellInboxBody>): InboxAnswer => ({
  status: body.status,
  times: body.times ?? usualAnswer.times,
  delaySeconds: body.delay === undefined ? usualAnswer.delaySeconds : Number.parseInt(body.delay),
  retryAfterSeconds: body.retry_after ?? usualAnswer.retryAfterSeconds,
});

export const presentAnswer = (answer: InboxAnswer) => ({
  status: answer.status,
  times: answer.times,
  delay: `${answer.delaySeconds}s`,
  retry_after: answer.retryAfterSeconds,
});

export function presentMessage(message: InboxMessage) {
  const { headers, body } = message;
  const isText = isUtf8(body);
  return {
    id: message.id,
    received_at: message.receivedAt.toISOString(),
    status: message.status,
    event_id: headers['webhook-id'] ?? null,
    event_type: headers['x-svc-event'] ?? null,
    headers,
    body: isText ? body.toString() : null,
    body_base64: isText ? null : body.toString('base64'),
    body_sha256: message.bodySha256.toString('hex'),
  };
}

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
  patterned,
} from '../../platform/http/schema.ts';
import {
  type InboxAnswer,
  type InboxMessage,
  retryAfterSecondsMax,
  timesMax,
  usualAnswer,
} from '../domain/inbox.ts';

export const inboxPath = '/v1/sandbox/inbox';

const status = Type.Integer({
  minimum: 200,
  maximum: 599,
  description: 'The HTTP status that the inbox answers, from 200 to 599.',
  examples: [503],
});
const times = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: timesMax,
    description:
      'How many requests get this answer, before the inbox answers 200 again. `null`: all of them, until you change it.',
  }),
);

/** 0s to 35s. */
const delay = Type.String({
  ...patterned('^([0-2]?[0-9]|3[0-5])s$', 'a duration from "0s" to "35s"'),
  description:
    'How long the inbox waits before it answers, in seconds: from `0s` (the default) to `35s`. An attempt without an answer fails after 30 seconds.',
  examples: ['31s'],
});
const retryAfter = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: retryAfterSecondsMax,
    description:
      'The number of seconds in the header `Retry-After` of the answer. `null`: the header is not sent.',
  }),
);

export const TellInboxBody = Type.Object(
  {
    status,
    times: Type.Optional(times),
    delay: Type.Optional(delay),
    retry_after: Type.Optional(retryAfter),
  },
  { ...closed, title: 'SetInboxAnswer', 'x-read-only': ['url'] },
);

const url = Type.String({
  description: 'The URL of the inbox. It accepts any POST. Register it as a webhook.',
});
const Answer = Type.Object(
  { status, times, delay, retry_after: retryAfter },
  { ...closed, title: 'InboxAnswer', description: 'How the inbox answers the next request.' },
);

export const InboxBody = Type.Object({ url, answer: Answer }, { ...closed, title: 'Inbox' });

const MessageBody = Type.Object(
  {
    id: IdOf('inb'),
    received_at: Timestamp(
      'When the message arrived, in real time, not the time of the sandbox clock.',
    ),
    status: Type.Integer({ description: 'The status that the inbox answered.' }),
    event_id: Nullable(Type.String({ description: 'The value of the header `webhook-id`.' })),
    event_type: Nullable(Type.String({ description: 'The value of the header `X-SVC-Event`.' })),
    headers: Type.Record(Type.String(), Type.String(), {
      description:
        'The headers by lowercase name: at most 64 headers and 8 KiB, without credentials and cookies.',
    }),
    body: Nullable(
      Type.String({
        description: 'The exact text of the body. Its UTF-8 bytes are the bytes that were signed.',
      }),
    ),
    body_base64: Nullable(
      Type.String({ description: 'The body in base64, if it is not valid UTF-8.' }),
    ),
    body_sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'The SHA-256 digest of the body: 64 lowercase hexadecimal digits.',
    }),
  },
  { ...closed, title: 'InboxMessage' },
);

export const InboxListQuery = Type.Object(pageQuery, closed);

export const InboxPage = Type.Object(
  { url, answer: Answer, ...PageOf('InboxMessagePage', MessageBody).properties },
  { title: 'InboxPage' },
);

export const Acknowledgement = Type.Object(
  {
    received: Type.Boolean({
      description:
        '`true`: the status is below 300, so the sender counts the message as delivered.',
    }),
  },
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

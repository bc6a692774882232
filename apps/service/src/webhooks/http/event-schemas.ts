/** Events on the wire (contract §2, §4). */

import { Type } from 'typebox';
import {
  closed,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Reference,
  Timestamp,
} from '../../platform/http/schema.ts';
import { webhookDeliveryStatuses } from '../domain/attempt.ts';

const sequenceMax = Number.MAX_SAFE_INTEGER;

const EventWebhook = Type.Object(
  {
    webhook_id: IdOf('wh'),
    delivery_status: OneOf(webhookDeliveryStatuses),
    attempts: Type.Integer({
      description: 'How many requests were made to this webhook, redeliveries included.',
    }),
    next_attempt_at: Nullable(Timestamp('When the next is due.')),
  },
  { title: 'EventWebhook', ...closed },
);

const fields = {
  id: IdOf('evt'),
  type: Type.String({ examples: ['release.created'] }),
  created_at: Timestamp('When it happened.'),
  api_version: Type.Literal('v1'),
  environment: Type.Union([Type.Literal('live'), Type.Literal('sandbox')]),
  sequence: Type.Integer({ description: 'Per organization, without gaps; 0 for a ping.' }),
  data: Type.Object({}, { additionalProperties: true, description: 'By type: /v1/event_types.' }),
};

const EventBody = Type.Object(
  {
    ...fields,
    webhooks: Type.Array(EventWebhook, {
      description:
        'The webhooks that this event is sent to, without deleted ones. Empty: none was subscribed to its type, or all were deleted.',
    }),
  },
  { title: 'Event', ...closed },
);

export const EventPage = PageOf('EventPage', EventBody);

const AttemptBody = Type.Object(
  {
    id: IdOf('att'),
    webhook_id: IdOf('wh'),
    number: Type.Integer({
      description:
        'Counts the attempts of this event at this webhook, from 1, redeliveries included.',
    }),
    redelivery: Type.Boolean({
      description:
        'false: sent because the event happened, or a retry of that. true: sent because you requested a redelivery, or a retry of that.',
    }),
    status_code: Nullable(Type.Integer({ description: 'null: the receiver did not answer.' })),
    failure: Nullable(Type.String({ description: 'Why there is no status code.' })),
    response: Nullable(Type.String({ description: 'The first 4 KiB of the body of the answer.' })),
    duration_ms: Type.Integer(),
    next_retry_at: Nullable(Timestamp('When the next attempt is due.')),
    created_at: Timestamp('When the attempt ended.'),
  },
  { title: 'WebhookAttempt', ...closed },
);

export const EventWithAttempts = Type.Object(
  {
    ...fields,
    webhooks: Type.Array(EventWebhook, {
      description: 'The webhooks that this event is sent to, also deleted ones.',
    }),
    attempts: Type.Array(AttemptBody, {
      description: 'Every attempt, oldest first; the last 1,000 if there are more.',
    }),
  },
  { title: 'EventWithAttempts', ...closed },
);

/** `types`: of the events that are stored. */
export const eventListQuery = (types: readonly string[]) =>
  Type.Object(
    {
      delivery_status: Type.Optional(
        OneOf(webhookDeliveryStatuses, {
          description:
            '`pending`: an attempt is due. `delivered`: every subscribed webhook answered 2xx. `undelivered`: retries are exhausted for at least one, or it is disabled.',
        }),
      ),
      type: Type.Optional(OneOf(types)),
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: sequenceMax,
          description: 'Only events with a greater sequence, oldest first. Use it to catch up.',
        }),
      ),
      ...pageQuery,
    },
    { additionalProperties: false },
  );

export const EventPath = Type.Object({ event_id: IdOf('evt') });

export const RedeliverBody = Type.Object(
  {
    webhook_id: Type.Optional(
      Reference(
        'wh',
        'Only to this webhook. When omitted: to every webhook that the event was sent to before.',
      ),
    ),
  },
  { ...closed, title: 'RedeliverEvent' },
);

/** Events on the wire (contract §2, §4). */

import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { environments } from '../../kernel/environment.ts';
import type { SentEventType } from '../../kernel/event-type.ts';
import { exampleIds, exampleTime } from '../../kernel/example-story.ts';
import { described, EventTypeName } from '../../platform/http/named-enums.ts';
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

export const EventWebhook = Type.Object(
  {
    webhook_id: IdOf('wh'),
    delivery_status: OneOf(webhookDeliveryStatuses, {
      description:
        '`pending`: an attempt is due. `delivered`: the webhook answered 2xx. `undelivered`: its retries are exhausted, or it is disabled.',
    }),
    attempts: Type.Integer({
      description: 'How many requests were made to this webhook, redeliveries included.',
    }),
    next_attempt_at: Nullable(Timestamp('When the next attempt is due. `null`: none is due.')),
  },
  { title: 'EventWebhook', ...closed },
);

export const AttemptBody = Type.Object(
  {
    id: IdOf('att'),
    webhook_id: IdOf('wh'),
    number: Type.Integer({
      description:
        'Counts the attempts of this event at this webhook, from 1, redeliveries included.',
    }),
    redelivery: Type.Boolean({
      description:
        '`false`: the attempt was made because the event happened, or is a retry of that. `true`: you requested a redelivery, or it is a retry of that.',
    }),
    status_code: Nullable(
      Type.Integer({
        description: 'The HTTP status that the receiver answered. `null`: it did not answer.',
      }),
    ),
    failure: Nullable(
      Type.String({ description: 'Why there is no status code. `null`: the receiver answered.' }),
    ),
    response: Nullable(Type.String({ description: 'The first 4 KiB of the body of the answer.' })),
    duration_ms: Type.Integer({ description: 'How long the attempt took, in milliseconds.' }),
    next_retry_at: Nullable(Timestamp('When the next attempt is due. `null`: none is due.')),
    created_at: Timestamp('When the attempt ended.'),
  },
  { title: 'WebhookAttempt', ...closed },
);

/** What the reference says about a type of event. */
export type EventType = {
  readonly type: SentEventType;
  readonly description: string;
  readonly data: TObject;
  /** Of `data`. */
  readonly example: object;
};

/** `release.created` is `ReleaseCreatedEvent`. */
export const eventName = (type: string): string =>
  `${type.replaceAll(/(?:^|\.|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The envelope (contract §2) around the data of one type. */
const eventOf = ({ type, description, data }: EventType) =>
  Type.Object(
    {
      id: IdOf('evt'),
      type: Type.Literal(type, { description: `The type of this event, always \`${type}\`.` }),
      created_at: Timestamp('When the event happened.'),
      api_version: Type.Literal('v1', { description: 'The version of the API.' }),
      environment: OneOf(environments, {
        description: 'The environment in which the event happened.',
      }),
      sequence: Type.Integer({
        description: 'Counts the events of your organization, without gaps; 0 for a ping.',
      }),
      data,
    },
    { title: eventName(type), description },
  );

/** Closes a schema with `allOf`, whose parts do not know the fields of each other. */
const closedTogether = { unevaluatedProperties: false };

/** The place of the examples in the history of their organization. */
const exampleSequence = 41;

const exampleOf = ({ type, example }: EventType) => ({
  id: exampleIds.evt,
  type,
  created_at: exampleTime(-1, '16:20:00.000'),
  api_version: 'v1',
  environment: 'sandbox',
  sequence: type === 'ping' ? 0 : exampleSequence,
  data: example,
});

/** The schemas and examples of events: by type, as one union, and with what the history adds to them. */
export function eventSchemas(types: readonly EventType[]) {
  const byType = new Map<string, TObject>(types.map((each) => [each.type, eventOf(each)]));
  const WebhookEvent = Type.Unsafe<object>({
    title: 'WebhookEvent',
    description: 'What your endpoint receives. `type` says which of the types it is.',
    oneOf: [...byType.values()],
    discriminator: { propertyName: 'type' },
  });
  const stored = types.flatMap(({ type }) => (type === 'ping' ? [] : [known(byType.get(type))]));
  // For openapi-typescript, `allOf` with the discriminated union is a subtype of it with a `type` of its own.
  const withFields = (title: string, fields: TProperties) =>
    Type.Unsafe<object>({
      title,
      description: 'An event of the history; a ping is not in it.',
      allOf: [{ oneOf: stored }, Type.Object(fields)],
      ...closedTogether,
    });
  return {
    union: WebhookEvent,
    schemaOf: (type: string): TSchema => known(byType.get(type)),
    exampleOf: (type: string) => exampleOf(known(types.find((each) => each.type === type))),
    page: PageOf(
      'EventPage',
      withFields('StoredEvent', {
        webhooks: Type.Array(EventWebhook, {
          description:
            'The webhooks that this event is sent to, without deleted ones. Empty: none was subscribed to its type, or all were deleted.',
        }),
      }),
    ),
    withAttempts: withFields('EventWithAttempts', {
      webhooks: Type.Array(EventWebhook, {
        description: 'The webhooks that this event is sent to, deleted ones included.',
      }),
      attempts: Type.Array(AttemptBody, {
        description:
          'Every attempt to send the event, oldest first; the last 1,000 if there are more.',
      }),
    }),
  };
}

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('there is no such event type');
  return found;
}

export type EventSchemas = ReturnType<typeof eventSchemas>;

export const EventListQuery = Type.Object(
  {
    delivery_status: Type.Optional(
      OneOf(webhookDeliveryStatuses, {
        description:
          '`pending`: an attempt is due. `delivered`: every subscribed webhook answered 2xx. `undelivered`: at least one webhook is disabled or its retries are exhausted.',
      }),
    ),
    type: Type.Optional(described(EventTypeName, 'Only events of this type.')),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: sequenceMax,
        description:
          'Only events with a greater `sequence`, oldest first. Use it to catch up after an outage.',
      }),
    ),
    ...pageQuery,
  },
  closed,
);

export const EventPath = Type.Object({ event_id: IdOf('evt') });

export const RedeliverBody = Type.Object(
  {
    webhook_id: Type.Optional(
      Reference(
        'wh',
        'The id of the only webhook to send the event to. If you omit it, every webhook that the event was sent to before.',
      ),
    ),
  },
  { ...closed, title: 'RedeliverEvent' },
);

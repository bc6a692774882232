/** Webhooks on the wire (contract §2, §4). */

import { Type } from 'typebox';
import { withRule } from '../../platform/http/body-rules.ts';
import { described, EventTypeName } from '../../platform/http/named-enums.ts';
import {
  closed,
  documentedAs,
  IdOf,
  MultilineText,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  secretField,
  Timestamp,
  Verbatim,
} from '../../platform/http/schema.ts';
import { eventTypesMax, everything, refuseSecret, webhookStatuses } from '../domain/webhook.ts';

const urlMax = 2_048;
const descriptionMax = 500;
const secretMax = 100;
const graceSecondsMax = 604_800;

const EventType = Type.String({ maxLength: 64 });

const url = Verbatim(urlMax, {
  description:
    'The URL that receives the events: an https URL with a public host; the sandbox accepts http too. It must have no credentials and no fragment.',
  examples: ['https://partner.example/hooks'],
});

/** `refuseEventTypes` names each type that is wrong; a union of choices would only say that no branch fits. */
const event_type = Type.Union(
  [EventType, Type.Array(EventType, { minItems: 1, maxItems: eventTypesMax })],
  documentedAs(
    Type.Union(
      [
        Type.Literal(everything),
        EventTypeName,
        Type.Array(Type.Union([Type.Literal(everything), EventTypeName]), {
          minItems: 1,
          maxItems: eventTypesMax,
        }),
      ],
      {
        description:
          'The event types to send: one type, several, or `*` for all. `GET /v1/event_types` lists them.',
        examples: ['delivery.completed', ['delivery.completed', 'asset.failed'], '*'],
      },
    ),
  ),
);

const description = Type.Optional(
  Nullable(MultilineText(descriptionMax, { description: 'A note of your own.' })),
);

const madeByService = [
  'id',
  'status',
  'secret_hint',
  'verified_at',
  'last_ping',
  'created_at',
  'updated_at',
];

const LastPing = Type.Object(
  {
    at: Timestamp('When the ping was sent.'),
    status_code: Nullable(
      Type.Integer({
        description: 'The HTTP status that the receiver answered. `null`: it did not answer.',
      }),
    ),
    failure: Nullable(
      Type.String({ description: 'Why there is no status code. `null`: the receiver answered.' }),
    ),
    duration_ms: Type.Integer({ description: 'How long the ping took, in milliseconds.' }),
  },
  { ...closed, title: 'WebhookPing' },
);

export const RegisterBody = Type.Object(
  {
    url,
    event_type,
    description,
    secret: Type.Optional(
      Verbatim(secretMax, {
        ...secretField,
        ...withRule(refuseSecret),
        description:
          'The secret for the signatures: `whsec_` and the base64 of 24 to 64 random bytes. Send your own so that your receiver can verify the first ping. If you omit it, one is generated.',
      }),
    ),
  },
  { ...closed, title: 'CreateWebhook', 'x-read-only': madeByService },
);

export const EditBody = Type.Object(
  { url: Type.Optional(url), event_type: Type.Optional(event_type), description },
  { ...closed, title: 'UpdateWebhook', 'x-read-only': [...madeByService, 'secret'] },
);

export const RotateBody = Type.Object(
  {
    grace_period_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: graceSecondsMax,
        default: 86_400,
        description:
          'For how many seconds `X-SVC-Signature` still uses the old secret and `webhook-signature` has both, from 0 to 604800 (7 days). If you omit it, 86400 (1 day).',
      }),
    ),
  },
  { ...closed, title: 'RotateWebhookSecret' },
);

export const RedeliverSinceBody = Type.Object(
  { since: Timestamp('Only events that happened at this time or later.') },
  { ...closed, title: 'RedeliverSince' },
);

const fields = {
  id: IdOf('wh'),
  url: Type.String({ description: 'The URL that receives the events.' }),
  event_type: Type.Array(Type.Union([Type.Literal(everything), EventTypeName]), {
    description: 'The event types that are sent; `*` for all.',
  }),
  status: OneOf(webhookStatuses, {
    description:
      '`unverified`: no ping was answered with 200 within 10 seconds yet. `verified`: events are sent. `disabled`: every attempt failed for 5 days. Only verified webhooks receive events.',
  }),
  description: Nullable(Type.String({ description: 'A note of your own.' })),
  secret_hint: Type.String({
    description: 'The last 4 characters of the secret, to recognize it by.',
  }),
  verified_at: Nullable(Timestamp('When a ping was last answered with 200. `null`: never.')),
  last_ping: Nullable(
    described(LastPing, 'The result of the last ping. `null`: no ping was sent yet.'),
  ),
  created_at: Timestamp('When the webhook was registered.'),
  updated_at: Timestamp('When it was last changed.'),
};

export const WebhookBody = Type.Object(fields, { ...closed, title: 'Webhook' });

export const WebhookWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({
      ...secretField,
      description: 'The secret. It is shown only in this answer.',
    }),
  },
  { ...closed, title: 'WebhookWithSecret' },
);

export const WebhookPage = PageOf('WebhookPage', WebhookBody);
export const WebhookListQuery = Type.Object(pageQuery, closed);
export const WebhookPath = Type.Object({ webhook_id: IdOf('wh') });

const count = Type.Integer({ description: 'How many attempts were scheduled.' });

export const Count = Type.Object({ count }, { ...closed, title: 'RedeliveryCount' });

export const CountSince = Type.Object(
  {
    count,
    has_more: Type.Boolean({
      description:
        '`true`: these are the oldest 10,000 events, and there are more. Send the request again.',
    }),
  },
  { ...closed, title: 'RedeliverySinceCount' },
);

/** Webhooks on the wire (contract §2, §4). */

import { Type } from 'typebox';
import {
  closed,
  IdOf,
  MultilineText,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Timestamp,
  Verbatim,
} from '../../platform/http/schema.ts';
import { eventTypesMax, webhookStatuses } from '../domain/webhook.ts';

const urlMax = 2_048;
const descriptionMax = 500;
const secretMax = 100;
const graceSecondsMax = 604_800;

const EventType = Type.String({ maxLength: 64, examples: ['delivery.completed'] });

const url = Verbatim(urlMax, {
  description:
    'An https URL with a public host; the sandbox accepts http too. It must not contain credentials or a fragment.',
  examples: ['https://partner.example/hooks'],
});

const event_type = Type.Union(
  [EventType, Type.Array(EventType, { minItems: 1, maxItems: eventTypesMax })],
  { description: 'One type, several, or * for all. GET /v1/event_types lists them.' },
);

const description = Type.Optional(
  Nullable(MultilineText(descriptionMax, { description: 'Your own note.' })),
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
    at: Timestamp('When it was sent.'),
    status_code: Nullable(Type.Integer({ description: 'null: the receiver did not answer.' })),
    failure: Nullable(Type.String({ description: 'Why there is no status code.' })),
    duration_ms: Type.Integer(),
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
        description:
          'whsec_ and the base64 of 24 to 64 random bytes, so that your receiver can verify the first ping. Generated when omitted.',
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
          'How long X-SVC-Signature still uses the old secret and webhook-signature carries both.',
      }),
    ),
  },
  { ...closed, title: 'RotateSecret' },
);

export const RedeliverSinceBody = Type.Object(
  { since: Timestamp('Events that happened at or after this time.') },
  { ...closed, title: 'RedeliverSince' },
);

const fields = {
  id: IdOf('wh'),
  url: Type.String(),
  event_type: Type.Array(Type.String()),
  status: OneOf(webhookStatuses, {
    description:
      'unverified: no ping was answered 200 within 10 s yet. disabled: every attempt failed for 5 days. Only verified webhooks receive events.',
  }),
  description: Nullable(Type.String()),
  secret_hint: Type.String({ description: 'The last characters of the secret.' }),
  verified_at: Nullable(Timestamp('When a ping was last answered 200.')),
  last_ping: Nullable(LastPing),
  created_at: Timestamp('When it was registered.'),
  updated_at: Timestamp('When it was last changed.'),
};

export const WebhookBody = Type.Object(fields, { ...closed, title: 'Webhook' });

export const WebhookWithSecret = Type.Object(
  { ...fields, secret: Type.String({ description: 'Shown here and never again.' }) },
  { ...closed, title: 'WebhookWithSecret' },
);

export const WebhookPage = PageOf('WebhookPage', WebhookBody);
export const WebhookListQuery = Type.Object(pageQuery, closed);
export const WebhookPath = Type.Object({ webhook_id: IdOf('wh') });

const count = Type.Integer({ description: 'How many deliveries were requeued.' });

export const Count = Type.Object({ count }, { ...closed, title: 'Redelivery' });

export const CountSince = Type.Object(
  {
    count,
    has_more: Type.Boolean({
      description: 'True: these are the oldest 10,000 and there are more. Send the request again.',
    }),
  },
  { ...closed, title: 'RedeliverySince' },
);

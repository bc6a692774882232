/**
 * The `webhooks` of the OpenAPI document: the requests that a partner's endpoint receives, one for each type of event
 * (contract §6).
 */

import type { TSchema } from 'typebox';
import { exampleIds } from '../../kernel/example-story.ts';
import type { Components, Json } from './openapi-components.ts';

export type WebhookDescription = {
  readonly type: string;
  /** Of its schema: `ReleaseCreatedEvent`. */
  readonly name: string;
  readonly description: string;
  /** The whole event: its envelope and its data. */
  readonly schema: TSchema;
  readonly example: object;
};

const headers: readonly (readonly [name: string, description: string, schema: Json])[] = [
  [
    'webhook-id',
    'The id of the event. Store it for 30 days, and drop an event whose id you have stored.',
    { type: 'string', examples: [exampleIds.evt] },
  ],
  [
    'webhook-timestamp',
    'When this attempt was sent, in seconds since 1970. Refuse one that is older than five minutes.',
    { type: 'string', pattern: '^\\d+$', examples: ['1794586800'] },
  ],
  [
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with the base64-decoded part of the secret after `whsec_`. During a rotation it has two signatures, separated by a space: accept the request if one of them is right.',
    { type: 'string', examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  ],
  [
    'X-SVC-Signature',
    '`sha256=` and the hexadecimal HMAC-SHA256 of the body, keyed with the whole secret.',
    {
      type: 'string',
      examples: ['sha256=7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069'],
    },
  ],
  ['X-SVC-Event', 'The type of the event.', { type: 'string', examples: ['release.created'] }],
  [
    'X-SVC-Delivery',
    'The id of this attempt. Quote it when you ask us.',
    { type: 'string', examples: [exampleIds.att] },
  ],
];

export function describeWebhooks(
  webhooks: readonly WebhookDescription[],
  components: Components,
): Json {
  return Object.fromEntries(
    webhooks.map((webhook) => [webhook.type, { post: describeWebhook(webhook, components) }]),
  );
}

const headerParameters = (components: Components): Json[] =>
  headers.map(([name, description, schema]) =>
    components.shared('parameters', name, {
      name,
      in: 'header',
      required: true,
      description,
      schema,
    }),
  );

function describeWebhook(
  { type, name, description, schema, example }: WebhookDescription,
  components: Components,
): Json {
  const isPing = type === 'ping';
  return {
    operationId: `receive${name}`,
    tags: ['Webhooks'],
    summary: type,
    description,
    security: [],
    parameters: headerParameters(components),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.schema(schema, 'answer'), example } },
    },
    responses: isPing
      ? { 200: { description: 'Within ten seconds: the webhook is verified.' } }
      : {
          '2XX': {
            description:
              'Within 30 seconds: the event is delivered. After any other answer it is sent again, up to five times.',
          },
        },
  };
}

/** The webhook of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { WebhookBody } from './webhook-schemas.ts';

export const webhookExample: Static<typeof WebhookBody> = {
  id: exampleIds.wh,
  url: 'https://partner.example/hooks',
  event_type: ['delivery.completed', 'delivery.store.updated'],
  status: 'verified',
  description: 'Catalog sync',
  secret_hint: '4Gx1',
  verified_at: exampleTime(-6, '15:00:01.000'),
  last_ping: {
    at: exampleTime(-6, '15:00:00.000'),
    status_code: 200,
    failure: null,
    duration_ms: 84,
  },
  created_at: exampleTime(-6, '15:00:00.000'),
  updated_at: exampleTime(-6, '15:00:01.000'),
};

/** Every attempt failed for five days. */
export const disabledWebhookExample: Static<typeof WebhookBody> = {
  ...webhookExample,
  status: 'disabled',
  updated_at: exampleTime(-1, '16:20:00.000'),
};

/** Base64 of a text that says what it is. */
const secretExample = 'whsec_RXhhbXBsZS1zZWNyZXQtbm90LWEtcmVhbC1vbmU=';
const secretHint = secretExample.slice(-4);

export const webhookExamples = {
  createWebhook: {
    body: {
      url: webhookExample.url,
      event_type: ['delivery.completed', 'delivery.store.updated'],
      description: 'Catalog sync',
    },
    answer: { ...webhookExample, secret_hint: secretHint, secret: secretExample },
  },
  listWebhooks: { answer: examplePage(webhookExample) },
  getWebhook: { answer: webhookExample },
  updateWebhook: {
    body: { event_type: ['delivery.completed'] },
    answer: {
      ...webhookExample,
      event_type: ['delivery.completed'],
      updated_at: exampleTime(-2, '12:00:00.000'),
    },
  },
  pingWebhook: { answer: webhookExample },
  rotateWebhookSecret: {
    body: { grace_period_seconds: 86_400 },
    answer: {
      ...webhookExample,
      secret_hint: secretHint,
      updated_at: exampleTime(-2, '12:30:00.000'),
      secret: secretExample,
    },
  },
  redeliverToWebhook: {
    body: { since: exampleTime(-2, '00:00:00.000') },
    answer: { count: 12, has_more: false },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

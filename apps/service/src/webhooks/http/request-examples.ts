/** The request that created the release of the story (`kernel/example-story.ts`). */

import { exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';

const createdAt = exampleTime(-5, '09:30:00.000');

const requestExample = {
  id: exampleIds.req,
  created_at: createdAt,
  duration_ms: 42.1,
  method: 'POST',
  path: '/v1/releases',
  route: '/v1/releases',
  status: 201,
  error_code: null,
  actor: { type: 'api_key', id: exampleIds.key },
  address: '192.0.2.7',
};

export const requestExamples = {
  listRequests: { query: { method: 'POST' }, answer: examplePage(requestExample) },
  getRequest: {
    answer: {
      ...requestExample,
      request: {
        headers: {
          'content-type': 'application/json',
          'idempotency-key': '7d1f6a3e-2b4c-4d5e-8f60-718293a4b5c6',
        },
        body: '{"title":"Night Drive"}',
        body_bytes: 23,
        truncated: false,
      },
      response: {
        headers: { location: `/v1/releases/${exampleIds.rel}` },
        body: `{"id":"${exampleIds.rel}","title":"Night Drive"}`,
        body_bytes: 59,
        truncated: false,
      },
      events: [
        {
          id: exampleIds.evt,
          type: 'release.created',
          created_at: createdAt,
          sequence: 1,
          webhooks: [],
          attempts: [],
        },
      ],
      events_have_more: false,
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

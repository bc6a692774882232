/** Events of the history, as examples. */

import { exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { EventSchemas } from './event-schemas.ts';

const webhooks = [
  {
    webhook_id: exampleIds.wh,
    delivery_status: 'delivered',
    attempts: 1,
    next_attempt_at: null,
  },
];

export function eventExamples({ exampleOf }: EventSchemas) {
  const event = exampleOf('delivery.completed');
  return {
    listEvents: {
      query: { type: 'delivery.completed' },
      answer: examplePage({ ...event, webhooks }),
    },
    getEvent: {
      answer: {
        ...event,
        webhooks,
        attempts: [
          {
            id: exampleIds.att,
            webhook_id: exampleIds.wh,
            number: 1,
            redelivery: false,
            status_code: 200,
            failure: null,
            response: '{"ok":true}',
            duration_ms: 84,
            next_retry_at: null,
            created_at: exampleTime(-1, '16:20:01.000'),
          },
        ],
      },
    },
    redeliverEvent: { body: { webhook_id: exampleIds.wh }, answer: { count: 1 } },
  } satisfies Readonly<Record<string, OperationExamples>>;
}

/** Requests and answers of the delivery of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import {
  auroraDelivered,
  auroraSent,
  beatlaneRejected,
  cascadeDelivered,
  rejectedDeliveryExample,
  sentTo,
} from './delivery-examples.ts';
import type { DeliveryBody } from './delivery-schemas.ts';

const createdAt = exampleTime(-4, '09:00:00.000');

/** Just created: nothing is sent yet. */
const createdDeliveryExample: Static<typeof DeliveryBody> = {
  ...rejectedDeliveryExample,
  status: 'in_progress',
  stores: [auroraSent, sentTo('beatlane', 241), sentTo('cascade', 32)].map((store) => ({
    ...store,
    status: 'pending',
    acknowledged_at: null,
    expected_by: null,
    updated_at: createdAt,
  })),
  updated_at: createdAt,
  completed_at: null,
};

const correctedAt = exampleTime(-2, '09:00:00.000');
const target = {
  release_id: exampleIds.rel,
  stores: ['aurora', 'beatlane', 'cascade'],
  territory_codes: ['WORLDWIDE'],
};

export const deliveryExamples = {
  createDelivery: {
    body: { ...target, reference: 'NL-0042-first' },
    answer: createdDeliveryExample,
  },
  listDeliveries: {
    query: { release_id: exampleIds.rel },
    answer: examplePage(rejectedDeliveryExample),
  },
  getDelivery: { answer: rejectedDeliveryExample },
  getDeliveryStore: {
    answer: {
      ...auroraDelivered,
      territory_codes: ['AD', 'AE', 'AF', 'DE', 'US'],
      requested_territory_codes: ['WORLDWIDE'],
      tracks: [],
    },
  },
  getDeliveryTimeline: {
    query: { store_id: 'aurora' },
    answer: examplePage(
      {
        type: 'delivered',
        at: exampleTime(-3, '16:20:00.000'),
        store_id: 'aurora',
        status: 'delivered',
        revision: 3,
        live_basis: 'store',
        message_id: exampleIds.msg,
        previous_status: 'in_progress',
      },
      {
        type: 'dispatched',
        at: exampleTime(-4, '09:00:02.000'),
        store_id: 'aurora',
        status: 'in_progress',
        revision: 3,
        message_id: exampleIds.msg,
        previous_status: 'pending',
      },
      {
        type: 'created',
        at: createdAt,
        store_id: null,
        actor: { type: 'api_key', id: exampleIds.key },
        stores: target.stores,
        revision: 3,
      },
    ),
  },
  /** After the cover was corrected. */
  resubmitDelivery: {
    body: { stores: ['beatlane'] },
    answer: {
      ...rejectedDeliveryExample,
      revision: 4,
      status: 'in_progress',
      stores: [
        auroraDelivered,
        {
          ...sentTo('beatlane', 241),
          status: 'pending',
          revision: 4,
          acknowledged_at: null,
          expected_by: null,
          updated_at: correctedAt,
        },
        cascadeDelivered,
      ],
      updated_at: correctedAt,
      completed_at: null,
      skipped: [],
    },
  },
  updateDelivery: {
    body: { stores: ['aurora', 'cascade'] },
    answer: {
      ...rejectedDeliveryExample,
      revision: 4,
      stores: [auroraDelivered, beatlaneRejected, cascadeDelivered].map((store) =>
        store.status === 'delivered'
          ? {
              ...store,
              pending_revision: 4,
              update: {
                revision: 4,
                status: 'pending',
                rejection_code: null,
                rejection_reason: null,
              },
              updated_at: correctedAt,
            }
          : store,
      ),
      updated_at: correctedAt,
      skipped: [],
    },
  },
  takeDownDelivery: {
    body: { stores: ['aurora', 'cascade'], reason: 'The license for the sample ended.' },
    answer: {
      ...rejectedDeliveryExample,
      stores: [auroraDelivered, beatlaneRejected, cascadeDelivered].map((store) =>
        store.status === 'delivered'
          ? {
              ...store,
              status: 'takedown_requested',
              takedown_requested_at: exampleTime(-2, '10:00:00.000'),
              updated_at: exampleTime(-2, '10:00:00.000'),
            }
          : store,
      ),
      updated_at: exampleTime(-2, '10:00:00.000'),
      skipped: [],
    },
  },
  dryRunDelivery: {
    body: { release_id: exampleIds.rel, stores: ['aurora'], territory_codes: ['DE', 'US'] },
    answer: {
      release_id: exampleIds.rel,
      revision: 3,
      stores: [
        {
          store_id: 'aurora',
          territory_codes: ['DE', 'US'],
          territory_count: 2,
          use_types: ['ad_supported_stream', 'subscription_stream', 'download'],
          tracks: [],
          pre_order_date: null,
          would_be_sent: true,
          errors: 0,
          warnings: 0,
          conveys: {
            sent: ['/title', '/artists/0/name', '/tracks/0/isrc'],
            dropped: [
              {
                pointer: '/reference',
                reason: 'It is a note of your own, which stores are never shown.',
              },
            ],
          },
          message: {
            ern_version: '4.3.2',
            size_bytes: 6_412,
            xml: '<?xml version="1.0" encoding="UTF-8"?>\n<ern:NewReleaseMessage xmlns:ern="http://ddex.net/xml/ern/432">…</ern:NewReleaseMessage>\n',
          },
        },
      ],
      findings: [],
      files: [
        {
          asset_id: exampleIds.ast,
          type: 'audio',
          file_name: '01-night-drive.wav',
          content_type: 'audio/wav',
          size_bytes: 55_566_044,
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      ],
      skipped: [],
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

const jobExample = {
  id: exampleIds.job,
  action: 'deliver',
  status: 'running',
  total: 1,
  succeeded: 0,
  failed: 0,
  items: [{ release_id: exampleIds.rel, status: 'pending', delivery_ids: [], error: null }],
  created_at: exampleTime(-4, '09:30:00.000'),
  updated_at: exampleTime(-4, '09:30:00.000'),
  completed_at: null,
};

export const jobExamples = {
  createDeliveryJob: {
    body: {
      action: 'deliver',
      stores: ['aurora', 'cascade'],
      territory_codes: ['WORLDWIDE'],
      items: [{ release_id: exampleIds.rel }],
    },
    answer: jobExample,
  },
  getDeliveryJob: {
    answer: {
      ...jobExample,
      status: 'completed',
      succeeded: 1,
      items: [
        {
          release_id: exampleIds.rel,
          status: 'succeeded',
          delivery_ids: [exampleIds.dlv],
          error: null,
        },
      ],
      updated_at: exampleTime(-4, '09:30:01.000'),
      completed_at: exampleTime(-4, '09:30:01.000'),
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

/** In the sandbox: `aurora` waited, and is sent the release after the answer. */
export const rightsReviewExamples = {
  decideSandboxRights: {
    body: { decision: 'grant' },
    answer: {
      ...createdDeliveryExample,
      stores: createdDeliveryExample.stores.map((store) => ({
        ...store,
        waiting_for: 'rights_review',
      })),
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

/** In the sandbox: the partner answers for `aurora`. */
export const storeAnswerExamples = {
  answerForStore: {
    body: {
      answer: 'rejected',
      code: 'artwork_rejected',
      reason: 'The cover shows a web address. Remove it and send the release again.',
    },
    answer: {
      ...rejectedDeliveryExample,
      stores: [
        {
          ...auroraSent,
          status: 'rejected',
          rejection_code: 'artwork_rejected',
          rejection_reason: 'The cover shows a web address. Remove it and send the release again.',
          expected_by: null,
          updated_at: exampleTime(-3, '16:20:00.000'),
        },
        sentTo('beatlane', 241),
        sentTo('cascade', 32),
      ],
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

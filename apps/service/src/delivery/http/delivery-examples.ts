/** The delivery of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { exampleIds, exampleTime } from '../../kernel/example-story.ts';
import type { DeliveryBody } from './delivery-schemas.ts';
import type { DeliveryStoreBody } from './delivery-store-schemas.ts';

type StoreExample = Static<typeof DeliveryStoreBody>;

const sentAt = exampleTime(-4, '09:00:02.000');
const answeredAt = exampleTime(-3, '16:20:00.000');
const removedAt = exampleTime(-1, '11:05:00.000');

/** A store that was sent the release and has not answered. */
export const sentTo = (store_id: string, territory_count: number): StoreExample => ({
  store_id,
  status: 'in_progress',
  waiting_for: null,
  territory_codes: ['WORLDWIDE'],
  territory_count,
  use_types: ['ad_supported_stream', 'subscription_stream'],
  revision: 3,
  pending_revision: null,
  rejection_code: null,
  rejection_reason: null,
  update: null,
  takedown_requested_at: null,
  taken_down_by: null,
  acknowledged_at: exampleTime(-4, '09:00:05.000'),
  expected_by: exampleTime(3, '09:00:02.000'),
  updated_at: sentAt,
  live_at: null,
  live_basis: null,
  store_url: null,
});

export const auroraSent: StoreExample = {
  ...sentTo('aurora', 242),
  use_types: ['ad_supported_stream', 'subscription_stream', 'download'],
};

const delivered = (store: StoreExample, url: string): StoreExample => ({
  ...store,
  status: 'delivered',
  expected_by: null,
  updated_at: answeredAt,
  live_at: answeredAt,
  live_basis: 'store',
  store_url: url,
});

export const auroraDelivered = delivered(auroraSent, 'https://aurora.example/album/night-drive');
export const cascadeDelivered = delivered(
  sentTo('cascade', 32),
  'https://cascade.example/r/860001000009',
);

export const beatlaneRejected: StoreExample = {
  ...sentTo('beatlane', 241),
  status: 'rejected',
  rejection_code: 'artwork_rejected',
  rejection_reason: 'The cover shows a web address. Remove it and send the release again.',
  expected_by: null,
  updated_at: answeredAt,
};

const takenDown = (store: StoreExample): StoreExample => ({
  ...store,
  status: 'taken_down',
  takedown_requested_at: exampleTime(-2, '10:00:00.000'),
  taken_down_by: 'partner',
  updated_at: removedAt,
});

/** Two stores have the release, and one refused it. */
export const rejectedDeliveryExample: Static<typeof DeliveryBody> = {
  id: exampleIds.dlv,
  reference: 'NL-0042-first',
  metadata: {},
  release_id: exampleIds.rel,
  revision: 3,
  status: 'rejected',
  territory_codes: ['WORLDWIDE'],
  stores: [auroraDelivered, beatlaneRejected, cascadeDelivered],
  created_at: exampleTime(-4, '09:00:00.000'),
  updated_at: answeredAt,
  completed_at: answeredAt,
};

export const takenDownDeliveryExample: Static<typeof DeliveryBody> = {
  ...rejectedDeliveryExample,
  status: 'taken_down',
  stores: [auroraDelivered, beatlaneRejected, cascadeDelivered].map(takenDown),
  updated_at: removedAt,
};

const aboutStore = (store: StoreExample) => ({
  delivery_id: exampleIds.dlv,
  release_id: exampleIds.rel,
  status: 'in_progress' as const,
  store,
});

/** `aurora` is the first store that has the release. */
export const storeUpdatedExample = {
  ...aboutStore(auroraDelivered),
  previous_status: 'in_progress' as const,
};

/** `beatlane` has not answered in time. */
export const storeOverdueExample = aboutStore({
  ...sentTo('beatlane', 241),
  expected_by: exampleTime(-1, '09:00:02.000'),
});

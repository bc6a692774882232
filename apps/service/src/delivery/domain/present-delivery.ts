/** Deliveries as partners see them, in responses and in events (contract §2). */

import { sortedPairs } from '../../kernel/pairs.ts';
import type { Delivery } from './delivery.ts';
import type { StoreDelivery } from './store-delivery.ts';

const timestamp = (at: Date | null): string | null => at?.toISOString() ?? null;

export const presentStoreDelivery = (storeDelivery: StoreDelivery) => ({
  store_id: storeDelivery.storeId,
  status: storeDelivery.status,
  territory_codes: [...storeDelivery.territoryCodes],
  revision: storeDelivery.revision,
  pending_revision: storeDelivery.pendingRevision,
  rejection_code: storeDelivery.rejection?.code ?? null,
  rejection_reason: storeDelivery.rejection?.reason ?? null,
  expected_by: timestamp(storeDelivery.expectedBy),
  updated_at: storeDelivery.updatedAt.toISOString(),
  live_at: timestamp(storeDelivery.liveAt),
  store_url: storeDelivery.storeUrl,
});

export const presentDelivery = (delivery: Delivery, storeDeliveries: readonly StoreDelivery[]) => ({
  id: delivery.id,
  reference: delivery.reference,
  metadata: sortedPairs(delivery.metadata),
  release_id: delivery.releaseId,
  revision: delivery.revision,
  status: delivery.status,
  territory_codes: [...delivery.territoryCodes],
  stores: storeDeliveries.map(presentStoreDelivery),
  created_at: delivery.createdAt.toISOString(),
  updated_at: delivery.updatedAt.toISOString(),
  completed_at: timestamp(delivery.completedAt),
});

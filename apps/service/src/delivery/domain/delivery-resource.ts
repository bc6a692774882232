/** Deliveries as partners see them, in answers and in events (contract §2), written out field by field. */
import { sortedPairs } from '../../kernel/pairs.ts';
import type { Delivery } from './delivery.ts';
import type { StorePart } from './store-part.ts';

const timestamp = (at: Date | null): string | null => at?.toISOString() ?? null;

export const presentPart = (part: StorePart) => ({
  store_id: part.storeId,
  status: part.status,
  territory_codes: [...part.territoryCodes],
  revision: part.revision,
  pending_revision: part.pendingRevision,
  rejection_code: part.rejection?.code ?? null,
  rejection_reason: part.rejection?.reason ?? null,
  expected_by: timestamp(part.expectedBy),
  updated_at: part.updatedAt.toISOString(),
  live_at: timestamp(part.liveAt),
  store_url: part.storeUrl,
});

export const presentDelivery = (delivery: Delivery, parts: readonly StorePart[]) => ({
  id: delivery.id,
  reference: delivery.reference,
  metadata: sortedPairs(delivery.metadata),
  release_id: delivery.releaseId,
  revision: delivery.revision,
  status: delivery.status,
  territory_codes: [...delivery.territoryCodes],
  stores: parts.map(presentPart),
  created_at: delivery.createdAt.toISOString(),
  updated_at: delivery.updatedAt.toISOString(),
  completed_at: timestamp(delivery.completedAt),
});

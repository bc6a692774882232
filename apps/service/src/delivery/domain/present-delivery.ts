/** Deliveries as partners see them, in responses and in events (contract §2, catalogue §2). */

import { sortedPairs } from '../../kernel/pairs.ts';
import { type TerritoryCode, worldwide } from '../../kernel/territory.ts';
import type { Deal, TrackDeal } from './deal.ts';
import type { Delivery } from './delivery.ts';
import { pendingRevisionOf, type StoreDelivery, type StoreUpdate } from './store-delivery.ts';

const timestamp = (at: Date | null): string | null => at?.toISOString() ?? null;

const presentTrackDeal = ({ trackId, territoryCodes, useTypes }: TrackDeal) => ({
  track_id: trackId,
  territory_codes: territoryCodes,
  use_types: useTypes,
});

const presentUpdate = ({ revision, status, rejection }: StoreUpdate) => ({
  revision,
  status,
  rejection_code: rejection?.code ?? null,
  rejection_reason: rejection?.reason ?? null,
});

const shownTerritories = ({ isWorldwide, territoryCodes }: Deal): readonly TerritoryCode[] =>
  isWorldwide ? [worldwide] : territoryCodes;

/** All of a deal; nothing for a store without one. */
export const presentDeal = (deal: Deal | undefined) => ({
  territory_codes: deal === undefined ? [] : shownTerritories(deal),
  territory_count: deal?.territoryCodes.length ?? 0,
  use_types: deal?.useTypes ?? [],
  tracks: (deal?.tracks ?? []).map(presentTrackDeal),
});

const presentStore = (storeDelivery: StoreDelivery, territoryCodes: readonly TerritoryCode[]) => ({
  store_id: storeDelivery.storeId,
  status: storeDelivery.status,
  waiting_for: storeDelivery.waitingFor,
  territory_codes: territoryCodes,
  territory_count: storeDelivery.deal.territoryCodes.length,
  use_types: storeDelivery.deal.useTypes,
  revision: storeDelivery.revision,
  pending_revision: pendingRevisionOf(storeDelivery),
  rejection_code: storeDelivery.rejection?.code ?? null,
  rejection_reason: storeDelivery.rejection?.reason ?? null,
  update: storeDelivery.update && presentUpdate(storeDelivery.update),
  takedown_requested_at: timestamp(storeDelivery.takedown?.requestedAt ?? null),
  taken_down_by: storeDelivery.takenDownBy,
  acknowledged_at: timestamp(storeDelivery.acknowledgedAt),
  expected_by: timestamp(storeDelivery.expectedBy),
  updated_at: storeDelivery.updatedAt.toISOString(),
  live_at: timestamp(storeDelivery.liveAt),
  live_basis: storeDelivery.liveBasis,
  store_url: storeDelivery.storeUrl,
});

/** Only where they differ: from the delivery's territories, and from the release's rights. */
function presentDetails({ requestedTerritoryCodes, deal }: StoreDelivery) {
  return {
    ...(requestedTerritoryCodes !== null && { requested_territory_codes: requestedTerritoryCodes }),
    ...(deal.tracks.length > 0 && { tracks: deal.tracks.map(presentTrackDeal) }),
  };
}

/** What `presentDetails` of all stores of a delivery may have together. */
const detailBytesMax = 20_000;

/** With more, a delivery of 150 stores has no details: with them it stays below 300 KB, whatever else its stores show. */
const storesBytesMax = 290_000;

const bytesOf = (value: object): number => JSON.stringify(value).length;

const presentCompact = (storeDelivery: StoreDelivery) =>
  presentStore(storeDelivery, shownTerritories(storeDelivery.deal));

/**
 * In events and lists of stores. A store whose details do not fit has `is_truncated`; GET
 * /v1/deliveries/{id}/stores/{store_id} has them.
 */
export const presentStoreDelivery = (storeDelivery: StoreDelivery) =>
  createPresenter([storeDelivery])(storeDelivery);

/** Presents each of these stores. */
function createPresenter(all: readonly StoreDelivery[]) {
  let bytesLeft: number | undefined;
  return (storeDelivery: StoreDelivery) => {
    const compact = presentCompact(storeDelivery);
    const details = presentDetails(storeDelivery);
    if (Object.keys(details).length === 0) return compact;
    bytesLeft ??= Math.min(detailBytesMax, storesBytesMax - bytesOf(all.map(presentCompact)));
    const bytes = bytesOf(details);
    if (bytes > bytesLeft) return { ...compact, is_truncated: true };
    bytesLeft -= bytes;
    return { ...compact, ...details };
  };
}

/** With all territory codes, also of tracks, and what was requested. */
export const presentFullStoreDelivery = (storeDelivery: StoreDelivery, delivery: Delivery) => ({
  ...presentStore(storeDelivery, storeDelivery.deal.territoryCodes),
  requested_territory_codes: storeDelivery.requestedTerritoryCodes ?? delivery.territoryCodes,
  tracks: storeDelivery.deal.tracks.map(presentTrackDeal),
});

export const presentDelivery = (delivery: Delivery, storeDeliveries: readonly StoreDelivery[]) => ({
  id: delivery.id,
  reference: delivery.reference,
  metadata: sortedPairs(delivery.metadata),
  release_id: delivery.releaseId,
  revision: delivery.revision,
  status: delivery.status,
  territory_codes: [...delivery.territoryCodes],
  stores: storeDeliveries.map(createPresenter(storeDeliveries)),
  created_at: delivery.createdAt.toISOString(),
  updated_at: delivery.updatedAt.toISOString(),
  completed_at: timestamp(delivery.completedAt),
});

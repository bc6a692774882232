/** What a step changes in the directory of what stores have. */

import type { SnapshotCodes } from '../../catalog/face.ts';
import { comparableCode, productCodeOf } from '../../kernel/product-code.ts';
import { isSameDeal, type TrackDeal } from './deal.ts';
import { isLive, type StoreDelivery } from './store-delivery.ts';

/**
 * The store has a release, a revision or a deal that it did not have before. A refused takedown begins it again: the row
 * of what was asked for may have ended, because the store had rejected or removed it. A flag of a resubmission begins
 * nothing, because the store has not confirmed it.
 */
export const beginsHolding = (before: StoreDelivery, after: StoreDelivery): boolean =>
  isLive(before) ? isLive(after) && hasOtherContent(before, after) : after.status === 'delivered';

const hasOtherContent = (before: StoreDelivery, after: StoreDelivery): boolean =>
  before.revision !== after.revision ||
  !isSameDeal(before.deal, after.deal) ||
  // The store confirms a resubmission that it had flagged: its content was already that of the store delivery.
  before.deliveredBy !== after.deliveredBy;

/** The store no longer has the release. */
export const endsHolding = (before: StoreDelivery, after: StoreDelivery): boolean =>
  before.liveAt !== null &&
  (after.status === 'taken_down' || after.status === 'rejected') &&
  after.status !== before.status;

/** The release under the EAN or UPC that the store was sent, and each track that is not left out under its ISRC. */
export function holdingsOf(
  { storeId, deal }: Pick<StoreDelivery, 'storeId' | 'deal'>,
  codes: SnapshotCodes,
) {
  const own = new Map<string, TrackDeal>(deal.tracks.map((track) => [track.trackId, track]));
  const ofTracks = codes.tracks.map(({ id, isrc }) => ({
    storeId,
    code: isrc,
    trackId: id,
    territoryCodes: (own.get(id) ?? deal).territoryCodes,
  }));
  const code = comparableCode(productCodeOf(codes));
  return [
    { storeId, code, trackId: null, territoryCodes: deal.territoryCodes },
    ...ofTracks.filter(({ territoryCodes }) => territoryCodes.length > 0),
  ];
}

/** How a deal is stored: territories and use types as bits, tracks and updates as JSON. */

import type { TrackId } from '../../catalog/face.ts';
import { memoizeByText } from '../../kernel/memoize-by-text.ts';
import { packTerritories, unpackTerritories } from '../../kernel/territory-set.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import { packUseTypes, unpackUseTypes, type UseType } from '../../kernel/use-type.ts';
import type { Column } from '../../platform/db/columns.ts';
import type { Deal, TrackDeal } from '../domain/deal.ts';
import type { StoreUpdate } from '../domain/store-delivery.ts';

/** With 249 codes each, a few megabytes. */
const setsMax = 1_000;

/**
 * Most stores of a delivery have the same territories, and each step reads and writes them again: a set is converted
 * once, and the stores share it.
 */
const hexOf = new WeakMap<readonly TerritoryCode[], string>();

function toHex(codes: readonly TerritoryCode[]): string {
  const known = hexOf.get(codes);
  if (known !== undefined) return known;
  const hex = Buffer.from(packTerritories(codes)).toString('hex');
  hexOf.set(codes, hex);
  return hex;
}

const fromHex = memoizeByText((hex): readonly TerritoryCode[] => {
  const codes = Object.freeze(unpackTerritories(Buffer.from(hex, 'hex')));
  hexOf.set(codes, hex);
  return codes;
}, setsMax);

/** One bit for each territory, written in the hex format of bytea. */
export const territorySet: Column<readonly TerritoryCode[]> = {
  read: (stored: Buffer) => fromHex(stored.toString('hex')),
  write: (codes) => `\\x${toHex(codes)}`,
};

export const useTypeSet: Column<readonly UseType[]> = {
  read: (stored: number) => unpackUseTypes(stored),
  write: packUseTypes,
};

type StoredRights = { readonly territories: string; readonly use_types: number };
type StoredTrackDeal = StoredRights & { readonly track_id: TrackId };

const writeTracks = (tracks: readonly TrackDeal[]): readonly StoredTrackDeal[] | null =>
  tracks.length === 0
    ? null
    : tracks.map(({ trackId, territoryCodes, useTypes }) => ({
        track_id: trackId,
        territories: toHex(territoryCodes),
        use_types: packUseTypes(useTypes),
      }));

const readTracks = (stored: readonly StoredTrackDeal[] | null): readonly TrackDeal[] =>
  (stored ?? []).map((track) => ({
    trackId: track.track_id,
    territoryCodes: fromHex(track.territories),
    useTypes: unpackUseTypes(track.use_types),
  }));

export const trackDeals: Column<readonly TrackDeal[]> = { read: readTracks, write: writeTracks };

type StoredUpdate = Omit<StoreUpdate, 'deal'> & {
  readonly deal: StoredRights & {
    readonly is_worldwide: boolean;
    readonly tracks: readonly StoredTrackDeal[] | null;
  };
};

const writeDeal = ({ territoryCodes, useTypes, isWorldwide, tracks }: Deal) => ({
  territories: toHex(territoryCodes),
  use_types: packUseTypes(useTypes),
  is_worldwide: isWorldwide,
  tracks: writeTracks(tracks),
});

const readDeal = (stored: StoredUpdate['deal']): Deal => ({
  territoryCodes: fromHex(stored.territories),
  useTypes: unpackUseTypes(stored.use_types),
  isWorldwide: stored.is_worldwide,
  tracks: readTracks(stored.tracks),
});

export const storeUpdate: Column<StoreUpdate> = {
  read: (stored: StoredUpdate) => ({ ...stored, deal: readDeal(stored.deal) }),
  write: (update): StoredUpdate => ({ ...update, deal: writeDeal(update.deal) }),
};

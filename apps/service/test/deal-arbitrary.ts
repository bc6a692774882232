/** Random catalogues for property tests of deals: licence, release, tracks, stores and what is requested of each. */

import fc from 'fast-check';
import type { DealLimits } from '../src/delivery/domain/deal.ts';
import { territoryCodes } from '../src/kernel/territory.ts';
import { type UseType, useTypes } from '../src/kernel/use-type.ts';

/** Few, so that random lists meet. The first and the last code, and those at the ends of bytes and words, are here. */
const pool = [0, 7, 8, 56, 63, 64, 113, 127, 128, 191, 192, 234, 248].map(
  (position) => territoryCodes[position]!,
);

/** Every subset is one number, which shrinks towards the empty subset. */
const subsetOf = <T>(from: readonly T[], min = 0): fc.Arbitrary<T[]> =>
  fc
    .integer({ min, max: 2 ** from.length - 1 })
    .map((bits) => from.filter((_, position) => (bits >> position) & 1));

/** As partners send them: in any order. */
const codes = subsetOf(pool, 1).chain((subset) =>
  fc.boolean().map((isReversed) => (isReversed ? subset.toReversed() : subset)),
);
const mostly = subsetOf(pool).map((left) => pool.filter((code) => !left.includes(code)));
const worldWord = fc.constantFrom(['WORLD'], ['WORLDWIDE']);
const codesOrWorld = fc.oneof(worldWord, codes, mostly);
const everyUse: readonly UseType[] = useTypes;
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });

const ownRights = {
  excludedTerritories: maybe(codes),
  useTypes: maybe(subsetOf(everyUse, 1)),
};
const ownTrackRights = fc.record({
  territory: maybe(codesOrWorld),
  excludedTerritories: ownRights.excludedTerritories,
  useTypes: maybe(subsetOf(everyUse)),
});

const store = fc.record({
  territoryCodes: fc.oneof(
    { weight: 6, arbitrary: codes },
    { weight: 2, arbitrary: fc.constant(pool) },
    { weight: 1, arbitrary: fc.constant([...territoryCodes]) },
  ),
  useTypes: subsetOf(everyUse, 1),
});

export type Catalogue = {
  readonly limits: DealLimits;
  /** The same release later: a track has other rights, or two tracks have each other's. */
  readonly edited: DealLimits;
  readonly requested: readonly string[];
  readonly stores: readonly {
    readonly territoryCodes: readonly string[];
    readonly useTypes: readonly UseType[];
    /** Null: as for the delivery. */
    readonly requested: readonly string[] | null;
  }[];
};

type TrackRights = Omit<DealLimits['tracks'][number], 'id'>;

/** Without `rights`, the track at `position` and the next one swap theirs. */
function editRights(
  all: readonly TrackRights[],
  { position, rights }: { readonly position: number; readonly rights: TrackRights | null },
): readonly TrackRights[] {
  const [first, second] = [all[position], all[position + 1]];
  if (first === undefined) return all;
  if (rights !== null) return all.with(position, rights);
  return second === undefined ? all : all.with(position, second).with(position + 1, first);
}

export const catalogues: fc.Arbitrary<Catalogue> = fc
  .record({
    licensed: codesOrWorld,
    release: fc.record({ territories: codesOrWorld, ...ownRights }),
    rights: fc.array(ownTrackRights, { maxLength: 5 }),
    edit: fc.record({ position: fc.nat(4), rights: maybe(ownTrackRights) }),
    requested: codesOrWorld,
    stores: fc.array(fc.record({ limits: store, requested: maybe(codesOrWorld) }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ licensed, release, rights, edit, requested, stores }) => {
    const limitsOf = (all: readonly TrackRights[]): DealLimits => ({
      licensed,
      release,
      tracks: all.map((own, position) => ({ id: `trk_${position}` as const, ...own })),
    });
    return {
      limits: limitsOf(rights),
      edited: limitsOf(editRights(rights, edit)),
      requested,
      stores: stores.map((each) => ({ ...each.limits, requested: each.requested })),
    };
  });

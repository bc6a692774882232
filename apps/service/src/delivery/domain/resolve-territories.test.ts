/** Where a store may sell a release: the intersection of request, licence, release, tracks and store. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { territoryCodes } from '../../kernel/territory.ts';
import { type TerritoryLimits, createTerritoryResolver } from './resolve-territories.ts';

/** A small set, so that intersections are rarely empty; it has the first and the last code of the list. */
const codes = ['AD', 'AT', 'CH', 'DE', 'FR', 'JP', 'SE', 'US', 'ZW'];
const worlds = fc.constantFrom(['WORLD'], ['WORLDWIDE']);
/** At least five codes: otherwise the intersection of several sets would almost always be empty. */
const mostCodes = fc.shuffledSubarray(codes, { minLength: 5 });
const usualCodes = fc.oneof({ weight: 3, arbitrary: mostCodes }, worlds);
const anyCodes = fc.oneof(usualCodes, fc.shuffledSubarray(codes));

const anyLimits: fc.Arbitrary<TerritoryLimits> = fc.record({
  requested: anyCodes,
  licensed: usualCodes,
  release: usualCodes,
  tracks: fc.array(fc.option(usualCodes), { maxLength: 4 }),
});

const isWorld = (list: readonly string[]): boolean =>
  list.length === 1 && (list[0] === 'WORLD' || list[0] === 'WORLDWIDE');
const covers = (list: readonly string[] | null, code: string): boolean =>
  list === null || isWorld(list) || list.includes(code);

const allLists = ({
  requested,
  licensed,
  release,
  tracks,
}: TerritoryLimits): readonly TerritoryLimits['tracks'][number][] => [
  requested,
  licensed,
  release,
  ...tracks,
];

describe('contract §2, the resolved territories of a store', () => {
  test('are the codes that all lists have in common, in the order of the store, each once', () => {
    let [all, some, none] = [0, 0, 0];
    fc.assert(
      fc.property(anyLimits, fc.shuffledSubarray(codes), (limits, store) => {
        const resolved = createTerritoryResolver(limits)(store);
        const expected = store.filter((code) =>
          allLists(limits).every((list) => covers(list, code)),
        );
        assert.deepEqual(resolved, expected);
        if (resolved.length === 0) none++;
        else if (resolved.length === store.length) all++;
        else some++;
      }),
      { numRuns: 5_000 },
    );
    assert.ok(Math.min(all, some, none) > 100, `${all} all, ${some} some, ${none} none`);
  });

  test('spec §2.2: WORLDWIDE and WORLD mean all that the store supports, in every list', () => {
    const worldLimits = fc.record({ requested: worlds, licensed: worlds, release: worlds });
    const anyTracks = fc.array(fc.option(worlds), { maxLength: 3 });
    fc.assert(
      fc.property(
        worldLimits,
        anyTracks,
        fc.shuffledSubarray([...territoryCodes]),
        (limits, tracks, store) => {
          assert.deepEqual(createTerritoryResolver({ ...limits, tracks })(store), store);
        },
      ),
    );
  });

  test('never grow when a further track is added', () => {
    fc.assert(
      fc.property(anyLimits, usualCodes, (limits, extraTrack) => {
        const before = new Set(createTerritoryResolver(limits)(codes));
        const after = createTerritoryResolver({
          ...limits,
          tracks: [...limits.tracks, extraTrack],
        })(codes);
        assert.ok(after.every((code) => before.has(code)));
      }),
    );
  });

  test('do not depend on which list holds which codes', () => {
    fc.assert(
      fc.property(anyLimits, ({ requested, licensed, release, tracks }) => {
        const exchanged = {
          requested: release,
          licensed: requested,
          release: licensed,
          tracks: tracks.toReversed(),
        };
        const resolved = createTerritoryResolver({ requested, licensed, release, tracks })(codes);
        assert.deepEqual(createTerritoryResolver(exchanged)(codes), resolved);
      }),
    );
  });

  test('one resolver gives the same result as a new resolver for each store', () => {
    fc.assert(
      fc.property(
        anyLimits,
        fc.shuffledSubarray(codes),
        fc.shuffledSubarray(codes),
        (limits, a, b) => {
          const resolve = createTerritoryResolver(limits);
          assert.deepEqual(
            [resolve(a), resolve(b), resolve(a)],
            [a, b, a].map(createTerritoryResolver(limits)),
          );
        },
      ),
    );
  });

  test('are empty if the licence or a track has no territory', () => {
    const worldwide = {
      requested: ['WORLDWIDE'],
      licensed: ['WORLD'],
      release: ['WORLD'],
      tracks: [],
    };
    assert.deepEqual(createTerritoryResolver({ ...worldwide, licensed: [] })(codes), []);
    assert.deepEqual(createTerritoryResolver({ ...worldwide, tracks: [null, []] })(codes), []);
  });
});

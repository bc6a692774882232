/** Where a store may sell a release: what the licence, the release, its tracks, the store and the wish have in common. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { territoryCodes } from '../../kernel/territory.ts';
import { type TerritoryLimits, createTerritoryResolver } from './resolve-territories.ts';

/** Few enough that sets meet, and both ends of the list. */
const codes = ['AD', 'AT', 'CH', 'DE', 'FR', 'JP', 'SE', 'US', 'ZW'];
const worlds = fc.constantFrom(['WORLD'], ['WORLDWIDE']);
/** Most codes, or the intersection of several sets would be empty nearly always. */
const few = fc.shuffledSubarray(codes, { minLength: 5 });
const some = fc.oneof({ weight: 3, arbitrary: few }, worlds);
const anything = fc.oneof(some, fc.shuffledSubarray(codes));

const rights: fc.Arbitrary<TerritoryLimits> = fc.record({
  asked: anything,
  licensed: some,
  release: some,
  tracks: fc.array(fc.option(some), { maxLength: 4 }),
});

const isWorld = (list: readonly string[]): boolean =>
  list.length === 1 && (list[0] === 'WORLD' || list[0] === 'WORLDWIDE');
const covers = (list: readonly string[] | null, code: string): boolean =>
  list === null || isWorld(list) || list.includes(code);

const everyone = ({
  asked,
  licensed,
  release,
  tracks,
}: TerritoryLimits): readonly TerritoryLimits['tracks'][number][] => [
  asked,
  licensed,
  release,
  ...tracks,
];

describe('contract §2, the resolved territories of a store', () => {
  test('are those all of them have in common, in the order of the store, each once', () => {
    let [whole, part, none] = [0, 0, 0];
    fc.assert(
      fc.property(rights, fc.shuffledSubarray(codes), (given, store) => {
        const resolved = createTerritoryResolver(given)(store);
        const expected = store.filter((code) =>
          everyone(given).every((list) => covers(list, code)),
        );
        assert.deepEqual(resolved, expected);
        if (resolved.length === 0) none++;
        else if (resolved.length === store.length) whole++;
        else part++;
      }),
      { numRuns: 5_000 },
    );
    assert.ok(Math.min(whole, part, none) > 100, `${whole} whole, ${part} in part, ${none} none`);
  });

  test('spec §2.2: WORLDWIDE means all the store supports, by either name, wherever it is written', () => {
    const named = fc.record({ asked: worlds, licensed: worlds, release: worlds });
    const tracks = fc.array(fc.option(worlds), { maxLength: 3 });
    fc.assert(
      fc.property(named, tracks, fc.shuffledSubarray([...territoryCodes]), (given, own, store) => {
        assert.deepEqual(createTerritoryResolver({ ...given, tracks: own })(store), store);
      }),
    );
  });

  test('never grow when anyone allows less', () => {
    fc.assert(
      fc.property(rights, some, (given, less) => {
        const before = new Set(createTerritoryResolver(given)(codes));
        const after = createTerritoryResolver({ ...given, tracks: [...given.tracks, less] })(codes);
        assert.ok(after.every((code) => before.has(code)));
      }),
    );
  });

  test('do not depend on who allows what: the same sets, exchanged, allow the same', () => {
    fc.assert(
      fc.property(rights, ({ asked, licensed, release, tracks }) => {
        const exchanged = {
          asked: release,
          licensed: asked,
          release: licensed,
          tracks: tracks.toReversed(),
        };
        const one = createTerritoryResolver({ asked, licensed, release, tracks })(codes);
        assert.deepEqual(createTerritoryResolver(exchanged)(codes), one);
      }),
    );
  });

  test('one resolver answers for each store by itself', () => {
    fc.assert(
      fc.property(rights, fc.shuffledSubarray(codes), fc.shuffledSubarray(codes), (given, a, b) => {
        const resolve = createTerritoryResolver(given);
        assert.deepEqual(
          [resolve(a), resolve(b), resolve(a)],
          [a, b, a].map(createTerritoryResolver(given)),
        );
      }),
    );
  });

  test('a licence for nothing, or a track that goes nowhere, leaves nothing', () => {
    const all = { asked: ['WORLDWIDE'], licensed: ['WORLD'], release: ['WORLD'], tracks: [] };
    assert.deepEqual(createTerritoryResolver({ ...all, licensed: [] })(codes), []);
    assert.deepEqual(createTerritoryResolver({ ...all, tracks: [null, []] })(codes), []);
  });
});

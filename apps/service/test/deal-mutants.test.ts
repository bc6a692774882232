/** The properties of deals notice every one of these mistakes in `deal.ts`. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { catalogues } from './deal-arbitrary.ts';
import { checkCatalogue, type DealRules } from './deal-properties.ts';
import { importMutant, type Mutant } from './source-mutants.ts';

const source = new URL('../src/delivery/domain/deal.ts', import.meta.url);
/** Each mistake shows within a few hundred catalogues. */
const numRuns = 5_000;
const seed = 20_261_116;

const mutants: Readonly<Record<string, Mutant>> = {
  'the licence is ignored': ['toSet(licensed) & ', ''],
  'the territories of the release are ignored': ['toSet(release.territories) & ', ''],
  'the exclusions of the release are ignored': [' & ~excluded(release)', ''],
  'the request is ignored': ['toSet(requested) & ', ''],
  'the territories of the store are ignored': ['& ofRelease & ofStore', '& ofRelease'],
  'a track may be wider than its release': ['territories & (ownSets', '(ownSets'],
  'a track without territories has none': ['null ? everyTerritory :', 'null ? 0n :'],
  'the exclusions of a track are ignored': [' & ~excluded(track)', ''],
  'the use types of a track are ignored': ['commonUseTypes(uses, own)', 'uses'],
  'use types wider than those of the store': [
    'uses.includes(use) && (own === null || own.includes(use))',
    '(own ?? uses).includes(use)',
  ],
  'a track with fewer use types counts as equal': [
    'ofTrack === territories && usesOfTrack.length === uses.length',
    'ofTrack === territories',
  ],
  'a track with fewer territories counts as equal': [
    'ofTrack === territories && usesOfTrack.length === uses.length',
    'ofTrack !== 0n && usesOfTrack.length === uses.length',
  ],
  'only exclusions do not narrow a track': ['excludedTerritories === null && own', 'own'],
  'only use types do not narrow a track': [' && own === null;', ';'],
  'a track without use types keeps its territories': [
    '=== 0n || usesOfTrack',
    '=== 0n && usesOfTrack',
  ],
  'tracks without rights of their own do not count': ['=== tracks.length)', '=== narrowed.length)'],
  'one track that is left out refuses the store': ['=== tracks.length)', '>= 1)'],
  'a store without territory is not refused': [
    "if (territories === 0n) return 'no_territory';",
    '',
  ],
  'a store without use type is not refused': ["if (uses.length === 0) return 'no_use_type';", ''],
  'worldwide, although codes were requested': [' && requested.some(meansWorld)', ''],
  'worldwide, although the store has more': ['territories === ofStore && ', ''],
  'isSameDeal ignores the release': ['hasEqualRights(one, other) &&', ''],
  'isSameDeal ignores the rights of tracks': ['hasEqualRights(track, counterpart)', 'true'],
  'isSameDeal ignores which track it is': ['track.trackId === counterpart.trackId', 'true'],
  'isSameDeal ignores more tracks': ['one.tracks.length === other.tracks.length &&', ''],
  'isSameDeal ignores use types': [' && isSameList(one.useTypes, other.useTypes)', ''],
  'isSameDeal ignores more territories': ['one.length === other.length && ', ''],
};

const check = async (mutant: Mutant) => {
  const rules = await importMutant<DealRules>(source, mutant);
  const property = fc.property(catalogues, (catalogue) => void checkCatalogue(rules, catalogue));
  return fc.check(property, { numRuns, seed, endOnFailure: true });
};

describe('the properties of deals', () => {
  test('hold for a copy without a mistake', async () => {
    const { failed, numRuns: done } = await check(['Created once for a request', '']);
    assert.deepEqual([failed, done], [false, numRuns]);
  });

  for (const [mistake, mutant] of Object.entries(mutants)) {
    test(`fail: ${mistake}`, async (t) => {
      const { failed, numRuns: done } = await check(mutant);
      assert.ok(failed, `${done} catalogues`);
      t.diagnostic(`noticed by catalogue ${done}`);
    });
  }
});

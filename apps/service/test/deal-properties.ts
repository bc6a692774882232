/** What must be true of the deals of every catalogue. `deal-mutants.test.ts` shows that these checks can fail. */

import assert from 'node:assert/strict';
import type { Deal, DealLimits, TrackDeal } from '../src/delivery/domain/deal.ts';
import type { Catalogue } from './deal-arbitrary.ts';
import {
  allowsTerritory,
  allowsUse,
  isSameModelDeal,
  type ModelDeal,
  modelDeal,
} from './deal-model.ts';

/** `deal.ts`, or a copy of it with a mistake. */
export type DealRules = Pick<
  typeof import('../src/delivery/domain/deal.ts'),
  'createDealResolver' | 'isSameDeal'
>;

/** A deal of one store, as the service resolves it and as the model does. */
type ResolvedDeal = { readonly deal: Deal; readonly model: ModelDeal };

/** What a run met, so that a test can tell that nothing was left out. */
export type Tally = Map<string, number>;

const count = (tally: Tally, what: string): void =>
  void tally.set(what, (tally.get(what) ?? 0) + 1);

const toModelRights = ({
  territoryCodes,
  useTypes,
}: Pick<TrackDeal, 'territoryCodes' | 'useTypes'>) => {
  assert.equal(new Set(territoryCodes).size, territoryCodes.length, 'no territory twice');
  return { territories: territoryCodes.toSorted(), uses: useTypes.toSorted() };
};

const toModelDeal = (deal: Deal): ModelDeal => ({
  ...toModelRights(deal),
  isWorldwide: deal.isWorldwide,
  tracks: Object.fromEntries(deal.tracks.map((track) => [track.trackId, toModelRights(track)])),
});

/** Catalogue §2: no deal wider than asked, licence, release, store; no track wider than its release. */
function checkBounds(
  deal: Deal,
  { licensed, release, tracks }: DealLimits,
  store: Catalogue['stores'][number],
  requested: readonly string[],
): void {
  for (const code of deal.territoryCodes) {
    assert.ok(store.territoryCodes.includes(code), `${code}: store`);
    assert.ok(allowsTerritory(requested, code), `${code}: requested`);
    assert.ok(allowsTerritory(licensed, code), `${code}: licence`);
    assert.ok(allowsTerritory(release.territories, code), `${code}: release`);
    assert.ok(!(release.excludedTerritories ?? []).includes(code), `${code}: excluded`);
  }
  for (const use of deal.useTypes) {
    assert.ok(store.useTypes.includes(use) && allowsUse(release.useTypes, use), use);
  }
  for (const { trackId, territoryCodes, useTypes } of deal.tracks) {
    const track = tracks.find(({ id }) => id === trackId);
    assert.ok(track, `${trackId} is a track of the release`);
    for (const code of territoryCodes) {
      assert.ok(deal.territoryCodes.includes(code), `${trackId} ${code}: release`);
      assert.ok(allowsTerritory(track.territory, code), `${trackId} ${code}: track`);
      assert.ok(!(track.excludedTerritories ?? []).includes(code), `${trackId} ${code}: excluded`);
    }
    for (const use of useTypes) {
      assert.ok(deal.useTypes.includes(use) && allowsUse(track.useTypes, use), `${trackId} ${use}`);
    }
  }
}

/** Of each store, in the order of the catalogue; undefined where it is refused, as the model refuses it. */
function checkResolved(
  { createDealResolver }: DealRules,
  limits: DealLimits,
  { stores, requested }: Catalogue,
  tally: Tally,
): readonly (ResolvedDeal | undefined)[] {
  const resolve = createDealResolver(limits);
  return stores.map((store) => {
    const asked = store.requested ?? requested;
    const deal = resolve(store, asked);
    const model = modelDeal(limits, store, asked);
    if (typeof deal === 'string' || typeof model === 'string') {
      assert.equal(deal, model);
      count(tally, model as string);
      return undefined;
    }
    assert.deepEqual(toModelDeal(deal), model);
    checkBounds(deal, limits, store, asked);
    count(tally, deal.isWorldwide ? 'worldwide' : 'codes');
    for (const { territoryCodes } of deal.tracks) {
      count(tally, territoryCodes.length === 0 ? 'track left out' : 'track narrower');
    }
    return { deal, model };
  });
}

/** Every deal of the catalogue, which the model has confirmed. */
export function checkCatalogue(
  rules: DealRules,
  catalogue: Catalogue,
  tally: Tally = new Map(),
): readonly Deal[] {
  const now = checkResolved(rules, catalogue.limits, catalogue, tally);
  const later = checkResolved(rules, catalogue.edited, catalogue, tally);
  const compare = (one: ResolvedDeal | undefined, other: ResolvedDeal | undefined): void => {
    if (one === undefined || other === undefined) return;
    const isSame = isSameModelDeal(one.model, other.model);
    assert.equal(rules.isSameDeal(one.deal, other.deal), isSame, 'isSameDeal');
    assert.equal(rules.isSameDeal(other.deal, one.deal), isSame, 'isSameDeal, the other way');
    count(tally, isSame ? 'same deal' : 'other deal');
  };
  now.forEach((deal, i) => {
    compare(deal, deal);
    compare(deal, later[i]);
    compare(deal, now[i + 1]);
  });
  return [...now, ...later].flatMap((resolved) => (resolved === undefined ? [] : [resolved.deal]));
}

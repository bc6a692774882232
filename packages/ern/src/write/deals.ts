/** Under which terms a release and its tracks are offered. Without deals there is no list of deals. */

import type { Deal, DealTime, Period, Territories, Visibility } from '../model.ts';
import { type Children, element, type Element } from './element.ts';
import { equalityKeyOf } from './equality-key.ts';
import { Field, itemsOf, type Source } from './field.ts';
import type { MessageDraft } from './message-draft.ts';
import { knownValues, namespacedElement } from './parties.ts';
import { UnsendableValue } from './unsendable-value.ts';

/** The deals of one release or track release, and its reference. */
export type Offer = {
  readonly reference: string;
  readonly deals: Field<readonly Deal[]>;
  /** References of the recordings that come with a pre-order at once. */
  readonly instantTracks: readonly Source<string>[];
};

export function dealListElement(
  draft: MessageDraft,
  offers: readonly Offer[],
  visibility: Field<readonly Visibility[]> | undefined,
): Element | undefined {
  for (const { deals, instantTracks } of offers)
    if (!deals.value.some(({ isPreOrder }) => isPreOrder))
      for (const track of instantTracks) draft.drop(track, 'no_pre_order');
  const releaseDeals = groupEqual(offers).flatMap((group) => releaseDealElement(draft, group));
  if (releaseDeals.length === 0) {
    draft.drop(visibility, 'no_deals');
    return undefined;
  }
  return element('DealList', [
    releaseDeals,
    itemsOf(visibility).map((entry, i) => visibilityElement(entry, visibilityReferenceOf(i))),
  ]);
}

/** Stores expect tracks with the same deals under one head, and messages stay small. */
function groupEqual(offers: readonly Offer[]): readonly (readonly [Offer, ...Offer[]])[] {
  const groups = new Map<string, [Offer, ...Offer[]]>();
  for (const offer of offers) {
    // Only the release's own pre-order lists instant tracks.
    const key = `${equalityKeyOf(offer.deals.value)} ${offer.instantTracks.length}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [offer]);
    else group.push(offer);
  }
  return [...groups.values()];
}

function releaseDealElement(
  draft: MessageDraft,
  [first, ...others]: readonly [Offer, ...Offer[]],
): readonly Element[] {
  const deals = itemsOf(Field.merge([first.deals, ...others.map((offer) => offer.deals)])).flatMap(
    (deal) => dealElement(draft, deal, first.instantTracks) ?? [],
  );
  if (deals.length === 0) return [];
  const references = [first, ...others].map(({ reference }) =>
    element('DealReleaseReference', reference),
  );
  return [element('ReleaseDeal', [references, deals])];
}

function dealElement(
  draft: MessageDraft,
  deal: Field<Deal>,
  instantTracks: Offer['instantTracks'],
): Element | undefined {
  const useTypes = knownValues(draft, deal.at('useTypes'), draft.dialect.missing.useTypes);
  // A deal that lost its use types would allow all of them.
  if (useTypes.length === 0 && deal.value.useTypes.length > 0) {
    draft.drop(deal, 'value_not_in_version');
    return undefined;
  }
  return element('Deal', [
    element('DealTerms', [
      territoryElements(deal.at('territories')),
      element('ValidityPeriod', periodContent(deal.at('period'))),
      itemsOf(deal.at('commercialModels')).map((model) => element('CommercialModelType', model)),
      useTypes.map((useType) => element('UseType', useType)),
      element('RightsClaimPolicy', policyContent(deal.at('rightsClaimPolicy'))),
      element('PriceInformation', priceContent(deal)),
      element('IsPreOrderDeal', deal.at('isPreOrder')),
      element('InstantGratificationResourceList', instantContent(deal, instantTracks)),
    ]),
  ]);
}

function territoryElements(territories: Field<Territories>): Children {
  const { value } = territories;
  const [name, codes] =
    'included' in value
      ? (['TerritoryCode', territories.to('included', value.included)] as const)
      : (['ExcludedTerritoryCode', territories.to('excluded', value.excluded)] as const);
  // Without codes the deal would be about the whole world.
  if (codes.value.length === 0) {
    throw new UnsendableValue(codes.pointers[0] ?? '', 'must name at least one territory');
  }
  return itemsOf(codes).map((code) => element(name, code));
}

function periodContent(period: Field<Period>): Children {
  const start = period.at('start');
  const end = period.at('end');
  const unit = isDay(start.value) ? 'Date' : 'DateTime';
  if (end !== undefined && isDay(end.value) !== isDay(start.value)) {
    throw new UnsendableValue(
      end.pointers[0] ?? '',
      'must be a day if the start is a day, and a time if it is a time',
    );
  }
  return [element(`Start${unit}`, start), element(`End${unit}`, end)];
}

const isDay = (time: DealTime): boolean => !time.includes('T');

const policyContent = (policy: Source<string> | undefined): Children | undefined =>
  policy && [element('RightsClaimPolicyType', policy)];

const instantContent = (
  { value }: Field<Deal>,
  instantTracks: Offer['instantTracks'],
): Children | undefined =>
  value.isPreOrder && instantTracks.length > 0
    ? instantTracks.map((reference) => element('DealResourceReference', reference))
    : undefined;

const priceContent = (deal: Field<Deal>): Children | undefined =>
  deal.at('priceCode') && [namespacedElement('PriceCode', deal.at('priceCode'))];

export const visibilityReferenceOf = (index: number): string => `V${index + 1}`;

function visibilityElement(visibility: Field<Visibility>, reference: string): Element {
  const territories = visibility.at('territories');
  return element('ReleaseVisibility', [
    element('VisibilityReference', reference),
    territories && territoryElements(territories),
    element('ReleaseDisplayStartDateTime', visibility.at('displayStart')),
    element('CoverArtPreviewStartDateTime', visibility.at('coverArtStart')),
    element('FullTrackListingPreviewStartDateTime', visibility.at('trackListingStart')),
    element('ClipPreviewStartDateTime', visibility.at('clipStart')),
  ]);
}

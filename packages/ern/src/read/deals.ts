import {
  type CommercialModel,
  commercialModels,
  type Deal,
  type Period,
  rightsClaimPolicies,
  type Territories,
  type Visibility,
} from '../model.ts';
import { readNamespaced } from './descriptions.ts';
import type { ElementReader } from './element-reader.ts';
import { oneOf, present, trueOrAbsent } from './values.ts';

/** Deals are no metadata of a profile. */
const invalid = 'NewReleaseMessageInvalid';

/** The deals of the message by the references of the releases that they are about. */
export type Deals = {
  readonly lists: ReadonlyMap<string, readonly (readonly Deal[])[]>;
  /** References of the recordings that come with a pre-order at once. */
  readonly instantTracks: ReadonlySet<string>;
  /** How many deals were put together from several lists so far. */
  joined: number;
};

export function readDeals(dealList: ElementReader | undefined): Deals {
  const all = new Map<string, (readonly Deal[])[]>();
  const instantTracks = new Set<string>();
  for (const releaseDeal of dealList?.children('ReleaseDeal') ?? []) {
    const dealElements = releaseDeal.children('Deal');
    const own = dealElements.flatMap(readDeal);
    for (const reference of dealElements.flatMap(readInstantTracks)) instantTracks.add(reference);
    for (const reference of new Set(releaseDeal.tokens('DealReleaseReference'))) {
      const lists = all.get(reference);
      if (lists === undefined) {
        all.set(reference, [own]);
      } else {
        lists.push(own);
      }
    }
  }
  return { lists: all, instantTracks, joined: 0 };
}

/** A box set of 300 tracks has less. A hostile message could join thousands of deals for each of thousands of tracks. */
const joinedMax = 500_000;

export function dealsOf(release: ElementReader, deals: Deals): readonly Deal[] {
  const lists = deals.lists.get(release.token('ReleaseReference') ?? '') ?? [];
  const [first = [], ...others] = lists;
  if (others.length === 0) {
    return first;
  }
  deals.joined += lists.reduce((sum, { length }) => sum + length, 0);
  if (deals.joined > joinedMax) {
    release.log.missing(release.element, 'The message has too many deals.', invalid);
    return [];
  }
  return lists.flat();
}

function readDeal(deal: ElementReader): readonly Deal[] {
  const terms = deal.child('DealTerms');
  if (terms === undefined) {
    deal.log.missing(deal.element, 'DealTerms is missing.', invalid);
    return [];
  }
  const priceCode = terms.child('PriceInformation')?.child('PriceCode');
  return [
    present({
      territories: terms.require(
        readTerritories(terms),
        'TerritoryCode',
        { included: [] },
        invalid,
      ),
      period: readPeriod(terms),
      commercialModels: readCommercialModels(terms),
      useTypes: terms.tokens('UseType'),
      rightsClaimPolicy: oneOf(
        rightsClaimPolicies,
        terms.token('RightsClaimPolicy', 'RightsClaimPolicyType'),
      ),
      priceCode: priceCode && readNamespaced(priceCode),
      isPreOrder: trueOrAbsent(terms.token('IsPreOrderDeal')),
    }),
  ];
}

const readInstantTracks = (deal: ElementReader): readonly string[] =>
  deal
    .child('DealTerms')
    ?.child('InstantGratificationResourceList')
    ?.tokens('DealResourceReference') ?? [];

function readTerritories(owner: ElementReader): Territories | undefined {
  const included = owner.tokens('TerritoryCode');
  const excluded = owner.tokens('ExcludedTerritoryCode');
  if (excluded.length > 0) {
    // Both at once is refused by the checks. Until then the narrower reading is the safe one.
    return included.length > 0 ? { included } : { excluded };
  }
  return included.length > 0 ? { included } : undefined;
}

function readPeriod(terms: ElementReader): Period {
  const period = terms.child('ValidityPeriod');
  const start = period?.token('StartDateTime') ?? period?.token('StartDate');
  const end = period?.token('EndDateTime') ?? period?.token('EndDate');
  return present({
    start: (period ?? terms).require(start, 'StartDateTime or StartDate', '', invalid),
    end,
  });
}

function readCommercialModels(terms: ElementReader): readonly CommercialModel[] {
  return terms.children('CommercialModelType').flatMap((model) => {
    const known = oneOf(commercialModels, model.token());
    if (known === undefined) {
      model.log.report(
        model.element,
        `CommercialModelType must be one of: ${commercialModels.join(', ')}.`,
        'UnsupportedUsage',
      );
      return [];
    }
    return [known];
  });
}

/** When the release may be shown, for those of the visibilities that the release refers to. */
export function readVisibility(
  release: ElementReader,
  dealList: ElementReader | undefined,
): readonly Visibility[] {
  const references = new Set(release.tokens('ReleaseVisibilityReference'));
  if (references.size === 0) {
    return [];
  }
  return (dealList?.children('ReleaseVisibility') ?? [])
    .filter((visibility) => references.has(visibility.token('VisibilityReference') ?? ''))
    .map((visibility) =>
      present({
        territories: readTerritories(visibility),
        displayStart: visibility.token('ReleaseDisplayStartDateTime'),
        coverArtStart: visibility.token('CoverArtPreviewStartDateTime'),
        trackListingStart: visibility.token('FullTrackListingPreviewStartDateTime'),
        clipStart: visibility.token('ClipPreviewStartDateTime'),
      }),
    );
}

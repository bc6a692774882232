/**
 * The deals of a message. A start without a zone is local midnight in each territory; `release_at` is one instant. Each
 * track has the deals of its own rights, because some stores read only those.
 */

import type { CommercialModel, Deal as ErnDeal, Territories, Visibility } from '@tonearm/ern';
import type { Snapshot } from '../../../catalog/face.ts';
import { codesOfSet, everyTerritory, toTerritorySet } from '../../../kernel/territory-set.ts';
import { type TerritoryCode, territoryCodes } from '../../../kernel/territory.ts';
import type { UseType } from '../../../kernel/use-type.ts';
import type { Dialect } from './dialect.ts';

type Release = Snapshot['release'];
type Track = Snapshot['tracks'][number];

type Rights = {
  readonly territoryCodes: readonly TerritoryCode[];
  readonly useTypes: readonly UseType[];
};

export type DealContext = {
  readonly release: Release;
  readonly dialect: Pick<Dialect, 'priceCodes' | 'recipients' | 'takesOfflineStreams'>;
  readonly takesPreOrders: boolean;
};

export const commercialModelOf: Readonly<Record<UseType, CommercialModel>> = {
  subscription_stream: 'SubscriptionModel',
  ad_supported_stream: 'AdvertisementSupportedModel',
  download: 'PayAsYouGoModel',
  ugc: 'RightsClaimModel',
};
const claimPolicies = { monetize: 'Monetize', track: 'ReportUsage', block: 'BlockAccess' } as const;

/** A pre-order is a sale of the whole release. */
export function releaseDeals(rights: Rights, context: DealContext): readonly ErnDeal[] {
  return [...preOrders(rights, context), ...deals(rights, context, null)];
}

export const trackDeals = (
  rights: Rights,
  context: DealContext,
  { ugcPolicy }: Pick<Track, 'ugcPolicy'>,
): readonly ErnDeal[] => deals(rights, context, ugcPolicy);

/** One deal for each use type, because each has its own ways to use the music. */
function deals(
  { territoryCodes: codes, useTypes: uses }: Rights,
  context: DealContext,
  ugcPolicy: Track['ugcPolicy'],
): readonly ErnDeal[] {
  const common = { territories: territoriesOf(codes), period: { start: startOf(context.release) } };
  return uses.map((use) => ({
    ...common,
    commercialModels: [commercialModelOf[use]],
    useTypes: ernUseTypesOf(use, context),
    ...(use === 'download' && priceOf(context)),
    ...(use === 'ugc' && ugcPolicy !== null && { rightsClaimPolicy: claimPolicies[ugcPolicy] }),
  }));
}

const streams = ['OnDemandStream', 'NonInteractiveStream'];
const usualUseTypes: Readonly<Record<UseType, readonly string[]>> = {
  subscription_stream: streams,
  ad_supported_stream: streams,
  download: ['PermanentDownload'],
  ugc: ['UserMakeAvailableLabelProvided', 'UserMakeAvailableUserProvided'],
};

const ernUseTypesOf = (
  use: UseType,
  { dialect }: Pick<DealContext, 'dialect'>,
): readonly string[] =>
  use === 'subscription_stream' && dialect.takesOfflineStreams
    ? [...streams, 'ConditionalDownload']
    : usualUseTypes[use];

const priceOf = ({ release: { priceTier }, dialect }: DealContext): Pick<ErnDeal, 'priceCode'> =>
  priceTier === null || dialect.priceCodes === null
    ? {}
    : {
        priceCode: {
          namespace: dialect.recipients[0]?.dpid ?? '',
          value: dialect.priceCodes[priceTier],
        },
      };

function preOrders(rights: Rights, context: DealContext): readonly ErnDeal[] {
  const { release, takesPreOrders } = context;
  const { preOrderDate } = release;
  const isOffered = takesPreOrders && rights.useTypes.includes('download');
  if (preOrderDate === null || !isOffered) return [];
  return [
    {
      territories: territoriesOf(rights.territoryCodes),
      period: { start: preOrderStart(release, preOrderDate), end: startOf(release) },
      commercialModels: [commercialModelOf.download],
      useTypes: ernUseTypesOf('download', context),
      ...priceOf(context),
      isPreOrder: true,
    },
  ];
}

/** The shorter of two lists that name the same territories of ISO 3166-1. */
function territoriesOf(codes: readonly TerritoryCode[]): Territories {
  const others = codesOfSet(everyTerritory & ~toTerritorySet(codes));
  if (others.length === 0) return { included: ['Worldwide'] };
  return others.length < territoryCodes.length / 2 ? { excluded: others } : { included: codes };
}

const localMidnight = (date: string): string => `${date}T00:00:00`;

const startOf = ({ releaseAt, releaseDate }: Release): string =>
  releaseAt === null ? localMidnight(releaseDate) : releaseAt.replace(/\.000Z$/, 'Z');

/** In the kind of time in which the release starts, because a period has one kind. */
const preOrderStart = ({ releaseAt }: Release, date: string): string =>
  releaseAt === null ? localMidnight(date) : `${localMidnight(date)}Z`;

/** Stores show a release that can be ordered, with its cover and its tracks. Null: as the store does by itself. */
export function visibilityOf(offered: readonly ErnDeal[]): readonly Visibility[] | null {
  const start = offered.find(({ isPreOrder }) => isPreOrder)?.period.start;
  return start === undefined
    ? null
    : [{ displayStart: start, coverArtStart: start, trackListingStart: start }];
}

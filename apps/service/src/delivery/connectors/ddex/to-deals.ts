/**
 * The deals of a message. A start without a zone is local midnight in each territory; `release_at` is one instant. Each
 * track has the deals of its own rights, because some stores read only those.
 */

import type { CommercialModel, Deal as ErnDeal, Territories } from '@tonearm/ern';
import type { Snapshot } from '../../../catalog/face.ts';
import { codesOfSet, everyTerritory, toTerritorySet } from '../../../kernel/territory-set.ts';
import { type TerritoryCode, territoryCodes } from '../../../kernel/territory.ts';
import type { UseType } from '../../../kernel/use-type.ts';
import type { Dialect } from './dialect.ts';
import { withoutNulls } from './without-nulls.ts';

type Release = Snapshot['release'];
type Track = Snapshot['tracks'][number];

type Rights = {
  readonly territoryCodes: readonly TerritoryCode[];
  readonly useTypes: readonly UseType[];
};

export type DealContext = {
  readonly release: Release;
  readonly dialect: Pick<Dialect, 'priceCodes' | 'recipients'>;
  readonly takesPreOrders: boolean;
};

const streams = ['OnDemandStream', 'NonInteractiveStream'];
export const commercialModelOf: Readonly<Record<UseType, CommercialModel>> = {
  subscription_stream: 'SubscriptionModel',
  ad_supported_stream: 'AdvertisementSupportedModel',
  download: 'PayAsYouGoModel',
  ugc: 'RightsClaimModel',
};
const streamUses: readonly UseType[] = ['subscription_stream', 'ad_supported_stream'];
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

function deals(
  { territoryCodes: codes, useTypes: uses }: Rights,
  context: DealContext,
  ugcPolicy: Track['ugcPolicy'],
): readonly ErnDeal[] {
  const common = { territories: territoriesOf(codes), period: { start: startOf(context.release) } };
  const models = streamUses
    .filter((use) => uses.includes(use))
    .map((use) => commercialModelOf[use]);
  return [
    ...(models.length > 0 ? [{ ...common, commercialModels: models, useTypes: streams }] : []),
    ...(uses.includes('download') ? [{ ...common, ...download(context) }] : []),
    ...(uses.includes('ugc') ? [{ ...common, ...userContent(ugcPolicy) }] : []),
  ];
}

const download = ({ release: { priceTier }, dialect }: DealContext) =>
  withoutNulls<Pick<ErnDeal, 'commercialModels' | 'useTypes' | 'priceCode'>>({
    commercialModels: [commercialModelOf.download],
    useTypes: ['PermanentDownload'],
    priceCode:
      priceTier === null || dialect.priceCodes === null
        ? null
        : {
            namespace: dialect.recipients[0]?.dpid ?? '',
            value: dialect.priceCodes[priceTier],
          },
  });

const userContent = (policy: Track['ugcPolicy']) =>
  withoutNulls<Pick<ErnDeal, 'commercialModels' | 'useTypes' | 'rightsClaimPolicy'>>({
    commercialModels: [commercialModelOf.ugc],
    useTypes: ['UserMakeAvailableUserProvided'],
    rightsClaimPolicy: policy && claimPolicies[policy],
  });

function preOrders(rights: Rights, context: DealContext): readonly ErnDeal[] {
  const { release, takesPreOrders } = context;
  const { preOrderDate } = release;
  const isOffered = takesPreOrders && rights.useTypes.includes('download');
  if (preOrderDate === null || !isOffered) return [];
  return [
    {
      territories: territoriesOf(rights.territoryCodes),
      period: { start: localMidnight(preOrderDate), end: startOf(release) },
      ...download(context),
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

/**
 * The rights that deals give, in our words. A release has one list of territories for all its use types and one start,
 * so deals that differ are narrowed: nothing is ever offered where, how or when the message does not offer it.
 */

import type { Deal, DealTime, Territories } from '@tonearm/ern';
import {
  codesOfSet,
  everyTerritory,
  type TerritorySet,
  toTerritorySet,
} from '../../../kernel/territory-set.ts';
import { isTerritoryCode, territoryCodes, world } from '../../../kernel/territory.ts';
import { type UseType, useTypes } from '../../../kernel/use-type.ts';

export type DealRights = {
  readonly territories: TerritorySet;
  readonly useTypes: readonly UseType[];
  /** The latest start. */
  readonly start: DealTime;
  /** Whether deals for different uses have different territories or starts. */
  readonly isNarrowed: boolean;
};

/** Undefined: no deal offers anything that stores of this service can do. */
export function rightsOfDeals(deals: readonly Deal[], now: Date): DealRights | undefined {
  const current = deals.filter((deal) => deal.isPreOrder !== true && !hasEnded(deal, now));
  const byUse = useTypes.flatMap((use) => {
    const own = current.filter((deal) => usesOf(deal).includes(use));
    const [first] = own.map(({ period }) => period.start).toSorted();
    if (first === undefined) return [];
    const territories = own.reduce((set, deal) => set | setOf(deal.territories), 0n);
    return [{ use, territories, start: first }];
  });
  const [first, ...others] = byUse;
  if (first === undefined) return undefined;
  const common = others.reduce((set, each) => set & each.territories, first.territories);
  const start =
    byUse
      .map((each) => each.start)
      .toSorted()
      .at(-1) ?? first.start;
  return {
    territories: common,
    useTypes: byUse.map(({ use }) => use),
    start,
    isNarrowed: byUse.some((each) => each.territories !== common || each.start !== start),
  };
}

/** A day, or a local time, ends everywhere within half a day of UTC: a takedown's deals ended days ago. */
const hasEnded = ({ period: { end } }: Deal, now: Date): boolean =>
  end !== undefined && end.slice(0, 19) < now.toISOString().slice(0, end.length > 10 ? 19 : 10);

function usesOf({ commercialModels, useTypes: uses }: Deal): readonly UseType[] {
  const streams = uses.some((use) => use.endsWith('Stream'));
  return [
    ...(streams && commercialModels.includes('SubscriptionModel')
      ? (['subscription_stream'] as const)
      : []),
    ...(streams && commercialModels.includes('AdvertisementSupportedModel')
      ? (['ad_supported_stream'] as const)
      : []),
    ...(commercialModels.includes('PayAsYouGoModel') && uses.includes('PermanentDownload')
      ? (['download'] as const)
      : []),
    ...(commercialModels.includes('RightsClaimModel') ? (['ugc'] as const) : []),
  ];
}

function setOf(territories: Territories): TerritorySet {
  if ('excluded' in territories) return everyTerritory & ~toTerritorySet(territories.excluded);
  const { included } = territories;
  return included.includes(worldwideInErn) ? everyTerritory : toTerritorySet(included);
}

const worldwideInErn = 'Worldwide';

/** Codes of regions, for example: without them, an exclusion would be narrower than the message says. */
export const unknownTerritoriesOf = (deals: readonly Deal[]): readonly string[] =>
  deals
    .flatMap(({ territories }) =>
      'excluded' in territories ? territories.excluded : territories.included,
    )
    .filter((code) => code !== worldwideInErn && !isTerritoryCode(code));

type TerritoryFields = {
  readonly territories: readonly string[];
  readonly excluded: readonly string[] | null;
};

/** The shorter way to name a set. */
export function territoryFieldsOf(set: TerritorySet): TerritoryFields {
  const others = codesOfSet(everyTerritory & ~set);
  if (others.length >= territoryCodes.length / 2)
    return { territories: codesOfSet(set), excluded: null };
  return { territories: [world], excluded: others.length === 0 ? null : others };
}

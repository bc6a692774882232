/** Rights as stores are offered them: of the release, and of each track the same or narrower. */

import fc from 'fast-check';
import type { Deal, DealTime, Territories, Visibility } from '../src/index.ts';
import { dayAfter } from './random-texts.ts';

const codes = ['DE', 'AT', 'CH', 'FR', 'GB', 'US', 'CA', 'JP', 'BR', 'IN', 'ZA', 'RU', 'TR', 'CN'];

type Use = 'stream' | 'download' | 'ugc' | 'mining';

type Rights = {
  readonly territories: Territories;
  readonly uses: readonly Use[];
  readonly start: DealTime;
  readonly end: DealTime | undefined;
  readonly preOrderStart: DealTime | undefined;
};

const someCodes = fc.subarray(codes, { minLength: 1 });

const territories: fc.Arbitrary<Territories> = fc.oneof(
  fc.constant({ included: ['Worldwide'] }),
  someCodes.map((included) => ({ included })),
  someCodes.map((excluded) => ({ excluded })),
);

/** A local time, an instant, an instant with an offset, or a day. */
const timeForm = fc.constantFrom<(day: string) => DealTime>(
  (day) => `${day}T00:00:00`,
  (day) => `${day}T23:30:00Z`,
  (day) => `${day}T15:00:00.250+09:00`,
  (day) => day,
);

const rightsFrom = (releaseDay: string): fc.Arbitrary<Rights> =>
  fc
    .record({
      territories,
      uses: fc.subarray<Use>(['stream', 'download', 'ugc'], { minLength: 1 }),
      isMined: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
      form: timeForm,
      daysUntilEnd: fc.option(fc.integer({ min: 1, max: 9000 }), { nil: undefined }),
      daysOfPreOrder: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
    })
    .map(({ form, daysUntilEnd, daysOfPreOrder, uses, isMined, territories: where }) => ({
      territories: where,
      uses: isMined ? [...uses, 'mining'] : uses,
      start: form(releaseDay),
      end: daysUntilEnd === undefined ? undefined : form(dayAfter(releaseDay, daysUntilEnd)),
      preOrderStart:
        daysOfPreOrder === undefined ? undefined : form(dayAfter(releaseDay, -daysOfPreOrder)),
    }));

const termsOf: Readonly<Record<Use, Pick<Deal, 'commercialModels' | 'useTypes'>>> = {
  stream: {
    commercialModels: ['SubscriptionModel', 'AdvertisementSupportedModel'],
    useTypes: ['OnDemandStream', 'NonInteractiveStream'],
  },
  download: { commercialModels: ['PayAsYouGoModel'], useTypes: ['PermanentDownload'] },
  ugc: { commercialModels: ['RightsClaimModel'], useTypes: ['UserMakeAvailableUserProvided'] },
  // ERN 4.3 does not know the use type.
  mining: { commercialModels: ['FreeOfChargeModel'], useTypes: ['UseForDataMining'] },
};

function dealsOf({ uses, territories: where, start, end, preOrderStart }: Rights): readonly Deal[] {
  const deals = uses.map((use): Deal => ({
    territories: where,
    period: { start, ...(end !== undefined && { end }) },
    ...termsOf[use],
    ...(use === 'ugc' && { rightsClaimPolicy: 'Monetize' }),
    ...(use === 'download' && { priceCode: { namespace: 'PADPIDA2025020202Y', value: 'Front' } }),
  }));
  if (preOrderStart === undefined || !uses.includes('download')) return deals;
  const preOrder: Deal = {
    territories: where,
    period: { start: preOrderStart, end: start },
    ...termsOf.download,
    isPreOrder: true,
  };
  return [preOrder, ...deals];
}

/** Fewer uses, or fewer territories, or nothing at all. */
const narrow = (rights: Rights): fc.Arbitrary<Rights | undefined> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(rights) },
    { weight: 1, arbitrary: fc.constant(undefined) },
    {
      weight: 2,
      arbitrary: fc
        .subarray([...rights.uses], { minLength: 1 })
        .map((uses) => ({ ...rights, uses })),
    },
    {
      weight: 2,
      arbitrary: narrowTerritories(rights.territories).map((where) => ({
        ...rights,
        territories: where,
      })),
    },
  );

function narrowTerritories(where: Territories): fc.Arbitrary<Territories> {
  if ('excluded' in where) {
    return someCodes.map((more) => ({ excluded: [...new Set([...where.excluded, ...more])] }));
  }
  if (where.included.includes('Worldwide')) return territories;
  return fc.subarray([...where.included], { minLength: 1 }).map((included) => ({ included }));
}

export type RandomOffers = {
  readonly release: readonly Deal[];
  readonly tracks: readonly (readonly Deal[])[];
};

/** At least one track is offered. */
export const offersFrom = (releaseDay: string, trackCount: number): fc.Arbitrary<RandomOffers> =>
  rightsFrom(releaseDay).chain((rights) =>
    fc
      .array(narrow(rights), { minLength: trackCount, maxLength: trackCount })
      .map(([, ...others]) => ({
        release: dealsOf(rights),
        tracks: [rights, ...others].map((own) => (own === undefined ? [] : dealsOf(own))),
      })),
  );

export const visibilityFrom = (releaseDay: string): fc.Arbitrary<readonly Visibility[]> =>
  fc
    .record({
      days: fc.integer({ min: 1, max: 60 }),
      where: fc.option(territories, { nil: undefined }),
      hasClips: fc.boolean(),
    })
    .map(({ days, where, hasClips }) => {
      const start = `${dayAfter(releaseDay, -days)}T00:00:00`;
      return [
        {
          ...(where && { territories: where }),
          displayStart: start,
          coverArtStart: start,
          trackListingStart: start,
          ...(hasClips && { clipStart: `${releaseDay}T00:00:00Z` }),
        },
      ];
    });

/**
 * The sandbox's network (spec §1): fictional stores. They differ in what a partner's code must handle:
 * territories, formats, lead times, use types, rules.
 */

import { type TerritoryCode, territoryCodes } from '../../kernel/territory.ts';
import type { Capabilities, Store } from './store.ts';

/** No store sells there, so that partners can test `territory_not_supported`. */
const unserved: ReadonlySet<TerritoryCode> = new Set('AQ BV GS HM KP TF UM'.split(' '));

const everywhere = territoryCodes.filter((code) => !unserved.has(code));
const europeanUnion =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';
const latinAmerica = 'AR BO BR CL CO CR DO EC GT HN MX NI PA PE PR PY SV UY VE';
const africa = 'AO BJ BW CI CM EG ET GH KE MA MZ NA NG RW SN TN TZ UG ZA ZM ZW';
const southEastAsia = 'BN ID KH LA MM MY PH SG TH TL VN';
const gulf = 'AE BH KW OM QA SA';

const usual: Capabilities = {
  audioFormats: ['wav', 'flac'],
  useTypes: ['ad_supported_stream', 'subscription_stream'],
  preOrder: false,
  takedown: true,
  takedownMethod: 'omit_deal',
  update: true,
  confirmation: 'live',
  ernVersion: '4.3.2',
  leadTimeBusinessDays: 5,
};

type StoreOverrides = Partial<Capabilities> &
  Partial<Pick<Store, 'rulePack' | 'maxConcurrentSends'>>;

const defaultMaxConcurrentSends = 4;

function store(
  storeId: string,
  name: string,
  territories: string | readonly TerritoryCode[],
  {
    rulePack = 'base',
    maxConcurrentSends = defaultMaxConcurrentSends,
    ...capabilities
  }: StoreOverrides = {},
): Store {
  return {
    storeId,
    name,
    territoryCodes:
      typeof territories === 'string' ? territories.split(' ').toSorted() : territories,
    capabilities: { ...usual, ...capabilities },
    rulePack,
    genres: {},
    maxConcurrentSends,
    connector: 'simulated',
    status: 'active',
  };
}

export const fictionalStores: readonly Store[] = [
  store('aurora', 'Aurora Music', everywhere, {
    audioFormats: ['wav', 'flac', 'alac'],
    useTypes: ['ad_supported_stream', 'subscription_stream', 'download'],
    preOrder: true,
    rulePack: 'a',
    maxConcurrentSends: 8,
  }),
  store(
    'beatlane',
    'Beatlane',
    everywhere.filter((code) => code !== 'CN'),
    {
      rulePack: 'b',
      leadTimeBusinessDays: 7,
    },
  ),
  store('cascade', 'Cascade', `${europeanUnion} CH GB IS LI NO`, {
    audioFormats: ['wav', 'alac'],
    leadTimeBusinessDays: 3,
  }),
  store('driftwood', 'Driftwood Downloads', 'AU CA GB IE NZ US', {
    useTypes: ['download'],
    preOrder: true,
    leadTimeBusinessDays: 10,
    rulePack: 'a',
  }),
  store('emberline', 'Emberline', latinAmerica, { confirmation: 'none', ernVersion: '4.3' }),
  store(
    'firefly',
    'Firefly Clips',
    everywhere.filter((code) => !gulf.split(' ').includes(code)),
    {
      audioFormats: ['wav'],
      useTypes: ['ugc', 'ad_supported_stream'],
      update: false,
      leadTimeBusinessDays: 2,
    },
  ),
  store('glasshouse', 'Glasshouse Hi-Res', 'AT CH DE DK FI GB JP NO SE US', {
    useTypes: ['subscription_stream', 'download'],
    leadTimeBusinessDays: 8,
    rulePack: 'b',
  }),
  store('hanami', 'Hanami', 'JP', {
    audioFormats: ['wav'],
    useTypes: ['ad_supported_stream', 'download'],
    preOrder: true,
    leadTimeBusinessDays: 15,
    takedownMethod: 'end_deal',
    ernVersion: '4.3',
    maxConcurrentSends: 1,
  }),
  store('indigo', 'Indigo Radio', 'US', {
    useTypes: ['ad_supported_stream'],
    leadTimeBusinessDays: 1,
  }),
  store('jangala', 'Jangala', `IN BD LK NP ${southEastAsia}`, {
    confirmation: 'ingest',
    rulePack: 'b',
  }),
  store('kilima', 'Kilima', africa, { leadTimeBusinessDays: 4, ernVersion: '4.3' }),
  store('lanternfish', 'Lanternfish', 'CN HK MO TW', {
    takedown: false,
    leadTimeBusinessDays: 12,
    rulePack: 'a',
  }),
];

/** The stores of the network and their territories (spec §4.2, contract §4). */

import { Type } from 'typebox';
import { findOrganization, isLicensedFor } from '../../identity/face.ts';
import { Problem } from '../../kernel/problem.ts';
import { territoryName } from '../../kernel/territory.ts';
import { useTypes } from '../../kernel/use-type.ts';
import { resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import type { MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { closed, OneOf, PageOf, pageQuery } from '../../platform/http/schema.ts';
import { presentStore } from '../domain/present-store.ts';
import {
  audioFormats,
  confirmations,
  ernVersions,
  isSlug,
  type Store,
  storeStatuses,
  takedownMethods,
} from '../domain/store.ts';
import { allStores, findStore, listStores } from '../store/stores.ts';
import { storeExamples } from './store-examples.ts';

const tag = 'Stores';
const territoryCode = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'The ISO 3166-1 alpha-2 code of a territory.',
  examples: ['DE'],
});

const StoreBody = Type.Object(
  {
    store_id: Type.String({
      description: 'The id of the store, a short name.',
      examples: ['aurora'],
    }),
    name: Type.String({ description: 'The name of the store.' }),
    territory_codes: Type.Array(territoryCode, {
      description: 'The territories in which the store sells, as ISO 3166-1 alpha-2 codes.',
    }),
    capabilities: Type.Object(
      {
        audio_formats: Type.Array(OneOf(audioFormats), {
          description: 'The audio formats that the store accepts.',
        }),
        use_types: Type.Array(OneOf(useTypes), { description: 'How the store offers music.' }),
        pre_order: Type.Boolean({ description: '`true`: the store takes a `pre_order_date`.' }),
        takedown: Type.Boolean({
          description: '`true`: the store takes a release down when we ask it to.',
        }),
        takedown_method: OneOf(takedownMethods, {
          description: 'How the takedown message is written: with ended deals, or without a deal.',
        }),
        update: Type.Boolean({
          description: '`true`: the store accepts a newer revision of a release that it has.',
        }),
        confirmation: OneOf(confirmations, {
          description:
            '`live`: the store announces that a release is available. `ingest`: it only confirms that it has ingested the release. `none`: it answers only if there is an error.',
        }),
        ern_version: OneOf(ernVersions, {
          description: 'The version of DDEX ERN that the store reads.',
        }),
        lead_time_business_days: Type.Integer({
          description:
            'How many business days before the release date the store needs a new release.',
        }),
      },
      { ...closed, title: 'StoreCapabilities' },
    ),
    status: OneOf(storeStatuses, {
      description:
        '`active`: the store gets deliveries. `paused`: deliveries wait until it is active again.',
    }),
  },
  { ...closed, title: 'Store' },
);

const TerritoryList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          territory_code: territoryCode,
          name: Type.String({
            description: 'The English name of the territory.',
            examples: ['Germany'],
          }),
          stores: Type.Array(
            Type.String({ description: 'The `store_id` of a store that sells in this territory.' }),
            { description: 'The `store_id` of each store that sells in this territory.' },
          ),
        },
        { ...closed, title: 'Territory' },
      ),
      {
        description:
          'The territories that the network supports and that your organization is licensed for, by code.',
      },
    ),
  },
  { ...closed, title: 'TerritoryList' },
);

const StoreListQuery = Type.Object(
  {
    territory_code: Type.Optional(
      Type.String({
        format: 'territory-code',
        description: 'Only stores that sell in the territory with this ISO 3166-1 alpha-2 code.',
        examples: ['DE'],
      }),
    ),
    ...pageQuery,
  },
  closed,
);

export function storeRoutes(server: Server, deps: MutationDeps): void {
  territoriesRoute(server, deps);
  storesRoutes(server, deps);
}

function storesRoutes(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'listStores',
      tag,
      summary: 'List stores',
      description:
        'Returns a page of stores with their territories and capabilities, by `store_id`.',
      method: 'GET',
      path: '/v1/stores',
      scope: 'stores:read',
      query: StoreListQuery,
      answers: { 200: PageOf('StorePage', StoreBody) },
      examples: storeExamples.listStores,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller, query }) => {
      const list = openList(keyring, caller.orgId, 'stores', query);
      const page = await ask((tenant) => listStores(tenant, query.territory_code, list.page));
      return list.answer(page, presentStore);
    },
  );
  read(
    server,
    db,
    {
      id: 'getStore',
      tag,
      summary: 'Get a store',
      description: 'Returns the store with its territories and capabilities.',
      method: 'GET',
      path: '/v1/stores/:store_id',
      scope: 'stores:read',
      params: Type.Object({
        store_id: Type.String({
          description: 'The `store_id` of a store. `GET /v1/stores` lists the stores.',
          examples: ['aurora'],
        }),
      }),
      answers: { 200: StoreBody },
      examples: storeExamples.getStore,
      problems: ['resource_not_found'],
    },
    async (ask, { params }) => {
      const { store_id: id } = params;
      const store = isSlug(id) ? await ask((tenant) => findStore(tenant, id)) : undefined;
      if (store === undefined) {
        throw new Problem(
          'resource_not_found',
          'No store has this store_id. GET /v1/stores lists the stores.',
        );
      }
      return resource(presentStore(store));
    },
  );
}

function territoriesRoute(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'listTerritories',
      tag,
      summary: 'List territories',
      description:
        'Returns the territories that the network supports and that your organization is licensed for.',
      method: 'GET',
      path: '/v1/stores/territories',
      scope: 'stores:read',
      answers: { 200: TerritoryList },
      examples: storeExamples.listTerritories,
      problems: [],
    },
    async (ask, { caller: { orgId } }) => {
      const [organization, stores] = await Promise.all([
        ask((tenant) => findOrganization(tenant, orgId)),
        ask((tenant) => allStores(tenant)),
      ]);
      const licensed = organization?.licensedTerritories ?? [];
      return resource({
        data: [...storesByTerritory(stores)]
          .filter(([code]) => isLicensedFor(licensed, code))
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([code, ids]) => ({ territory_code: code, name: territoryName(code), stores: ids })),
      });
    },
  );
}

function storesByTerritory(stores: readonly Store[]): ReadonlyMap<string, readonly string[]> {
  const byTerritory = new Map<string, string[]>();
  for (const { storeId, territoryCodes } of stores) {
    for (const code of territoryCodes) {
      byTerritory.set(code, [...(byTerritory.get(code) ?? []), storeId]);
    }
  }
  return byTerritory;
}

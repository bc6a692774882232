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
import {
  audioFormats,
  confirmations,
  ernVersions,
  isSlug,
  slug,
  type Store,
  storeStatuses,
  takedownMethods,
} from '../domain/store.ts';
import { allStores, findStore, listStores } from '../store/stores.ts';

const tag = 'Stores';
const territoryCode = Type.String({ pattern: '^[A-Z]{2}$', examples: ['DE'] });

const StoreBody = Type.Object(
  {
    store_id: Type.String({ examples: ['aurora'] }),
    name: Type.String(),
    territory_codes: Type.Array(territoryCode),
    capabilities: Type.Object(
      {
        audio_formats: Type.Array(OneOf(audioFormats)),
        use_types: Type.Array(OneOf(useTypes)),
        pre_order: Type.Boolean({ description: 'Whether it takes a pre_order_date.' }),
        takedown: Type.Boolean({
          description: 'Whether it takes a release down when we ask it to.',
        }),
        takedown_method: OneOf(takedownMethods, {
          description: 'How the takedown message is written: with ended deals, or without a deal.',
        }),
        update: Type.Boolean({
          description: 'Whether it accepts a newer revision of a release it has.',
        }),
        confirmation: OneOf(confirmations, {
          description:
            'live: it announces that a release is available. ingest: it only confirms that it has ingested it. none: it answers only if there is an error.',
        }),
        ern_version: OneOf(ernVersions),
        lead_time_business_days: Type.Integer(),
      },
      { ...closed, title: 'StoreCapabilities' },
    ),
    status: OneOf(storeStatuses),
  },
  { ...closed, title: 'Store' },
);

const TerritoryList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          territory_code: territoryCode,
          name: Type.String({ examples: ['Germany'] }),
          stores: Type.Array(Type.String({ description: 'store_id' })),
        },
        { ...closed, title: 'Territory' },
      ),
    ),
  },
  { ...closed, title: 'TerritoryList' },
);

const StoreListQuery = Type.Object(
  {
    territory_code: Type.Optional(
      Type.String({ format: 'territory-code', pattern: '^[A-Z]{2}$', examples: ['DE'] }),
    ),
    ...pageQuery,
  },
  closed,
);

const presentStore = ({ storeId, name, territoryCodes, capabilities, status }: Store) => ({
  store_id: storeId,
  name,
  territory_codes: territoryCodes,
  capabilities: {
    audio_formats: capabilities.audioFormats,
    use_types: capabilities.useTypes,
    pre_order: capabilities.preOrder,
    takedown: capabilities.takedown,
    takedown_method: capabilities.takedownMethod,
    update: capabilities.update,
    confirmation: capabilities.confirmation,
    ern_version: capabilities.ernVersion,
    lead_time_business_days: capabilities.leadTimeBusinessDays,
  },
  status,
});

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
        'The stores of the network with their territories and capabilities, by store_id.',
      method: 'GET',
      path: '/v1/stores',
      scope: 'stores:read',
      query: StoreListQuery,
      answers: { 200: PageOf('StorePage', StoreBody) },
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
      method: 'GET',
      path: '/v1/stores/:store_id',
      scope: 'stores:read',
      params: Type.Object({ store_id: Type.String({ pattern: slug, examples: ['aurora'] }) }),
      answers: { 200: StoreBody },
      problems: ['resource_not_found'],
    },
    async (ask, { params }) => {
      const { store_id: id } = params;
      const store = isSlug(id) ? await ask((tenant) => findStore(tenant, id)) : undefined;
      if (store === undefined) {
        throw new Problem('resource_not_found', 'There is no store with this id.');
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
        'The territories that the network supports and your organization is licensed for.',
      method: 'GET',
      path: '/v1/stores/territories',
      scope: 'stores:read',
      answers: { 200: TerritoryList },
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

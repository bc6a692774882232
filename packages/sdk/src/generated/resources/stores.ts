/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type { ListStoresQuery, Store, StorePage, TerritoryList } from '../schema.ts';

/** Stores. */
export class StoresResource extends Resource {
  /**
   * List territories.
   *
   * Returns the territories that the network supports and that your organization is licensed for.
   *
   * Scope: `stores:read`.
   *
   * @see operation `listTerritories`
   */
  listTerritories(options?: RequestOptions): ApiCall<TerritoryList> {
    return this.client.call({ method: 'GET', path: '/v1/stores/territories', options });
  }

  /**
   * List stores.
   *
   * Returns a page of stores with their territories and capabilities, by `store_id`.
   *
   * Scope: `stores:read`.
   *
   * @see operation `listStores`
   */
  list(query?: ListStoresQuery, options?: RequestOptions): Pager<Store, StorePage> {
    return this.client.list({ method: 'GET', path: '/v1/stores', query, options });
  }

  /**
   * Get a store.
   *
   * Returns the store with its territories and capabilities.
   *
   * Scope: `stores:read`.
   *
   * @see operation `getStore`
   */
  get(storeId: string, options?: ReadOptions): ApiCall<Store> {
    return this.client.call({
      method: 'GET',
      path: `/v1/stores/${segment(storeId, 'store_id')}`,
      options,
    });
  }
}

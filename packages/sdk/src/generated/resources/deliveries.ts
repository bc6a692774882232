/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  ChangedDelivery,
  CreateDelivery,
  Delivery,
  DeliveryDryRun,
  DeliveryPage,
  DeliveryStoreWithAllTerritories,
  DeliveryTimelineEntry,
  DeliveryTimelinePage,
  DryRunDelivery,
  GetDeliveryTimelineQuery,
  ListDeliveriesQuery,
  ListDeliveryStoreMessagesQuery,
  ResubmitDelivery,
  StoreMessage,
  StoreMessagePage,
  TakeDownDelivery,
  UpdateDelivery,
} from '../schema.ts';

/** Deliveries. */
export class DeliveriesResource extends Resource {
  /**
   * Deliver a release.
   *
   * Delivers a submitted release to the stores and territories that you choose, and returns the delivery. Each store progresses by itself: follow it with `GET /v1/deliveries/{delivery_id}`, the timeline, or events. While the release is in review, its stores are `pending`.
   *
   * Scope: `deliveries:write`.
   *
   * @see operation `createDelivery`
   */
  create(body: CreateDelivery, options?: WriteOptions): ApiCall<Delivery> {
    return this.client.call({
      method: 'POST',
      path: '/v1/deliveries',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * List deliveries.
   *
   * Returns a page of deliveries, newest first. Filter by status, release or store.
   *
   * Scope: `deliveries:read`.
   *
   * @see operation `listDeliveries`
   */
  list(query?: ListDeliveriesQuery, options?: RequestOptions): Pager<Delivery, DeliveryPage> {
    return this.client.list({ method: 'GET', path: '/v1/deliveries', query, options });
  }

  /**
   * Get a delivery.
   *
   * Returns the delivery with its aggregate status and the state of each store.
   *
   * Scope: `deliveries:read`.
   *
   * @see operation `getDelivery`
   */
  get(deliveryId: string, options?: ReadOptions): ApiCall<Delivery> {
    return this.client.call({
      method: 'GET',
      path: `/v1/deliveries/${segment(deliveryId, 'delivery_id')}`,
      options,
    });
  }

  /**
   * Get a store of a delivery.
   *
   * Returns the state of one store of the delivery, with all of its territory codes and every track whose rights differ from those of the release.
   *
   * Scope: `deliveries:read`.
   *
   * @see operation `getDeliveryStore`
   */
  getStore(
    deliveryId: string,
    storeId: string,
    options?: ReadOptions,
  ): ApiCall<DeliveryStoreWithAllTerritories> {
    return this.client.call({
      method: 'GET',
      path: `/v1/deliveries/${segment(deliveryId, 'delivery_id')}/stores/${segment(storeId, 'store_id')}`,
      options,
    });
  }

  /**
   * Read the timeline of a delivery.
   *
   * Returns a page of the history of the delivery, newest first: every request and every step of every store. Entries are added and never changed.
   *
   * Scope: `deliveries:read`.
   *
   * @see operation `getDeliveryTimeline`
   */
  listTimeline(
    deliveryId: string,
    query?: GetDeliveryTimelineQuery,
    options?: RequestOptions,
  ): Pager<DeliveryTimelineEntry, DeliveryTimelinePage> {
    return this.client.list({
      method: 'GET',
      path: `/v1/deliveries/${segment(deliveryId, 'delivery_id')}/timeline`,
      query,
      options,
    });
  }

  /**
   * List the messages to a store.
   *
   * Returns a page of the messages that the store was sent in this delivery, newest first: each with the XML and the digest of what was sent, the files, and what the store answered. A page ends early if its messages are large. They are kept as long as the delivery. A simulated store is sent no XML: its messages have the answers only; `POST /v1/deliveries/dry_run` shows the message that a real store would get.
   *
   * Scope: `deliveries:read`.
   *
   * @see operation `listDeliveryStoreMessages`
   */
  listStoreMessages(
    deliveryId: string,
    storeId: string,
    query?: ListDeliveryStoreMessagesQuery,
    options?: RequestOptions,
  ): Pager<StoreMessage, StoreMessagePage> {
    return this.client.list({
      method: 'GET',
      path: `/v1/deliveries/${segment(deliveryId, 'delivery_id')}/stores/${segment(storeId, 'store_id')}/messages`,
      query,
      options,
    });
  }

  /**
   * Resubmit a delivery.
   *
   * Sends the corrected release to the stores that rejected or flagged it, and to no others. The delivery keeps its id, so that stores see no duplicate. Returns the delivery; `skipped` lists the stores that were left out, each with the reason.
   *
   * Scope: `deliveries:write`.
   *
   * @see operation `resubmitDelivery`
   */
  resubmit(
    deliveryId: string,
    body?: ResubmitDelivery,
    options?: WriteOptions,
  ): ApiCall<ChangedDelivery> {
    return this.client.call({
      method: 'POST',
      path: `/v1/deliveries/${segment(deliveryId, 'delivery_id')}/resubmit`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Update stores.
   *
   * Sends the release as it is now, or other territories, to the stores that have it. Each store offers the old revision until it confirms the update; until then the update is in `update`. The release date of a live release cannot be moved into the future: such an update is rejected with `live_date_moved`. Returns the delivery; `skipped` lists the stores that were left out, each with the reason.
   *
   * Scope: `deliveries:write`.
   *
   * @see operation `updateDelivery`
   */
  update(
    deliveryId: string,
    body?: UpdateDelivery,
    options?: WriteOptions,
  ): ApiCall<ChangedDelivery> {
    return this.client.call({
      method: 'POST',
      path: `/v1/deliveries/${segment(deliveryId, 'delivery_id')}/update`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Take a delivery down.
   *
   * Takes the release down and returns the delivery. Stores that have the release are asked to remove it, which typically takes 24 to 72 hours. Stores that were not sent the release yet are canceled. Stores that are receiving it are asked to remove it as soon as they confirm it. Stores that rejected it are closed. `skipped` lists the other stores, each with the reason.
   *
   * Scope: `deliveries:write`.
   *
   * @see operation `takeDownDelivery`
   */
  takedown(
    deliveryId: string,
    body?: TakeDownDelivery,
    options?: WriteOptions,
  ): ApiCall<ChangedDelivery> {
    return this.client.call({
      method: 'POST',
      path: `/v1/deliveries/${segment(deliveryId, 'delivery_id')}/takedown`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Try a delivery.
   *
   * Returns what `POST /v1/deliveries` would do with the same body, or `POST /v1/deliveries/{delivery_id}/update` if you send `delivery_id`: the territories and use types of each store and track, the findings of the store rules, the files with their hashes, and the message of DDEX ERN with what it carries of the release. A dry run is refused for the same reasons, and changes nothing.
   *
   * Scope: `deliveries:read`, `releases:read`, `tracks:read`.
   *
   * @see operation `dryRunDelivery`
   */
  dryRun(body?: DryRunDelivery, options?: WriteOptions): ApiCall<DeliveryDryRun> {
    return this.client.call({
      method: 'POST',
      path: '/v1/deliveries/dry_run',
      body,
      takesKey: true,
      options,
    });
  }
}

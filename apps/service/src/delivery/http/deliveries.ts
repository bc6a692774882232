/** Creating and reading deliveries and their timelines (spec §4.2, contract §4). */

import { parseId } from '../../kernel/ids.ts';
import { isSlug } from '../../network/face.ts';
import { created, resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { createDelivery } from '../commands/create-delivery.ts';
import { type DeliveryId, deliveryNotFound, deliveryStoreNotFound } from '../domain/delivery.ts';
import { presentDelivery, presentFullStoreDelivery } from '../domain/present-delivery.ts';
import { findDelivery, listDeliveries } from '../store/deliveries.ts';
import {
  findStoreDelivery,
  listStoreDeliveries,
  listStoreDeliveriesOfAll,
} from '../store/store-deliveries.ts';
import { listTimelineEntries, type StoredTimelineEntry } from '../store/timeline.ts';
import { deliveryExamples } from './delivery-operation-examples.ts';
import {
  CreateDeliveryBody,
  DeliveryBody,
  DeliveryListQuery,
  DeliveryPage,
  DeliveryPath,
  DeliveryStorePath,
  TimelinePage,
  TimelineQuery,
} from './delivery-schemas.ts';
import { FullDeliveryStoreBody } from './delivery-store-schemas.ts';

export const deliveryTag = 'Deliveries';

export function deliveryRoutes(server: Server, deps: MutationDeps): void {
  createRoute(server, deps);
  getRoute(server, deps);
  listRoute(server, deps);
  storeRoute(server, deps);
  timelineRoute(server, deps);
}

export function parseDeliveryId(params: { readonly delivery_id: string }): DeliveryId {
  const id = parseId('dlv', params.delivery_id);
  if (id === undefined) throw deliveryNotFound();
  return id;
}

function createRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createDelivery',
      action: 'delivery.create',
      effect: 'creates',
      tag: deliveryTag,
      summary: 'Deliver a release',
      description:
        'Delivers a submitted release to the stores and territories that you choose, and returns the delivery. Each store progresses by itself: follow it with `GET /v1/deliveries/{delivery_id}`, the timeline, or events. While the release is in review, its stores are `pending`.',
      method: 'POST',
      path: '/v1/deliveries',
      scope: 'deliveries:write',
      body: CreateDeliveryBody,
      answers: { 201: DeliveryBody },
      examples: deliveryExamples.createDelivery,
      problems: [
        'territory_not_supported',
        'invalid_state',
        'asset_not_ready',
        'duplicate_submission',
      ],
    },
    async (tx, { body }) => {
      const { delivery, storeDeliveries } = await createDelivery(tx, {
        releaseId: parseId('rel', body.release_id),
        stores: body.stores,
        territoryCodes: body.territory_codes,
        reference: body.reference ?? null,
        metadata: body.metadata ?? {},
      });
      const answer = created(
        presentDelivery(delivery, storeDeliveries),
        `/v1/deliveries/${delivery.id}`,
      );
      return { answer, auditedId: delivery.id, before: undefined };
    },
  );
}

function getRoute(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'getDelivery',
      tag: deliveryTag,
      summary: 'Get a delivery',
      description: 'Returns the delivery with its aggregate status and the state of each store.',
      method: 'GET',
      path: '/v1/deliveries/:delivery_id',
      scope: 'deliveries:read',
      params: DeliveryPath,
      answers: { 200: DeliveryBody },
      examples: deliveryExamples.getDelivery,
      problems: ['resource_not_found'],
    },
    async (_ask, { caller: { orgId }, params }) => {
      const id = parseDeliveryId(params);
      // One snapshot of the database, so that the status agrees with the stores.
      const found = await db.readTogether(orgId, (tenant) =>
        Promise.all([findDelivery(tenant, orgId, id), listStoreDeliveries(tenant, orgId, id)]),
      );
      const [delivery, storeDeliveries] = found;
      if (delivery === undefined) throw deliveryNotFound();
      return resource(presentDelivery(delivery, storeDeliveries));
    },
  );
}

function storeRoute(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'getDeliveryStore',
      tag: deliveryTag,
      summary: 'Get a store of a delivery',
      description:
        'Returns the state of one store of the delivery, with all of its territory codes and every track whose rights differ from those of the release.',
      method: 'GET',
      path: '/v1/deliveries/:delivery_id/stores/:store_id',
      scope: 'deliveries:read',
      params: DeliveryStorePath,
      answers: { 200: FullDeliveryStoreBody },
      examples: deliveryExamples.getDeliveryStore,
      problems: ['resource_not_found'],
    },
    async (_ask, { caller: { orgId }, params }) => {
      const id = parseDeliveryId(params);
      // Text that is no store_id may not be storable either.
      if (!isSlug(params.store_id)) throw deliveryStoreNotFound();
      const [delivery, storeDelivery] = await db.readTogether(orgId, (tenant) =>
        Promise.all([
          findDelivery(tenant, orgId, id),
          findStoreDelivery(tenant, orgId, id, params.store_id),
        ]),
      );
      if (delivery === undefined) throw deliveryNotFound();
      if (storeDelivery === undefined) throw deliveryStoreNotFound();
      return resource(presentFullStoreDelivery(storeDelivery, delivery));
    },
  );
}

function listRoute(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'listDeliveries',
      tag: deliveryTag,
      summary: 'List deliveries',
      description:
        'Returns a page of deliveries, newest first. Filter by status, release or store.',
      method: 'GET',
      path: '/v1/deliveries',
      scope: 'deliveries:read',
      query: DeliveryListQuery,
      answers: { 200: DeliveryPage },
      examples: deliveryExamples.listDeliveries,
      problems: ['invalid_cursor'],
    },
    async (_ask, { caller: { orgId }, query }) => {
      const { status, release_id: releaseText, store_id: storeId } = query;
      const list = openList(keyring, orgId, 'deliveries', query);
      const releaseId = releaseText === undefined ? undefined : parseId('rel', releaseText);
      const filters = { status, releaseId, storeId };
      const { page, storeDeliveries } = await db.readTogether(orgId, async (tenant) => {
        const found = await listDeliveries(tenant, orgId, filters, list.page);
        const ids = found.items.map(({ id }) => id);
        return { page: found, storeDeliveries: await listStoreDeliveriesOfAll(tenant, orgId, ids) };
      });
      return list.answer(page, (delivery) =>
        presentDelivery(delivery, storeDeliveries.get(delivery.id) ?? []),
      );
    },
  );
}

function timelineRoute(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'getDeliveryTimeline',
      tag: deliveryTag,
      summary: 'Read the timeline of a delivery',
      description:
        'Returns a page of the history of the delivery, newest first: every request and every step of every store. Entries are added and never changed.',
      method: 'GET',
      path: '/v1/deliveries/:delivery_id/timeline',
      scope: 'deliveries:read',
      params: DeliveryPath,
      query: TimelineQuery,
      answers: { 200: TimelinePage },
      examples: deliveryExamples.getDeliveryTimeline,
      problems: ['resource_not_found', 'invalid_cursor'],
    },
    async (_ask, { caller: { orgId }, params, query }) => {
      const id = parseDeliveryId(params);
      const list = openList(keyring, orgId, `timeline/${id}`, query);
      const [delivery, page] = await db.readTogether(orgId, (tenant) =>
        Promise.all([
          findDelivery(tenant, orgId, id),
          listTimelineEntries(tenant, orgId, id, query.store_id, list.page),
        ]),
      );
      if (delivery === undefined) throw deliveryNotFound();
      return list.answer(page, presentEntry);
    },
  );
}

const presentEntry = ({ type, storeId, data, createdAt }: StoredTimelineEntry) => ({
  type,
  at: createdAt.toISOString(),
  store_id: storeId,
  ...data,
});

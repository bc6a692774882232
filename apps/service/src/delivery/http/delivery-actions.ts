/** Resubmit, update and take down a delivery (contract §3, §4). */

import { resource } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps, type MutationResult } from '../../platform/http/mutation.ts';
import type { ChangedDelivery } from '../commands/resend.ts';
import { resubmitDelivery } from '../commands/resubmit-delivery.ts';
import { takeDownDelivery } from '../commands/take-down-delivery.ts';
import { updateStores } from '../commands/update-stores.ts';
import { presentDelivery } from '../domain/present-delivery.ts';
import { parseDeliveryId, deliveryTag } from './deliveries.ts';
import { deliveryExamples } from './delivery-operation-examples.ts';
import {
  ChangedDeliveryBody,
  DeliveryPath,
  ResubmitBody,
  TakedownBody,
  UpdateBody,
} from './delivery-schemas.ts';

export function deliveryActionRoutes(server: Server, deps: MutationDeps): void {
  resubmitRoute(server, deps);
  updateRoute(server, deps);
  takedownRoute(server, deps);
}

const common = {
  tag: deliveryTag,
  method: 'POST',
  scope: 'deliveries:write',
  params: DeliveryPath,
  answers: { 200: ChangedDeliveryBody },
} as const;

const toMutationResult = ({ before, after, skipped }: ChangedDelivery): MutationResult => {
  const presented = presentDelivery(after.delivery, after.storeDeliveries);
  return {
    answer: resource({ ...presented, skipped }),
    auditedId: after.delivery.id,
    before: presentDelivery(before.delivery, before.storeDeliveries),
    after: presented,
  };
};

function resubmitRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'resubmitDelivery',
      action: 'delivery.resubmit',
      effect: 'withdraws',
      summary: 'Resubmit a delivery',
      description:
        'Sends the corrected release to the stores that rejected or flagged it, and to no others. The delivery keeps its id, so that stores see no duplicate. Returns the delivery; `skipped` lists the stores that were left out, each with the reason.',
      path: '/v1/deliveries/:delivery_id/resubmit',
      body: ResubmitBody,
      examples: deliveryExamples.resubmitDelivery,
      problems: [
        'resource_not_found',
        'invalid_state',
        'nothing_changed',
        'asset_not_ready',
        'territory_not_supported',
      ],
    },
    async (tx, { params, body }) =>
      toMutationResult(
        await resubmitDelivery(tx, parseDeliveryId(params), {
          stores: body.stores,
          force: body.force ?? false,
        }),
      ),
  );
}

function updateRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'updateDelivery',
      action: 'delivery.update',
      effect: 'withdraws',
      summary: 'Update stores',
      description:
        'Sends the release as it is now, or other territories, to the stores that have it. Each store offers the old revision until it confirms the update; until then the update is in `update`. The release date of a live release cannot be moved into the future: such an update is rejected with `live_date_moved`. Returns the delivery; `skipped` lists the stores that were left out, each with the reason.',
      path: '/v1/deliveries/:delivery_id/update',
      body: UpdateBody,
      examples: deliveryExamples.updateDelivery,
      problems: [
        'resource_not_found',
        'invalid_state',
        'nothing_changed',
        'asset_not_ready',
        'territory_not_supported',
      ],
    },
    async (tx, { params, body }) =>
      toMutationResult(
        await updateStores(tx, parseDeliveryId(params), {
          stores: body.stores,
          territoryCodes: body.territory_codes,
        }),
      ),
  );
}

function takedownRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'takeDownDelivery',
      action: 'delivery.takedown',
      effect: 'withdraws',
      summary: 'Take a delivery down',
      description:
        'Takes the release down and returns the delivery. Stores that have the release are asked to remove it, which typically takes 24 to 72 hours. Stores that were not sent the release yet are canceled. Stores that are receiving it are asked to remove it as soon as they confirm it. Stores that rejected it are closed. `skipped` lists the other stores, each with the reason.',
      path: '/v1/deliveries/:delivery_id/takedown',
      body: TakedownBody,
      examples: deliveryExamples.takeDownDelivery,
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params, body }) =>
      toMutationResult(
        await takeDownDelivery(tx, parseDeliveryId(params), {
          stores: body.stores,
          reason: body.reason,
        }),
      ),
  );
}

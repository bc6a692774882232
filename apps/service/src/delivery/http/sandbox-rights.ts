/** In the sandbox, a partner decides the rights review of its own delivery (contract §3). */

import { Type } from 'typebox';
import { Problem } from '../../kernel/problem.ts';
import { resource } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { closed, OneOf } from '../../platform/http/schema.ts';
import { grantRights, refuseRights } from '../commands/decide-rights.ts';
import { lockChosenStores } from '../commands/lock-chosen-stores.ts';
import { deliveryNotFound } from '../domain/delivery.ts';
import { presentDelivery } from '../domain/present-delivery.ts';
import { findDelivery } from '../store/deliveries.ts';
import { listStoreDeliveries } from '../store/store-deliveries.ts';
import { parseDeliveryId } from './deliveries.ts';
import { rightsReviewExamples } from './delivery-operation-examples.ts';
import { DeliveryBody, DeliveryPath } from './delivery-schemas.ts';

const DecideRightsBody = Type.Object(
  {
    decision: OneOf(['grant', 'refuse'], {
      description:
        '`grant`: the release is sent to the stores that wait. `refuse`: they are `rejected` with `rights_conflict`.',
    }),
  },
  { ...closed, title: 'DecideRights' },
);

const reason = 'As you decided in the sandbox.';

export function sandboxRightsRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'decideSandboxRights',
      action: 'sandbox.rights.decide',
      effect: 'changes',
      tag: 'Sandbox',
      summary: 'Decide a rights review',
      description:
        'Decides the review of a release whose stores wait for `rights_review`, as our support does in live, and returns the delivery. In the sandbox another organization holds every ISRC of the registrant `HLD`, such as `QZ-HLD-26-00001`, and no other.',
      method: 'POST',
      path: '/v1/sandbox/deliveries/:delivery_id/rights_review',
      scope: 'sandbox:write',
      params: DeliveryPath,
      body: DecideRightsBody,
      answers: { 200: DeliveryBody },
      examples: rightsReviewExamples.decideSandboxRights,
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params, body }) => {
      const id = parseDeliveryId(params);
      const delivery = await findDelivery(tx, tx.orgId, id);
      if (delivery === undefined) throw deliveryNotFound();
      const before = await listStoreDeliveries(tx, tx.orgId, id);
      if (!before.some(({ waitingFor }) => waitingFor === 'rights_review'))
        throw new Problem('invalid_state', 'No store of this delivery waits for rights_review.');
      // They lock all deliveries of the release, in the order of their ids.
      if (body.decision === 'grant') await grantRights(tx, delivery.releaseId, reason);
      else await refuseRights(tx, delivery.releaseId, reason);
      const after = await lockChosenStores(tx, id, undefined);
      return {
        answer: resource(presentDelivery(after.delivery, after.storeDeliveries)),
        auditedId: id,
        before: presentDelivery(delivery, before),
      };
    },
  );
}

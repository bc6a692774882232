/** In the sandbox, a partner decides the rights review of its own delivery (contract §3). */

import { Type } from 'typebox';
import { resource } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { closed, OneOf } from '../../platform/http/schema.ts';
import { grantRights, refuseRights } from '../commands/decide-rights.ts';
import { lockChosenStores } from '../commands/lock-chosen-stores.ts';
import { presentDelivery } from '../domain/present-delivery.ts';
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

const refusal = 'Another organization has the rights, as you decided in the sandbox.';

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
      const { before } = await lockChosenStores(tx, id, undefined);
      const { releaseId } = before.delivery;
      if (body.decision === 'grant') await grantRights(tx, releaseId);
      else await refuseRights(tx, releaseId, refusal);
      const after = await lockChosenStores(tx, id, undefined);
      return {
        answer: resource(presentDelivery(after.delivery, after.storeDeliveries)),
        auditedId: id,
        before: presentDelivery(before.delivery, before.storeDeliveries),
      };
    },
  );
}

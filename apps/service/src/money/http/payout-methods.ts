import { parseId } from '../../kernel/ids.ts';
import { created, resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { changedResource, removedResource } from '../../platform/http/mutation-result.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { approvePayoutMethod } from '../commands/approve-payout-method.ts';
import { createPayoutMethod } from '../commands/create-payout-method.ts';
import { removePayoutMethod } from '../commands/remove-payout-method.ts';
import { payoutMethodNotFound, presentPayoutMethod } from '../domain/payout-method.ts';
import type { PayoutMethodId } from '../domain/payout.ts';
import { findPayoutMethod, listPayoutMethods } from '../store/payout-methods.ts';
import { payoutMethodExamples } from './payout-method-examples.ts';
import {
  CreatePayoutMethodBody,
  PayoutMethodBody,
  PayoutMethodListQuery,
  PayoutMethodPage,
  PayoutMethodPath,
} from './payout-method-schemas.ts';

const tag = 'Payout methods';

const methodIdOf = (params: { readonly payout_method_id: string }): PayoutMethodId => {
  const id = parseId('pm', params.payout_method_id);
  if (id === undefined) throw payoutMethodNotFound();
  return id;
};

export function payoutMethodRoutes(server: Server, deps: MutationDeps): void {
  createRoute(server, deps);
  readRoutes(server, deps);
  approveRoute(server, deps);
  removeRoute(server, deps);
}

function createRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createPayoutMethod',
      action: 'payout_method.create',
      effect: 'moves_money',
      tag,
      summary: 'Create a payout method',
      description:
        'Adds a bank account or a wallet that payouts can go to, and returns it with its last four characters. Its details are stored encrypted and never shown. It can be used 72 hours after it became active. Your payouts that are `pending` get the hold `payout_method_changed` for 72 hours. If your organization has dual control, the method waits for an approval with another credential. Your organization can have 20 payout methods: 409 `invalid_state`.',
      method: 'POST',
      path: '/v1/payout_methods',
      scope: 'payouts:write',
      body: CreatePayoutMethodBody,
      forgetsRefusedBodies: true,
      answers: { 201: PayoutMethodBody },
      examples: payoutMethodExamples.createPayoutMethod,
      problems: ['invalid_state'],
    },
    async (tx, { body }) => {
      const { type, country, currency, ...details } = body;
      const method = await createPayoutMethod(tx, deps.keyring, {
        type,
        country,
        currency,
        details,
      });
      return {
        answer: created(presentPayoutMethod(method), `/v1/payout_methods/${method.id}`),
        auditedId: method.id,
        before: undefined,
      };
    },
  );
}

function readRoutes(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'getPayoutMethod',
      tag,
      summary: 'Get a payout method',
      description: 'Returns the payout method, also one that was removed.',
      method: 'GET',
      path: '/v1/payout_methods/:payout_method_id',
      scope: 'payouts:read',
      params: PayoutMethodPath,
      answers: { 200: PayoutMethodBody },
      examples: payoutMethodExamples.getPayoutMethod,
      problems: ['resource_not_found'],
    },
    async (ask, { caller, params }) => {
      const id = methodIdOf(params);
      const method = await ask((tenant) => findPayoutMethod(tenant, caller.orgId, id));
      if (method === undefined) throw payoutMethodNotFound();
      return resource(presentPayoutMethod(method));
    },
  );
  read(
    server,
    db,
    {
      id: 'listPayoutMethods',
      tag,
      summary: 'List payout methods',
      description: 'Returns a page of payout methods, newest first, also those that were removed.',
      method: 'GET',
      path: '/v1/payout_methods',
      scope: 'payouts:read',
      query: PayoutMethodListQuery,
      answers: { 200: PayoutMethodPage },
      examples: payoutMethodExamples.listPayoutMethods,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller, query }) => {
      const list = openList(keyring, caller.orgId, 'payout_methods', query);
      const page = await ask((tenant) =>
        listPayoutMethods(tenant, caller.orgId, query.status, list.page),
      );
      return list.answer(page, presentPayoutMethod);
    },
  );
}

function approveRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'approvePayoutMethod',
      action: 'payout_method.approve',
      effect: 'moves_money',
      tag,
      summary: 'Approve a payout method',
      description:
        'Makes a payout method that is `pending_approval` active. The credential must have existed for 72 hours, and it must have been made independently of the one that requested the method: neither was made with the other or with the same third one, directly or through others. Otherwise: 409 `invalid_state`. The 72 hours until the method can be used begin with the approval.',
      method: 'POST',
      path: '/v1/payout_methods/:payout_method_id/approve',
      scope: 'payouts:write',
      params: PayoutMethodPath,
      answers: { 200: PayoutMethodBody },
      examples: payoutMethodExamples.approvePayoutMethod,
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }) =>
      changedResource(await approvePayoutMethod(tx, methodIdOf(params)), presentPayoutMethod),
  );
}

function removeRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'deletePayoutMethod',
      action: 'payout_method.delete',
      effect: 'deletes',
      tag,
      summary: 'Remove a payout method',
      description:
        'Removes a payout method. Payouts that are sent already are not changed; those that are `pending` get the hold `payout_method_changed`. To use the same account again, create it again; then it waits 72 hours again.',
      method: 'DELETE',
      path: '/v1/payout_methods/:payout_method_id',
      scope: 'payouts:write',
      params: PayoutMethodPath,
      answers: { 204: null },
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }) =>
      removedResource(await removePayoutMethod(tx, methodIdOf(params)), presentPayoutMethod),
  );
}

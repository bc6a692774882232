/** Creating, reading and canceling payouts (contract §4). */

import { parseId } from '../../kernel/ids.ts';
import { parseMicros } from '../../kernel/money.ts';
import { invalidField, toProblem } from '../../kernel/problem.ts';
import { created, resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { cancelPayout } from '../commands/cancel-payout.ts';
import { createPayout } from '../commands/create-payout.ts';
import type { Screening } from '../connectors/screening.ts';
import { type PayoutId, payoutNotFound } from '../domain/payout.ts';
import { presentPayout } from '../domain/present-payout.ts';
import { findOpenHolds } from '../store/payout-holds.ts';
import {
  findPayout,
  listPayouts,
  listTransitions,
  type PayoutTransition,
} from '../store/payouts.ts';
import { payoutExamples } from './payout-examples.ts';
import {
  CreatePayoutBody,
  PayoutBody,
  PayoutListQuery,
  PayoutPage,
  PayoutPath,
  TransitionList,
} from './payout-schemas.ts';

const tag = 'Payouts';

export type PayoutDeps = MutationDeps & { readonly screen: Screening };

export function payoutRoutes(server: Server, deps: PayoutDeps): void {
  createRoute(server, deps);
  listRoute(server, deps);
  getRoute(server, deps);
  cancelRoute(server, deps);
  transitionRoute(server, deps);
}

function payoutIdOf(params: { readonly payout_id: string }): PayoutId {
  const id = parseId('pay', params.payout_id);
  if (id === undefined) throw payoutNotFound();
  return id;
}

function createRoute(server: Server, deps: PayoutDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createPayout',
      action: 'payout.create',
      effect: 'moves_money',
      tag,
      summary: 'Create a payout',
      description:
        'Reserves the amount and returns the payout. It is sent at the next cut-off, 12:00 UTC on business days, if no hold is open. A payout in another currency than its payout method costs 0.5 % of the amount and is converted at the rate of its creation. A payout that was not sent within 30 days is canceled. The number of open payouts has a quota: 429 `quota_exceeded`.',
      method: 'POST',
      path: '/v1/payouts',
      scope: 'payouts:write',
      body: CreatePayoutBody,
      answers: { 201: PayoutBody },
      examples: payoutExamples.createPayout,
      problems: [
        'payout_method_missing',
        'tax_profile_missing',
        'below_minimum',
        'insufficient_balance',
        'invalid_state',
        'quota_exceeded',
      ],
    },
    async (tx, { caller, body }) => {
      const amount = parseMicros(body.amount);
      if (amount === undefined) throw toProblem(invalidField('amount', 'must be a decimal'));
      const payout = await createPayout(
        tx,
        {
          amount,
          currency: body.currency,
          payoutMethodId: body.payout_method_id,
          retryOf: body.retry_of,
        },
        { screen: deps.screen, quotas: caller.quotas },
      );
      const { id } = payout.payout;
      const answer = created(presentPayout(payout), `/v1/payouts/${id}`);
      return { answer, auditedId: id, before: undefined };
    },
  );
}

function listRoute(server: Server, { db, keyring }: PayoutDeps): void {
  read(
    server,
    db,
    {
      id: 'listPayouts',
      tag,
      summary: 'List payouts',
      description: 'Returns a page of payouts, newest first. Filter by status or currency.',
      method: 'GET',
      path: '/v1/payouts',
      scope: 'payouts:read',
      query: PayoutListQuery,
      answers: { 200: PayoutPage },
      examples: payoutExamples.listPayouts,
      problems: ['invalid_cursor'],
    },
    async (_ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'payouts', query);
      const filters = { status: query.status, currency: query.currency };
      const { page, holds } = await db.readTogether(orgId, async (tenant) => {
        const found = await listPayouts(tenant, orgId, filters, list.page);
        const ids = found.items.map(({ id }) => id);
        return { page: found, holds: await findOpenHolds(tenant, orgId, ids) };
      });
      return list.answer(page, (payout) =>
        presentPayout({ payout, holds: holds.get(payout.id) ?? [] }),
      );
    },
  );
}

function getRoute(server: Server, { db }: PayoutDeps): void {
  read(
    server,
    db,
    {
      id: 'getPayout',
      tag,
      summary: 'Get a payout',
      description: 'Returns the payout with its open holds.',
      method: 'GET',
      path: '/v1/payouts/:payout_id',
      scope: 'payouts:read',
      params: PayoutPath,
      answers: { 200: PayoutBody },
      examples: payoutExamples.getPayout,
      problems: ['resource_not_found'],
    },
    async (_ask, { caller: { orgId }, params }) => {
      const id = payoutIdOf(params);
      // One snapshot of the database, so that the status agrees with the holds.
      const [payout, holds] = await db.readTogether(orgId, (tenant) =>
        Promise.all([findPayout(tenant, orgId, id), findOpenHolds(tenant, orgId, [id])]),
      );
      if (payout === undefined) throw payoutNotFound();
      return resource(presentPayout({ payout, holds: holds.get(id) ?? [] }));
    },
  );
}

function cancelRoute(server: Server, deps: PayoutDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'cancelPayout',
      action: 'payout.cancel',
      effect: 'moves_money',
      tag,
      summary: 'Cancel a payout',
      description:
        'Cancels a payout that is `pending` or `on_hold`, and returns it. The amount is available again. During a `compliance_review` a payout cannot be canceled.',
      method: 'POST',
      path: '/v1/payouts/:payout_id/cancel',
      scope: 'payouts:write',
      params: PayoutPath,
      answers: { 200: PayoutBody },
      examples: payoutExamples.cancelPayout,
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }) => {
      const { before, after } = await cancelPayout(tx, payoutIdOf(params));
      return {
        answer: resource(presentPayout(after)),
        auditedId: after.payout.id,
        before: presentPayout(before),
      };
    },
  );
}

function transitionRoute(server: Server, { db }: PayoutDeps): void {
  read(
    server,
    db,
    {
      id: 'listPayoutTransitions',
      tag,
      summary: 'List the status changes of a payout',
      description:
        'Returns every change of the status of the payout, the first one first, with its cause.',
      method: 'GET',
      path: '/v1/payouts/:payout_id/transitions',
      scope: 'payouts:read',
      params: PayoutPath,
      answers: { 200: TransitionList },
      examples: payoutExamples.listPayoutTransitions,
      problems: ['resource_not_found'],
    },
    async (ask, { caller: { orgId }, params }) => {
      const id = payoutIdOf(params);
      const transitions = await ask((tenant) => listTransitions(tenant, orgId, id));
      // The creation is the first one, so a payout without any does not exist.
      if (transitions.length === 0) throw payoutNotFound();
      return resource({ data: transitions.map(presentTransition) });
    },
  );
}

const presentTransition = ({ number, from, to, cause, at }: PayoutTransition) => ({
  number,
  from,
  to,
  cause,
  at: at.toISOString(),
});

/** The payout schedule of the partner's own organization (contract §4). */

import { resource, stillMatches } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { editPayoutSchedule } from '../commands/edit-payout-schedule.ts';
import { presentPayoutSchedule } from '../domain/payout-settings.ts';
import { findPayoutSettings } from '../store/payout-settings.ts';
import { PatchPayoutScheduleBody, PayoutScheduleBody } from './payout-schedule-schemas.ts';
import { payoutSettingExamples } from './payout-setting-examples.ts';

const common = { tag: 'Payout settings', path: '/v1/payout_schedule' } as const;

export function payoutScheduleRoutes(server: Server, deps: MutationDeps): void {
  read(
    server,
    deps.db,
    {
      ...common,
      id: 'getPayoutSchedule',
      summary: 'Get your payout schedule',
      description: 'Returns when payouts are created, and from which amount on.',
      method: 'GET',
      scope: 'payouts:read',
      answers: { 200: PayoutScheduleBody },
      examples: payoutSettingExamples.getPayoutSchedule,
      problems: [],
    },
    async (ask, { caller: { orgId } }) =>
      resource(presentPayoutSchedule(await ask((tenant) => findPayoutSettings(tenant, orgId)))),
  );
  patchRoute(server, deps);
}

function patchRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'updatePayoutSchedule',
      action: 'payout_schedule.update',
      effect: 'moves_money',
      summary: 'Update your payout schedule',
      description:
        'Changes only the fields that you send, and returns the schedule. `minimum` replaces all amounts. An automatic payout needs an active payout method and a tax profile; without them, the balance waits for the next month.',
      method: 'PATCH',
      scope: 'payouts:write',
      body: PatchPayoutScheduleBody,
      answers: { 200: PayoutScheduleBody },
      examples: payoutSettingExamples.updatePayoutSchedule,
      problems: ['precondition_failed'],
    },
    async (tx, { body, ifMatch }) => {
      const { before, after } = await editPayoutSchedule(tx, {
        mode: body.mode,
        minimum: body.minimum,
        isExpected: (current) =>
          ifMatch === undefined || stillMatches(ifMatch, presentPayoutSchedule(current)),
      });
      return {
        answer: resource(presentPayoutSchedule(after)),
        auditedId: tx.orgId,
        before: presentPayoutSchedule(before),
      };
    },
  );
}

/** The tax profile of the partner's own organization (contract §4). */

import { findBusinessTime } from '../../identity/face.ts';
import { dayOf } from '../../kernel/calendar-date.ts';
import { resource, stillMatches } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { editTaxProfile } from '../commands/edit-tax-profile.ts';
import { presentTaxProfile, taxProfileNotFound } from '../domain/tax-profile.ts';
import { findTaxProfile } from '../store/tax-profiles.ts';
import { payoutSettingExamples } from './payout-setting-examples.ts';
import { PatchTaxProfileBody, TaxProfileBody } from './tax-profile-schemas.ts';

const common = { tag: 'Payout settings', path: '/v1/tax_profile' } as const;

export function taxProfileRoutes(server: Server, deps: MutationDeps): void {
  getRoute(server, deps);
  patchRoute(server, deps);
}

function getRoute(server: Server, { db, clock }: MutationDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'getTaxProfile',
      summary: 'Get your tax profile',
      description:
        'Returns the tax profile of your organization. Before you have sent one with PATCH: 404 `resource_not_found`.',
      method: 'GET',
      scope: 'payouts:read',
      answers: { 200: TaxProfileBody },
      examples: payoutSettingExamples.getTaxProfile,
      problems: ['resource_not_found'],
    },
    async (_ask, { caller: { orgId } }) => {
      const [profile, now] = await db.readTogether(orgId, async (tenant) => [
        await findTaxProfile(tenant, orgId),
        await findBusinessTime(tenant, orgId, clock.now),
      ]);
      if (profile === undefined) throw taxProfileNotFound();
      return resource(presentTaxProfile(profile, dayOf(now)));
    },
  );
}

function patchRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'updateTaxProfile',
      action: 'tax_profile.update',
      effect: 'moves_money',
      summary: 'Create or update your tax profile',
      description:
        'Changes only the fields that you send, and returns the tax profile. The first request creates it and must have `residence` and `form`. The forms `w9`, `w8ben` and `w8bene` must have `tin` and `signed_on`. Payouts with the hold `tax_form_missing` go on once the form is valid.',
      method: 'PATCH',
      scope: 'payouts:write',
      body: PatchTaxProfileBody,
      forgetsRefusedBodies: true,
      answers: { 200: TaxProfileBody },
      examples: payoutSettingExamples.updateTaxProfile,
      problems: ['precondition_failed'],
    },
    async (tx, { body, ifMatch }) => {
      const { signed_on: signedOn, ...fields } = body;
      const today = dayOf(tx.now);
      const { before, after } = await editTaxProfile(tx, deps.keyring, {
        edit: { ...fields, signedOn },
        isExpected: (current) =>
          ifMatch === undefined ||
          (current !== undefined && stillMatches(ifMatch, presentTaxProfile(current, today))),
      });
      return {
        answer: resource(presentTaxProfile(after, today)),
        auditedId: tx.orgId,
        before: before && presentTaxProfile(before, today),
      };
    },
  );
}

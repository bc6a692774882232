/** The reset of a sandbox on the wire (contract §4). */

import { type Static, Type } from 'typebox';
import { accepted, ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { closed, Nullable, OneOf, Timestamp } from '../../platform/http/schema.ts';
import { requestReset } from '../commands/reset-catalogue.ts';
import { type Reset, resetStatuses } from '../domain/reset.ts';
import { findReset } from '../store/resets.ts';
import { resetExamples } from './sandbox-examples.ts';
import { sandboxTag } from './sandbox-schemas.ts';

const ResetRequestBody = Type.Object(
  {
    seed: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          '`true`: a fictional catalog is created after yours is removed, with releases and deliveries in every state.',
      }),
    ),
    royalties: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          '`true`: the fictional catalog also has twelve months of royalties, with a statement for each month. The reset takes longer.',
      }),
    ),
  },
  { ...closed, title: 'ResetSandbox' },
);

const ResetBody = Type.Object(
  {
    status: OneOf(resetStatuses, {
      description:
        'The status of the reset. `failed`: the old catalog is removed, and the fictional one is incomplete; reset again.',
    }),
    seeded: Type.Boolean({
      description: '`true`: the last reset created the complete fictional catalog.',
    }),
    started_at: Nullable(
      Timestamp('When the reset started, in real time. `null`: the sandbox was never reset.'),
    ),
    finished_at: Nullable(Timestamp('When the reset finished, in real time.')),
    problem: Nullable(
      Type.String({ description: 'Why the reset failed. `null`: it did not fail.' }),
    ),
  },
  { ...closed, title: 'SandboxReset' },
);

const presentReset = (reset: Reset): Static<typeof ResetBody> => ({
  status: reset.status,
  seeded: reset.isSeeded,
  started_at: reset.startedAt?.toISOString() ?? null,
  finished_at: reset.finishedAt?.toISOString() ?? null,
  problem: reset.problem,
});

const common = { tag: sandboxTag, scope: 'sandbox:write', path: '/v1/sandbox/reset' } as const;

export function resetRoutes(server: Server, deps: MutationDeps): void {
  getRoute(server, deps);
  postRoute(server, deps);
}

function getRoute(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'getSandboxReset',
      summary: 'Get the status of the reset',
      description: 'Returns the status of the last reset.',
      method: 'GET',
      answers: { 200: ResetBody },
      examples: resetExamples.getSandboxReset,
      problems: [],
    },
    async (ask, { caller: { orgId } }) =>
      ok(presentReset(await ask((tenant) => findReset(tenant, orgId)))),
  );
}

function postRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'resetSandbox',
      action: 'sandbox.reset',
      effect: 'deletes',
      summary: 'Reset the sandbox',
      description:
        'Removes your releases, tracks, assets, submissions, deliveries, jobs, scenarios, timers and money, and sets the clock to real time, running. Your organization, its keys and its codes stay, and so do events and the audit log; used codes stay used. Then a fictional catalog is created, unless `seed` is `false`. The answer comes at once: read the reset until its status is no longer `running`.',
      method: 'POST',
      body: ResetRequestBody,
      answers: { 202: ResetBody },
      examples: resetExamples.resetSandbox,
      problems: ['invalid_state'],
    },
    async (tx, { body }) => {
      const { before, after } = await requestReset(tx, {
        wantsSeed: body.seed ?? true,
        wantsRoyalties: body.royalties ?? false,
      });
      return {
        answer: accepted(presentReset(after)),
        auditedId: tx.orgId,
        before: presentReset(before),
      };
    },
  );
}

/** The sandbox's clock on the wire (contract §4). */

import { Type } from 'typebox';
import { findBusinessTime } from '../../identity/face.ts';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import type { Tx } from '../../platform/db/database.ts';
import { findNextDueAt } from '../../platform/engine/frozen-clock.ts';
import { accepted, type Answer, ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps, type MutationResult } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { closed, documentedAs, Nullable, OneOf, Timestamp } from '../../platform/http/schema.ts';
import {
  type ChangedClock,
  type ClockAdvance,
  requestClockAdvance,
  setClockMode,
} from '../commands/set-clock.ts';
import { clockModes, type SandboxClock } from '../domain/clock.ts';
import { findClock } from '../store/clocks.ts';
import { clockExamples } from './sandbox-examples.ts';
import { Duration, sandboxTag } from './sandbox-schemas.ts';

const ClockBody = Type.Object(
  {
    now: Timestamp('The current time of your organization (business time).'),
    mode: OneOf(clockModes, {
      description:
        '`running`: the clock moves with real time. `manual`: it is frozen, and nothing becomes due until you advance it.',
    }),
    status: OneOf(['idle', 'advancing'], {
      description:
        '`advancing`: the clock is being moved, and not everything that became due has happened yet. `idle`: it is not.',
    }),
    advancing_to: Nullable(
      Timestamp('The time that the clock is being advanced to. `null`: it is not being advanced.'),
    ),
    next_due_at: Nullable(Timestamp('When your next timer is due. `null`: no timer is set.')),
  },
  { ...closed, title: 'SandboxClock' },
);

const advanceBy = Duration(
  'How far to advance, at most 400 days. `0s` runs only what is due already.',
);
const advanceTo = Timestamp('The time to advance to, later than the time of the clock.');

const AdvanceBody = Type.Object(
  { by: Type.Optional(advanceBy), to: Type.Optional(advanceTo) },
  {
    ...closed,
    // Here, `refuseBoth` says which of the two is missing or superfluous.
    ...documentedAs({
      title: 'AdvanceClock',
      description: 'Send either `by` (a duration) or `to` (a timestamp).',
      oneOf: [
        Type.Object({ by: advanceBy }, { ...closed, title: 'AdvanceClockBy' }),
        Type.Object({ to: advanceTo }, { ...closed, title: 'AdvanceClockTo' }),
      ],
    }),
  },
);

const ModeBody = Type.Object(
  {
    mode: OneOf(clockModes, {
      description: '`running`: the clock moves with real time. `manual`: it is frozen.',
    }),
  },
  { ...closed, title: 'SetClockMode' },
);

const path = '/v1/sandbox/clock';

const common = {
  tag: sandboxTag,
  scope: 'sandbox:write',
} as const;

export function clockRoutes(server: Server, deps: MutationDeps): void {
  getRoute(server, deps);
  advanceRoute(server, deps);
  modeRoute(server, deps);
}

type ClockTimes = { readonly now: Date; readonly nextDueAt: Date | null };

const presentClock = ({ mode, advancingTo }: SandboxClock, { now, nextDueAt }: ClockTimes) => ({
  now: now.toISOString(),
  mode,
  status: advancingTo === null ? 'idle' : 'advancing',
  advancing_to: advancingTo?.toISOString() ?? null,
  next_due_at: nextDueAt?.toISOString() ?? null,
});

/** Neither change moves the clock by itself: both presentations show the same times. */
async function changedClock(
  tx: Tx,
  { before, after, now }: ChangedClock,
  answer: (value: object) => Answer,
): Promise<MutationResult> {
  const times = { now, nextDueAt: await findNextDueAt(tx, tx.orgId) };
  return {
    answer: answer(presentClock(after, times)),
    auditedId: tx.orgId,
    before: presentClock(before, times),
  };
}

function getRoute(server: Server, { db, clock }: MutationDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'getSandboxClock',
      summary: 'Read the clock',
      description:
        'Returns the current time of your organization, and whether its clock is being advanced.',
      method: 'GET',
      path,
      answers: { 200: ClockBody },
      examples: clockExamples.getSandboxClock,
      problems: [],
    },
    async (_ask, { caller: { orgId } }) =>
      db.readTogether(orgId, async (tenant) => {
        const [sandboxClock, now, nextDueAt] = await Promise.all([
          findClock(tenant, orgId),
          findBusinessTime(tenant, orgId, clock.now),
          findNextDueAt(tenant, orgId),
        ]);
        return ok(presentClock(sandboxClock, { now, nextDueAt }));
      }),
  );
}

function advanceRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'advanceSandboxClock',
      action: 'sandbox.clock.advance',
      effect: 'changes',
      summary: 'Advance the clock',
      description:
        'Moves the clock forward. Everything that becomes due on the way happens in order: answers of stores, takedowns, deadlines, release dates and retries. Each ends, with all its consequences, before the next begins; only a webhook endpoint that has not answered for 3 seconds is not waited for. The answer comes at once: read the clock until its status is `idle`.',
      method: 'POST',
      path: `${path}/advance`,
      body: AdvanceBody,
      answers: { 202: ClockBody },
      examples: clockExamples.advanceSandboxClock,
      problems: ['invalid_state'],
    },
    async (tx, { body }) => {
      enforce(refuseBoth(body));
      const changed = await requestClockAdvance(tx, toAdvance(body));
      return changedClock(tx, changed, accepted);
    },
  );
}

type AdvanceFields = { readonly by?: string; readonly to?: string };

function refuseBoth({ by, to }: AdvanceFields): Refusal | undefined {
  if (by === undefined && to === undefined) {
    return {
      code: 'missing_required_field',
      message: 'Send `by` (a duration such as `3d`) or `to` (a timestamp).',
      details: [{ field: 'by', issue: 'is required, unless you send to' }],
    };
  }
  if (by === undefined || to === undefined) return undefined;
  return {
    code: 'invalid_field',
    message: 'Send `by` or `to`, not both.',
    details: [{ field: 'to', issue: 'cannot be combined with by; remove one of the two' }],
  };
}

function toAdvance({ by = '0s', to }: AdvanceFields): ClockAdvance {
  if (to === undefined) return { field: 'by', by };
  const time = parseTimestamp(to);
  if (time === undefined)
    throw new TypeError('the schema accepted a timestamp that cannot be parsed');
  return { field: 'to', to: time };
}

function modeRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'setSandboxClockMode',
      action: 'sandbox.clock.mode',
      effect: 'changes',
      summary: 'Freeze the clock, or let it run',
      description:
        'Freezes the clock (`manual`) or lets it run (`running`), and returns it. While it is frozen, reviews, dispatches, answers and deadlines wait until you advance it, and happen in the same order every time. Files are examined in real time in both modes. When you set it to `running` again, it continues from where it was frozen.',
      method: 'PATCH',
      path,
      body: ModeBody,
      answers: { 200: ClockBody },
      examples: clockExamples.setSandboxClockMode,
      problems: ['invalid_state'],
    },
    async (tx, { body: { mode } }) => {
      const changed = await setClockMode(tx, mode);
      return changedClock(tx, changed, ok);
    },
  );
}

/** The sandbox's clock on the wire (contract §4). */

import { Type } from 'typebox';
import { findBusinessTime } from '../../identity/face.ts';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { findNextDueAt } from '../../platform/engine/frozen-clock.ts';
import { accepted, ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { closed, Nullable, OneOf, Timestamp } from '../../platform/http/schema.ts';
import { type ClockAdvance, requestClockAdvance, setClockMode } from '../commands/set-clock.ts';
import { clockModes, type SandboxClock } from '../domain/clock.ts';
import { findClock } from '../store/clocks.ts';
import { Duration, sandboxTag } from './sandbox-schemas.ts';

const ClockBody = Type.Object(
  {
    now: Timestamp('Business time: the current time of your organization.'),
    mode: OneOf(clockModes, {
      description:
        'running: it moves with real time. manual: it is frozen, and nothing becomes due until you advance it.',
    }),
    status: OneOf(['idle', 'advancing']),
    advancing_to: Nullable(Timestamp('The time the clock is being advanced to.')),
    next_due_at: Nullable(Timestamp('When your next timer is due.')),
  },
  { ...closed, title: 'SandboxClock' },
);

const AdvanceBody = Type.Object(
  {
    by: Type.Optional(
      Duration('How far to advance, at most 400 days. 0s only runs what is due already.'),
    ),
    to: Type.Optional(Timestamp('The time to advance to.')),
  },
  { ...closed, title: 'AdvanceClock', description: 'Send either by or to.' },
);

const ModeBody = Type.Object({ mode: OneOf(clockModes) }, { ...closed, title: 'SetClockMode' });

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

function getRoute(server: Server, { db, clock }: MutationDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'getSandboxClock',
      summary: 'Read the clock',
      description:
        'The current time of your organization, and whether its clock is being advanced.',
      method: 'GET',
      path,
      answers: { 200: ClockBody },
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
      summary: 'Advance the clock',
      description:
        'Forward only. Everything that becomes due on the way happens in order: answers of stores, takedowns, deadlines, release dates, retries. Each ends, with all its consequences, before the next begins; only a webhook endpoint that has not answered for 3 seconds is not waited for. The response comes at once; GET the clock until its status is idle.',
      method: 'POST',
      path: `${path}/advance`,
      body: AdvanceBody,
      answers: { 202: ClockBody },
      problems: ['invalid_state'],
    },
    async (tx, { body }) => {
      enforce(refuseBoth(body));
      const { clock, now } = await requestClockAdvance(tx, toAdvance(body));
      const times = { now, nextDueAt: await findNextDueAt(tx, tx.orgId) };
      return { answer: accepted(presentClock(clock, times)), auditedId: tx.orgId };
    },
  );
}

type AdvanceFields = { readonly by?: string; readonly to?: string };

function refuseBoth({ by, to }: AdvanceFields): Refusal | undefined {
  if (by === undefined && to === undefined) {
    return {
      code: 'missing_required_field',
      message: 'Send `by` (a duration such as `3d`) or `to` (a timestamp).',
      details: [{ field: 'by', issue: 'is missing: send by, or to' }],
    };
  }
  if (by === undefined || to === undefined) return undefined;
  return {
    code: 'invalid_field',
    message: 'Send `by` or `to`, not both.',
    details: [{ field: 'to', issue: 'cannot be combined with by; remove one of them' }],
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
      summary: 'Freeze the clock, or let it run',
      description:
        'A manual clock is frozen: reviews, dispatches, answers and deadlines wait until you advance it, and happen in the same order every time. Files are examined in real time in both modes. When you set it to running again, it continues from where it was frozen.',
      method: 'PATCH',
      path,
      body: ModeBody,
      answers: { 200: ClockBody },
      problems: ['invalid_state'],
    },
    async (tx, { body: { mode } }) => {
      const { clock, now } = await setClockMode(tx, mode);
      const times = { now, nextDueAt: await findNextDueAt(tx, tx.orgId) };
      return { answer: ok(presentClock(clock, times)), auditedId: tx.orgId };
    },
  );
}

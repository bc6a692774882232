/** A sequence, played against the service as a partner would, and compared with its forecast after each advance. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import type { OrgClient, TestService } from '../test-service.ts';
import type { ClientResponse, ClientRequest } from './client.ts';
import { type Forecast, type Checkpoint, formatStoreDelivery } from './clock-forecast.ts';
import { type RecordMismatch, readEvents } from './clock-judge.ts';
import type { SequenceAction, Sequence } from './clock-script.ts';
import type { RequestAction } from './clock-types.ts';
import type { Query } from './deliveries-scenario.ts';
import type { KillableProcesses } from './killable-processes.ts';

export type RunContext = {
  readonly service: TestService;
  readonly processes: KillableProcesses;
  readonly query: Query;
  readonly counts: { advances: number; requests: number };
};

type Json = Record<string, unknown>;

/** What has come of it so far. */
type SequenceRun = RunContext & {
  readonly caller: OrgClient;
  readonly sequence: Sequence;
  readonly recordMismatch: RecordMismatch;
  readonly releases: { readonly id: string; readonly revision: number }[];
  readonly deliveries: { readonly id: string; readonly release: number }[];
  clockAt: number;
};

const pollMs = 60;
/**
 * A clock that has stood still for so long, with nothing done, is stuck. Restate may lose its disk on the way, and
 * the reconciler doubts it only after 30 seconds, then 60.
 */
const stuckAfterMs = 150_000;
const titles = ['Night Drive', 'Night Walk'];

/** The clock has not arrived: there is nothing more to compare. */
export class ClockStuckError extends Error {
  override readonly name = 'Stuck';
}

export async function runSequence(
  context: RunContext,
  sequence: Sequence,
  forecast: Forecast,
  recordMismatch: RecordMismatch,
) {
  const caller = await context.service.givenOrganization();
  const run: SequenceRun = {
    ...context,
    caller,
    sequence,
    recordMismatch,
    releases: [],
    deliveries: [],
    clockAt: 0,
  };
  await setUp(run);
  for (const [i, act] of sequence.actions.entries()) {
    const checkpoint = forecast.checkpoints[i]!;
    if (act.kind === 'advance') await advanceAndCompare(run, act, checkpoint);
    else if (act.kind === 'await') await awaitStates(run, checkpoint);
    else await performAction(run, act, checkpoint);
  }
  const { deliveries, releases } = run;
  const events = await readEvents(context.query, caller.orgId, (method, path) =>
    requestOrThrow(run, method, path),
  );
  return { events, deliveries, releases };
}

/** Everything is made at the moment at which the sequence begins, while the clock is held there. */
async function setUp(run: SequenceRun): Promise<void> {
  const { sequence, service, caller, releases } = run;
  await requestOrThrow(run, 'PATCH', '/v1/sandbox/clock', { mode: 'manual' });
  await advanceClock(run, { to: new Date(sequence.start).toISOString() });
  for (const [i, { name, date }] of sequence.releases.entries()) {
    const fields = { title: titles[i], release_date: date, reference: name };
    const id = await service.givenSubmittedRelease(caller, fields);
    const { revision } = await requestOrThrow(run, 'GET', `/v1/releases/${id}`);
    releases.push({ id, revision: revision as number });
  }
  if (sequence.isReviewedFirst) await advanceClock(run, { by: '0s' });
}

const send = (
  { processes: crew, caller, counts }: SequenceRun,
  method: ClientRequest['method'],
  path: string,
  body?: object,
): Promise<ClientResponse> => {
  counts.requests++;
  return crew.send({ method, path, key: caller.key, ...(body !== undefined && { body }) });
};

async function requestOrThrow(
  run: SequenceRun,
  method: ClientRequest['method'],
  path: string,
  body?: object,
): Promise<Json> {
  const { status, text } = await send(run, method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text) as Json;
}

async function readClock(run: SequenceRun): Promise<Json & { readonly at: number }> {
  const clock = await requestOrThrow(run, 'GET', '/v1/sandbox/clock');
  const at = Date.parse(clock['now'] as string);
  if (at < run.clockAt) run.recordMismatch('clock_back', new Date(at).toISOString());
  run.clockAt = at;
  return { ...clock, at };
}

/** Where the clock was on its way to, and where it is once it is there. */
async function advanceClock(
  run: SequenceRun,
  body: object,
): Promise<{ target: number; at: number }> {
  run.counts.advances++;
  const asked = await requestOrThrow(run, 'POST', '/v1/sandbox/clock/advance', body);
  const target = Date.parse(asked['advancing_to'] as string);
  let seen = run.clockAt;
  let movedAt = Date.now();
  for (let polls = 1; ; polls++) {
    const clock = await readClock(run);
    if (clock['status'] === 'idle') return { target, at: clock.at };
    if (clock.at > target) run.recordMismatch('clock_missed', `beyond its target while on its way`);
    if (clock.at !== seen) movedAt = Date.now();
    seen = clock.at;
    if (Date.now() - movedAt > stuckAfterMs)
      throw new ClockStuckError(`on its way to ${formatTime(target)}`);
    await wait(Math.min(pollMs * polls, 500));
  }
}

async function advanceAndCompare(
  run: SequenceRun,
  act: Extract<SequenceAction, { kind: 'advance' }>,
  checkpoint: Checkpoint,
): Promise<void> {
  const { sequence, recordMismatch: note, caller, query } = run;
  const isExact = sequence.timing === 'exact';
  const body =
    'by' in act ? { by: act.by } : { to: new Date(sequence.start + act.toMs).toISOString() };
  const { target, at } = await advanceClock(run, body);
  if (at < target || (isExact && (at !== target || at !== checkpoint.at))) {
    note('clock_missed', `it is ${formatTime(at)}, not ${formatTime(checkpoint.at)}`);
  }
  const open = await query(
    `select service, handler, due_at from timers
      where org_id = $1 and not is_real and state in ('waiting', 'firing') and due_at <= $2`,
    [toUuid(caller.orgId as Id<'org'>), new Date(target)],
  );
  if (open.length > 0) note('timers_left', JSON.stringify(open.slice(0, 3)));
  if (checkpoint.states.length === 0) return;
  const states = await readStates(run);
  const at0 = states.findIndex((text, i) => text !== checkpoint.states[i]);
  if (at0 !== -1 || states.length !== checkpoint.states.length) {
    note(
      'wrong_states',
      `${states[at0]}, not ${checkpoint.states[at0]} at ${formatTime(checkpoint.at)}`,
    );
  }
}

async function awaitStates(run: SequenceRun, checkpoint: Checkpoint): Promise<void> {
  const deadline = Date.now() + stuckAfterMs;
  const awaited = checkpoint.states.join(', ');
  while ((await readStates(run)).join(', ') !== awaited) {
    if (Date.now() > deadline) return run.recordMismatch('never_fired', awaited);
    await wait(pollMs * 4);
  }
}

const formatTime = (at: number): string => new Date(at).toISOString();

async function readStates(run: SequenceRun): Promise<readonly string[]> {
  const isExact = run.sequence.timing === 'exact';
  const states: string[] = [];
  for (const [index, { id, release }] of run.deliveries.entries()) {
    const delivery = await requestOrThrow(run, 'GET', `/v1/deliveries/${id}`);
    const { revision } = run.releases[release]!;
    states.push(`${index} ${delivery['status'] as string}`);
    for (const store of delivery['stores'] as Json[]) {
      states.push(`${index} ${formatStoreDelivery(toStoreState(store, revision), isExact)}`);
    }
  }
  return states;
}

const timeIn = (text: unknown): number | null =>
  typeof text === 'string' ? Date.parse(text) : null;

/** Revisions are counted from the one that was submitted. */
const toStoreState = (store: Json, revision: number) => ({
  storeId: store['store_id'] as string,
  status: store['status'] as string,
  revision: (store['revision'] as number) - revision,
  pendingRevision:
    store['pending_revision'] === null ? null : (store['pending_revision'] as number) - revision,
  code: store['rejection_code'] as string | null,
  liveAt: timeIn(store['live_at']),
  expectedBy: timeIn(store['expected_by']),
});

async function performAction(
  run: SequenceRun,
  act: Exclude<SequenceAction, { kind: 'advance' | 'await' }>,
  checkpoint: Checkpoint,
): Promise<void> {
  if (act.kind === 'mode') {
    await requestOrThrow(run, 'PATCH', '/v1/sandbox/clock', { mode: act.mode });
    await readClock(run);
    return;
  }
  const { method, path, body } = requestOf(run, act);
  const { status, text } = await send(run, method, path, body);
  const isDone = status < 300;
  if (isDone !== checkpoint.isDone || status >= 500) {
    run.recordMismatch(
      isDone ? 'wrongly_done' : 'wrongly_refused',
      `${JSON.stringify(act)}: ${text}`,
    );
  }
  if (isDone && act.kind === 'create') {
    run.deliveries.push({ id: (JSON.parse(text) as Json)['id'] as string, release: act.release });
  }
}

type Request = {
  readonly method: ClientRequest['method'];
  readonly path: string;
  readonly body: object;
};

function requestOf({ releases, deliveries }: SequenceRun, op: RequestAction): Request {
  const post = (path: string, body: object): Request => ({ method: 'POST', path, body });
  switch (op.kind) {
    case 'script': {
      const { store, release, message, seed, repeats, steps } = op.scenario;
      const release_id = release === null ? null : releases[release]!.id;
      const body = { store_id: store, release_id, message, seed, repeats, steps };
      return post('/v1/sandbox/scenarios', body);
    }
    case 'create': {
      const release_id = releases[op.release]!.id;
      return post('/v1/deliveries', {
        release_id,
        stores: op.stores,
        territory_codes: ['WORLDWIDE'],
      });
    }
    case 'patch': {
      const path = `/v1/releases/${releases[op.release]!.id}`;
      return { method: 'PATCH', path, body: { title: op.title } };
    }
    case 'answer': {
      const { kind: says, refusal } = op.answer;
      const path = `/v1/sandbox/deliveries/${deliveries[op.delivery]?.id}/stores/${op.store}/answer`;
      return post(path, { answer: says, ...refusal });
    }
    default: {
      const stores = op.stores && { stores: op.stores };
      return post(`/v1/deliveries/${deliveries[op.delivery]?.id}/${op.kind}`, { ...stores });
    }
  }
}

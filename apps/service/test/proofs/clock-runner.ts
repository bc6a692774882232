/** Executes a sequence through the API and compares states and clock with the forecast after each advance. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import type { OrgClient, TestService } from '../test-service.ts';
import type { ClientResponse, ClientRequest } from './client.ts';
import type { Forecast, Checkpoint } from './clock-forecast.ts';
import { formatApiStore, formatApiTimes } from './clock-format.ts';
import { type RecordMismatch, readEvents } from './clock-judge.ts';
import type { SequenceAction, Sequence } from './clock-script.ts';
import type { RequestAction } from './clock-types.ts';
import { hangMs } from './hang-limit.ts';
import type { KillableProcesses } from './killable-processes.ts';
import type { Query } from './lasting-queries.ts';

export type RunContext = {
  readonly service: TestService;
  readonly processes: KillableProcesses;
  readonly query: Query;
  /** `longest_wait_ms`: how long a clock, or an awaited state, did not move. */
  readonly counts: { advances: number; requests: number; longest_wait_ms: number };
};

type Json = Record<string, unknown>;

type SequenceRun = RunContext & {
  readonly caller: OrgClient;
  readonly sequence: Sequence;
  readonly recordMismatch: RecordMismatch;
  readonly releases: { readonly id: string; readonly revision: number }[];
  readonly deliveries: { readonly id: string; readonly release: number }[];
  clockAt: number;
};

const pollMs = 60;
const titles = ['Night Drive', 'Night Walk'];

/** The clock does not reach its target, so the rest of the sequence cannot be compared. */
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
  for (const [i, action] of sequence.actions.entries()) {
    const checkpoint = forecast.checkpoints[i]!;
    if (action.kind === 'advance') await advanceAndCompare(run, action, checkpoint);
    else if (action.kind === 'await') await awaitStates(run, checkpoint);
    else await performAction(run, action, checkpoint);
  }
  const { deliveries, releases } = run;
  const events = await readEvents(context.query, caller.orgId, (method, path) =>
    requestOrThrow(run, method, path),
  );
  return { events, deliveries, releases };
}

/** Freezes the clock at the start of the sequence and creates the releases there. */
async function setUp(run: SequenceRun): Promise<void> {
  const { sequence, service, caller, releases } = run;
  await requestOrThrow(run, 'PATCH', '/v1/sandbox/clock', { mode: 'manual' });
  await advanceClock(run, { to: new Date(sequence.start).toISOString() });
  for (const [i, { name, date, releaseAt }] of sequence.releases.entries()) {
    const fields = {
      title: titles[i],
      release_date: date,
      reference: name,
      ...(releaseAt !== null && { release_at: releaseAt }),
    };
    const id = await service.givenSubmittedRelease(caller, fields);
    const { revision } = await requestOrThrow(run, 'GET', `/v1/releases/${id}`);
    releases.push({ id, revision: revision as number });
  }
  if (sequence.isReviewedFirst) await advanceClock(run, { by: '0s' });
}

const send = (
  { processes, caller, counts }: SequenceRun,
  method: ClientRequest['method'],
  path: string,
  body?: object,
): Promise<ClientResponse> => {
  counts.requests++;
  return processes.send({ method, path, key: caller.key, ...(body !== undefined && { body }) });
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

const noteWait = ({ counts }: SequenceRun, since: number): void => {
  counts.longest_wait_ms = Math.max(counts.longest_wait_ms, Date.now() - since);
};

/** Returns the target of the advance and the clock's time once it is idle again. */
async function advanceClock(
  run: SequenceRun,
  body: object,
): Promise<{ target: number; at: number }> {
  run.counts.advances++;
  const advance = await requestOrThrow(run, 'POST', '/v1/sandbox/clock/advance', body);
  const target = Date.parse(advance['advancing_to'] as string);
  let lastAt = run.clockAt;
  let movedAt = Date.now();
  for (let polls = 1; ; polls++) {
    const clock = await readClock(run);
    if (clock['status'] === 'idle') return { target, at: clock.at };
    if (clock.at > target) run.recordMismatch('clock_missed', 'beyond its target while advancing');
    if (clock.at !== lastAt) movedAt = Date.now();
    lastAt = clock.at;
    noteWait(run, movedAt);
    if (Date.now() - movedAt > hangMs)
      throw new ClockStuckError(`while advancing to ${formatTime(target)}`);
    await wait(Math.min(pollMs * polls, 500));
  }
}

async function advanceAndCompare(
  run: SequenceRun,
  action: Extract<SequenceAction, { kind: 'advance' }>,
  checkpoint: Checkpoint,
): Promise<void> {
  const { sequence, recordMismatch, caller, query } = run;
  const isExact = sequence.timing === 'exact';
  const body =
    'by' in action
      ? { by: action.by }
      : { to: new Date(sequence.start + action.toMs).toISOString() };
  const { target, at } = await advanceClock(run, body);
  if (at < target || (isExact && (at !== target || at !== checkpoint.at))) {
    recordMismatch('clock_missed', `it is ${formatTime(at)}, not ${formatTime(checkpoint.at)}`);
  }
  const open = await query(
    `select service, handler, due_at from timers
      where org_id = $1 and not is_real and state in ('waiting', 'firing') and due_at <= $2`,
    [toUuid(caller.orgId as Id<'org'>), new Date(target)],
  );
  if (open.length > 0) recordMismatch('timers_left', JSON.stringify(open.slice(0, 3)));
  if (checkpoint.states.length === 0) return;
  const states = await readStates(run);
  const firstDifferent = states.findIndex((text, i) => text !== checkpoint.states[i]);
  if (firstDifferent !== -1 || states.length !== checkpoint.states.length) {
    recordMismatch(
      'wrong_states',
      `${states[firstDifferent]}, not ${checkpoint.states[firstDifferent]} at ${formatTime(checkpoint.at)}`,
    );
  }
}

async function awaitStates(run: SequenceRun, checkpoint: Checkpoint): Promise<void> {
  const begunAt = Date.now();
  const awaited = checkpoint.states.join(', ');
  while ((await readStates(run)).join(', ') !== awaited) {
    noteWait(run, begunAt);
    if (Date.now() - begunAt > hangMs) return run.recordMismatch('never_fired', awaited);
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
      const times = isExact ? ` ${formatApiTimes(store)}` : '';
      states.push(
        `${index} ${store['store_id'] as string} ${formatApiStore(store, revision)}${times}`,
      );
    }
  }
  return states;
}

async function performAction(
  run: SequenceRun,
  action: Exclude<SequenceAction, { kind: 'advance' | 'await' }>,
  checkpoint: Checkpoint,
): Promise<void> {
  if (action.kind === 'mode') {
    await requestOrThrow(run, 'PATCH', '/v1/sandbox/clock', { mode: action.mode });
    await readClock(run);
    return;
  }
  const { method, path, body } = requestOf(run, action);
  const { status, text } = await send(run, method, path, body);
  const isDone = status < 300;
  if (isDone !== checkpoint.isDone || status >= 500) {
    run.recordMismatch(
      isDone ? 'wrongly_done' : 'wrongly_refused',
      `${JSON.stringify(action)}: ${text}`,
    );
  }
  if (isDone && action.kind === 'create') {
    run.deliveries.push({
      id: (JSON.parse(text) as Json)['id'] as string,
      release: action.release,
    });
  }
}

type Request = {
  readonly method: ClientRequest['method'];
  readonly path: string;
  readonly body: object;
};

function requestOf({ releases, deliveries }: SequenceRun, action: RequestAction): Request {
  const post = (path: string, body: object): Request => ({ method: 'POST', path, body });
  switch (action.kind) {
    case 'script': {
      const { store, release, message, seed, repeats, steps } = action.scenario;
      const release_id = release === null ? null : releases[release]!.id;
      const body = { store_id: store, release_id, message, seed, repeats, steps };
      return post('/v1/sandbox/scenarios', body);
    }
    case 'create': {
      const release_id = releases[action.release]!.id;
      return post('/v1/deliveries', {
        release_id,
        stores: action.stores,
        territory_codes: ['WORLDWIDE'],
      });
    }
    case 'patch': {
      const path = `/v1/releases/${releases[action.release]!.id}`;
      const date = action.date === undefined ? {} : { release_date: action.date };
      return { method: 'PATCH', path, body: { title: action.title, ...date } };
    }
    case 'answer': {
      const { kind, refusal } = action.answer;
      const path = `/v1/sandbox/deliveries/${deliveries[action.delivery]?.id}/stores/${action.store}/answer`;
      const about = action.isAboutRelease ? { about: 'release' } : {};
      return post(path, { answer: kind, ...refusal, ...about });
    }
    default: {
      const stores = action.stores && { stores: action.stores };
      return post(`/v1/deliveries/${deliveries[action.delivery]?.id}/${action.kind}`, {
        ...stores,
      });
    }
  }
}

/** A sequence, played against the service as a partner would, and compared with its forecast after each advance. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import type { OrgClient, TestService } from '../test-service.ts';
import { type Forecast, type Look, spellPart } from './clock-forecast.ts';
import { type Note, readEvents } from './clock-judge.ts';
import type { Act, Sequence } from './clock-script.ts';
import type { Op } from './clock-words.ts';
import type { Received, Sent } from './client.ts';
import type { KillableProcesses } from './killable-processes.ts';
import type { Query } from './deliveries-play.ts';

export type Stage = {
  readonly service: TestService;
  readonly crew: KillableProcesses;
  readonly query: Query;
  readonly counts: { advances: number; requests: number };
};

type Json = Record<string, unknown>;

/** What has come of it so far. */
type Play = Stage & {
  readonly caller: OrgClient;
  readonly sequence: Sequence;
  readonly note: Note;
  readonly releases: { readonly id: string; readonly revision: number }[];
  readonly deliveries: { readonly id: string; readonly release: number }[];
  clockAt: number;
};

const pollMs = 60;
/**
 * A clock that has stood still for so long, with nothing done, is stuck. Restate may lose its disk on the way, and
 * the reconciler doubts it only after 30 seconds, then 60.
 */
const stillMs = 150_000;
const titles = ['Night Drive', 'Night Walk'];

/** The clock has not arrived: there is nothing more to compare. */
export class Stuck extends Error {
  override readonly name = 'Stuck';
}

export async function playSequence(
  stage: Stage,
  sequence: Sequence,
  forecast: Forecast,
  note: Note,
) {
  const caller = await stage.service.givenOrganization();
  const play: Play = {
    ...stage,
    caller,
    sequence,
    note,
    releases: [],
    deliveries: [],
    clockAt: 0,
  };
  await setUp(play);
  for (const [i, act] of sequence.acts.entries()) {
    const look = forecast.looks[i]!;
    if (act.kind === 'advance') await advanceAndLook(play, act, look);
    else if (act.kind === 'await') await awaitStates(play, look);
    else await askFor(play, act, look);
  }
  const { deliveries, releases } = play;
  const events = await readEvents(stage.query, caller.orgId, (method, path) =>
    askWell(play, method, path),
  );
  return { events, deliveries, releases };
}

/** Everything is made at the moment at which the sequence begins, while the clock is held there. */
async function setUp(play: Play): Promise<void> {
  const { sequence, service, caller, releases } = play;
  await askWell(play, 'PATCH', '/v1/sandbox/clock', { mode: 'manual' });
  await arrive(play, { to: new Date(sequence.start).toISOString() });
  for (const [i, { name, date }] of sequence.releases.entries()) {
    const fields = { title: titles[i], release_date: date, reference: name };
    const id = await service.givenSubmittedRelease(caller, fields);
    const { revision } = await askWell(play, 'GET', `/v1/releases/${id}`);
    releases.push({ id, revision: revision as number });
  }
  if (sequence.isReviewedFirst) await arrive(play, { by: '0s' });
}

const send = (
  { crew, caller, counts }: Play,
  method: Sent['method'],
  path: string,
  body?: object,
): Promise<Received> => {
  counts.requests++;
  return crew.send({ method, path, key: caller.key, ...(body !== undefined && { body }) });
};

async function askWell(
  play: Play,
  method: Sent['method'],
  path: string,
  body?: object,
): Promise<Json> {
  const { status, text } = await send(play, method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text) as Json;
}

async function readClock(play: Play): Promise<Json & { readonly at: number }> {
  const clock = await askWell(play, 'GET', '/v1/sandbox/clock');
  const at = Date.parse(clock['now'] as string);
  if (at < play.clockAt) play.note('clock_back', new Date(at).toISOString());
  play.clockAt = at;
  return { ...clock, at };
}

/** Where the clock was on its way to, and where it is once it is there. */
async function arrive(play: Play, body: object): Promise<{ target: number; at: number }> {
  play.counts.advances++;
  const asked = await askWell(play, 'POST', '/v1/sandbox/clock/advance', body);
  const target = Date.parse(asked['advancing_to'] as string);
  let seen = play.clockAt;
  let movedAt = Date.now();
  for (let polls = 1; ; polls++) {
    const clock = await readClock(play);
    if (clock['status'] === 'idle') return { target, at: clock.at };
    if (clock.at > target) play.note('clock_missed', `beyond its target while on its way`);
    if (clock.at !== seen) movedAt = Date.now();
    seen = clock.at;
    if (Date.now() - movedAt > stillMs) throw new Stuck(`on its way to ${spellTime(target)}`);
    await wait(Math.min(pollMs * polls, 500));
  }
}

async function advanceAndLook(
  play: Play,
  act: Extract<Act, { kind: 'advance' }>,
  look: Look,
): Promise<void> {
  const { sequence, note, caller, query } = play;
  const isExact = sequence.way === 'exact';
  const body =
    'by' in act ? { by: act.by } : { to: new Date(sequence.start + act.toMs).toISOString() };
  const { target, at } = await arrive(play, body);
  if (at < target || (isExact && (at !== target || at !== look.at))) {
    note('clock_missed', `it is ${spellTime(at)}, not ${spellTime(look.at)}`);
  }
  const open = await query(
    `select service, handler, due_at from timers
      where org_id = $1 and not is_real and state in ('waiting', 'firing') and due_at <= $2`,
    [toUuid(caller.orgId as Id<'org'>), new Date(target)],
  );
  if (open.length > 0) note('timers_left', JSON.stringify(open.slice(0, 3)));
  if (look.states.length === 0) return;
  const states = await readStates(play);
  const at0 = states.findIndex((text, i) => text !== look.states[i]);
  if (at0 !== -1 || states.length !== look.states.length) {
    note('wrong_states', `${states[at0]}, not ${look.states[at0]} at ${spellTime(look.at)}`);
  }
}

async function awaitStates(play: Play, look: Look): Promise<void> {
  const deadline = Date.now() + stillMs;
  const awaited = look.states.join(', ');
  while ((await readStates(play)).join(', ') !== awaited) {
    if (Date.now() > deadline) return play.note('never_fired', awaited);
    await wait(pollMs * 4);
  }
}

const spellTime = (at: number): string => new Date(at).toISOString();

async function readStates(play: Play): Promise<readonly string[]> {
  const isExact = play.sequence.way === 'exact';
  const states: string[] = [];
  for (const [index, { id, release }] of play.deliveries.entries()) {
    const delivery = await askWell(play, 'GET', `/v1/deliveries/${id}`);
    const { revision } = play.releases[release]!;
    states.push(`${index} ${delivery['status'] as string}`);
    for (const store of delivery['stores'] as Json[]) {
      states.push(`${index} ${spellPart(asPart(store, revision), isExact)}`);
    }
  }
  return states;
}

const timeIn = (text: unknown): number | null =>
  typeof text === 'string' ? Date.parse(text) : null;

/** Revisions are counted from the one that was submitted. */
const asPart = (store: Json, revision: number) => ({
  storeId: store['store_id'] as string,
  status: store['status'] as string,
  revision: (store['revision'] as number) - revision,
  pendingRevision:
    store['pending_revision'] === null ? null : (store['pending_revision'] as number) - revision,
  code: store['rejection_code'] as string | null,
  liveAt: timeIn(store['live_at']),
  expectedBy: timeIn(store['expected_by']),
});

async function askFor(
  play: Play,
  act: Exclude<Act, { kind: 'advance' | 'await' }>,
  look: Look,
): Promise<void> {
  if (act.kind === 'mode') {
    await askWell(play, 'PATCH', '/v1/sandbox/clock', { mode: act.mode });
    await readClock(play);
    return;
  }
  const { method, path, body } = requestOf(play, act);
  const { status, text } = await send(play, method, path, body);
  const isDone = status < 300;
  if (isDone !== look.isDone || status >= 500) {
    play.note(isDone ? 'wrongly_done' : 'wrongly_refused', `${JSON.stringify(act)}: ${text}`);
  }
  if (isDone && act.kind === 'create') {
    play.deliveries.push({ id: (JSON.parse(text) as Json)['id'] as string, release: act.release });
  }
}

type Request = { readonly method: Sent['method']; readonly path: string; readonly body: object };

function requestOf({ releases, deliveries }: Play, op: Op): Request {
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
      const { says, refusal } = op.word;
      const path = `/v1/sandbox/deliveries/${deliveries[op.delivery]?.id}/stores/${op.store}/answer`;
      return post(path, { answer: says, ...refusal });
    }
    default: {
      const stores = op.stores && { stores: op.stores };
      return post(`/v1/deliveries/${deliveries[op.delivery]?.id}/${op.kind}`, { ...stores });
    }
  }
}

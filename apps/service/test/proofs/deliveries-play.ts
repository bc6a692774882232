/**
 * One delivery from its creation to its end: the partner asks for things over HTTP, the stores answer what they
 * were sent, and a model is told everything in the order in which it happened to each store.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import type { OrgClient } from '../test-service.ts';
import type { KillableProcesses } from './killable-processes.ts';
import type { Intake } from './deliveries-intake.ts';
import {
  askedBack,
  awaitsMessage,
  freshPart,
  heard,
  type Part,
  resubmitted,
  sent,
  takenDown,
  updated,
} from './deliveries-model.ts';
import type { Line, Plan, Role } from './deliveries-script.ts';

const pollMs = 1_000;
/** A message that is lost is sent again after a minute, then two: a store is waited for that long. */
const patienceMs = 300_000;

/** The rows are what the statement says they are. */
export type Query = <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export type Stage = {
  readonly processes: KillableProcesses;
  readonly intake: Intake;
  readonly query: Query;
  /** A store has got its first message, or never will. */
  readonly onBegun: () => void;
};

type Player = {
  readonly storeId: string;
  readonly role: Role;
  part: Part;
  formerId: string | undefined;
  /** Asked back before anybody knew that it had been sent. */
  isAskedBack: boolean;
};

export type Play = {
  readonly plan: Plan;
  readonly caller: OrgClient;
  readonly releaseId: string;
  id: Id<'dlv'> | undefined;
  readonly players: ReadonlyMap<string, Player>;
  /** What the timeline must say about the delivery itself. */
  readonly requests: string[];
  /** Why it was not played to its end. */
  failure: string | undefined;
};

export const preparePlay = (plan: Plan, caller: OrgClient, releaseId: string): Play => ({
  plan,
  caller,
  releaseId,
  id: undefined,
  players: new Map(
    Array.from(plan.roles, ([storeId, role]): [string, Player] => [
      storeId,
      { storeId, role, part: freshPart(0), formerId: undefined, isAskedBack: false },
    ]),
  ),
  requests: [],
  failure: undefined,
});

/** Never throws: a delivery that cannot go on says why, and is judged as it is. */
export async function playDelivery(stage: Stage, play: Play): Promise<void> {
  try {
    await create(stage, play);
    await takeDownHastily(stage, play);
    await playMessages(stage, play);
    await untilHeard(stage, play);
    await intervene(stage, play);
    await playMessages(stage, play);
  } catch (error) {
    play.failure = error instanceof Error ? error.message : String(error);
  }
}

const playersOf = ({ players }: Play): Player[] => [...players.values()];

async function ask(
  { processes: crew }: Stage,
  { caller: { key } }: Play,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await crew.requestJson({ method, path, key, body });
  if (answer === undefined) throw new Error(`${method} ${path} was refused`);
  return answer;
}

async function create(stage: Stage, play: Play): Promise<void> {
  const stores = playersOf(play).map(({ storeId }) => storeId);
  const body = { release_id: play.releaseId, stores, territory_codes: ['WORLDWIDE'] };
  const { id, revision } = await ask(stage, play, 'POST', '/v1/deliveries', body);
  play.id = id as Id<'dlv'>;
  play.requests.push('created');
  for (const player of play.players.values()) player.part = freshPart(revision as number);
}

/** What the api says it found decides: not sent, or on its way. */
async function takeDownHastily(stage: Stage, play: Play): Promise<void> {
  const hasty = playersOf(play).filter(({ role }) => role.isHasty);
  if (hasty.length === 0) return;
  await wait(play.plan.hasteMs);
  const { stores } = await requestTakedown(stage, play, hasty);
  const found = new Map(
    (stores as { store_id: string; status: string }[]).map((each) => [each.store_id, each.status]),
  );
  for (const player of hasty) {
    if (found.get(player.storeId) === 'taken_down') {
      player.part = takenDown(player.part);
      stage.onBegun();
    } else {
      player.isAskedBack = true;
    }
  }
}

async function requestTakedown(stage: Stage, play: Play, players: readonly Player[]) {
  play.requests.push('takedown');
  const isWhole = players.length === play.players.size;
  const body = isWhole ? {} : { stores: players.map(({ storeId }) => storeId) };
  return ask(stage, play, 'POST', `/v1/deliveries/${play.id}/takedown`, body);
}

/** Until no store waits for a message, and every answer to those they got was taken in. */
async function playMessages(stage: Stage, play: Play): Promise<void> {
  const deadline = Date.now() + patienceMs;
  const speaking: Promise<void>[] = [];
  for (;;) {
    const waiting = playersOf(play).filter(({ part }) => awaitsMessage(part));
    if (waiting.length === 0) {
      // What a store says may lead to another message: of its takedown.
      await Promise.all(speaking.splice(0));
      if (!playersOf(play).some(({ part }) => awaitsMessage(part))) return;
      continue;
    }
    if (Date.now() > deadline) throw new Error(`${waiting.length} stores were sent nothing`);
    for (const { store_id, message_id, message_kind } of await findSent(stage, play, waiting)) {
      const player = play.players.get(store_id)!;
      const messageId = toWire('msg', message_id);
      if (player.formerId === messageId) continue;
      const hasTurned = message_kind === 'takedown' && player.part.kind === 'deliver';
      if (hasTurned) turnAround(player);
      speaking.push(speak(stage, player, messageId));
    }
    await wait(pollMs);
  }
}

const findSent = (
  { query }: Stage,
  { id, caller }: Play,
  waiting: readonly Player[],
): Promise<readonly { store_id: string; message_id: string; message_kind: string }[]> =>
  query(
    // What is wanted down while it is being sent may be asked back instead: then nobody was sent it.
    `select store_id, message_id, message_kind from delivery_stores
      where org_id = $1 and delivery_id = $2 and store_id = any($3)
        and (message_state = 'sent' or message_state = 'sending' and not takedown_wanted)`,
    [toUuid(caller.orgId as Id<'org'>), toUuid(id!), waiting.map(({ storeId }) => storeId)],
  );

/** Asked back while it was being sent, and nobody can say that it has left. */
function turnAround(player: Player): void {
  player.part = askedBack(player.part);
  player.isAskedBack = false;
}

/** A store has its message: the model is told, and the answers are given one after the other. */
async function speak(stage: Stage, player: Player, messageId: string): Promise<void> {
  const script = scriptOf(player);
  const { formerId } = player;
  player.formerId = messageId;
  player.part = sent(player.part, messageId);
  if (formerId === undefined) stage.onBegun();
  if (player.isAskedBack) player.part = takenDown(player.part);
  player.isAskedBack = false;
  await say(stage, player, script, { this: messageId, former: formerId });
}

function scriptOf({ role, part, formerId }: Player): readonly Line[] {
  if (part.kind === 'takedown') return role.takedown;
  if (part.kind === 'update') return role.update;
  return formerId === undefined ? role.first : role.second;
}

async function say(
  { intake }: Stage,
  player: Player,
  script: readonly Line[],
  ids: { readonly this: string; readonly former: string | undefined },
): Promise<void> {
  for (const { to, kind, reason } of script) {
    const messageId = to === 'nobody' ? intake.strayId() : ids[to];
    // There was none before the first.
    if (messageId === undefined) continue;
    await intake.post({ messageId, kind, reason });
    player.part = heard(player.part, { messageId, kind, reason });
  }
}

/** Whatever was taken in has moved the delivery: what is asked for next finds it so. */
async function untilHeard({ query }: Stage, { id, caller }: Play): Promise<void> {
  const deadline = Date.now() + patienceMs;
  const values = [toUuid(caller.orgId as Id<'org'>), toUuid(id!)];
  for (;;) {
    const [row] = await query(
      'select 1 from store_answers where org_id = $1 and delivery_id = $2 limit 1',
      values,
    );
    if (row === undefined) return;
    if (Date.now() > deadline) throw new Error('answers were never heard');
    await wait(pollMs);
  }
}

/** In mid-way: corrected and sent anew where it was refused, updated or taken down where it was not. */
async function intervene(stage: Stage, play: Play): Promise<void> {
  const wishes = Map.groupBy(playersOf(play), wishOf);
  const refused = wishes.get('resubmit') ?? [];
  const outdated = wishes.get('update') ?? [];
  const unwanted = wishes.get('takedown') ?? [];
  if (refused.length + outdated.length > 0) await sendAnew(stage, play, refused, outdated);
  // Where all of it was asked back already, there would be nothing to take down.
  if (unwanted.every(({ part }) => part.isUnwanted)) return;
  await requestTakedown(stage, play, unwanted);
  const flagged = unwanted.filter(({ part }) => part.status === 'action_required');
  for (const player of unwanted) player.part = takenDown(player.part);
  await Promise.all(
    flagged.map((player) =>
      say(stage, player, player.role.afterthought, {
        this: player.formerId!,
        former: undefined,
      }),
    ),
  );
}

function wishOf({ part: { status }, role }: Player): string | undefined {
  if (status === 'delivered') return role.ifDelivered;
  if (status === 'action_required') return role.ifRefused;
  return status === 'rejected' && role.ifRefused === 'resubmit' ? 'resubmit' : undefined;
}

async function sendAnew(
  stage: Stage,
  play: Play,
  refused: readonly Player[],
  outdated: readonly Player[],
): Promise<void> {
  const correction = { title: 'Night Ride' };
  const release = await ask(stage, play, 'PATCH', `/v1/releases/${play.releaseId}`, correction);
  const revision = release['revision'] as number;
  const send = async (action: 'resubmit' | 'update', players: readonly Player[]) => {
    if (players.length === 0) return;
    play.requests.push(action === 'resubmit' ? 'resubmission' : 'update');
    const body = { stores: players.map(({ storeId }) => storeId) };
    await ask(stage, play, 'POST', `/v1/deliveries/${play.id}/${action}`, body);
    const move = action === 'resubmit' ? resubmitted : updated;
    for (const player of players) player.part = move(player.part, revision);
  };
  await send('resubmit', refused);
  await send('update', outdated);
}

/**
 * One delivery from its creation to its end: the partner asks for things over HTTP, the stores answer what they
 * were sent, and a model is told everything in the order in which it happened to each store.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import type { OrgClient } from '../test-service.ts';
import type { Intake } from './deliveries-intake.ts';
import {
  applyReplacedByTakedown,
  awaitsMessage,
  newStoreDelivery,
  applyAnswer,
  type StoreDelivery,
  applyResubmission,
  applySent,
  applyTakedown,
  applyUpdate,
} from './deliveries-model.ts';
import type { ScriptedAnswer, DeliveryPlan, StorePlan } from './deliveries-script.ts';
import type { KillableProcesses } from './killable-processes.ts';

const pollMs = 1_000;
/** A message that is lost is sent again after a minute, then two: a store is waited for that long. */
const patienceMs = 300_000;

/** The rows are what the statement says they are. */
export type Query = <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export type ScenarioContext = {
  readonly processes: KillableProcesses;
  readonly intake: Intake;
  readonly query: Query;
  /** A store has got its first message, or never will. */
  readonly onFirstMessage: () => void;
};

type FakeStore = {
  readonly storeId: string;
  readonly plan: StorePlan;
  storeDelivery: StoreDelivery;
  previousMessageId: string | undefined;
  /** Asked back before anybody knew that it had been sent. */
  isTakedownPending: boolean;
};

export type DeliveryScenario = {
  readonly plan: DeliveryPlan;
  readonly caller: OrgClient;
  readonly releaseId: string;
  id: Id<'dlv'> | undefined;
  readonly fakeStores: ReadonlyMap<string, FakeStore>;
  /** What the timeline must say about the delivery itself. */
  readonly requests: string[];
  /** Why it was not played to its end. */
  failure: string | undefined;
};

export const createScenario = (
  plan: DeliveryPlan,
  caller: OrgClient,
  releaseId: string,
): DeliveryScenario => ({
  plan,
  caller,
  releaseId,
  id: undefined,
  fakeStores: new Map(
    Array.from(plan.storePlans, ([storeId, role]): [string, FakeStore] => [
      storeId,
      {
        storeId,
        plan: role,
        storeDelivery: newStoreDelivery(0),
        previousMessageId: undefined,
        isTakedownPending: false,
      },
    ]),
  ),
  requests: [],
  failure: undefined,
});

/** Never throws: a delivery that cannot go on says why, and is judged as it is. */
export async function runScenario(
  context: ScenarioContext,
  scenario: DeliveryScenario,
): Promise<void> {
  try {
    await create(context, scenario);
    await takeDownEarly(context, scenario);
    await answerMessages(context, scenario);
    await untilAnswersApplied(context, scenario);
    await requestChanges(context, scenario);
    await answerMessages(context, scenario);
  } catch (error) {
    scenario.failure = error instanceof Error ? error.message : String(error);
  }
}

const fakeStoresOf = ({ fakeStores }: DeliveryScenario): FakeStore[] => [...fakeStores.values()];

async function requestOrThrow(
  { processes: crew }: ScenarioContext,
  { caller: { key } }: DeliveryScenario,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await crew.requestJson({ method, path, key, body });
  if (answer === undefined) throw new Error(`${method} ${path} was refused`);
  return answer;
}

async function create(context: ScenarioContext, scenario: DeliveryScenario): Promise<void> {
  const stores = fakeStoresOf(scenario).map(({ storeId }) => storeId);
  const body = { release_id: scenario.releaseId, stores, territory_codes: ['WORLDWIDE'] };
  const { id, revision } = await requestOrThrow(context, scenario, 'POST', '/v1/deliveries', body);
  scenario.id = id as Id<'dlv'>;
  scenario.requests.push('created');
  for (const fakeStore of scenario.fakeStores.values())
    fakeStore.storeDelivery = newStoreDelivery(revision as number);
}

/** What the api says it found decides: not sent, or on its way. */
async function takeDownEarly(context: ScenarioContext, scenario: DeliveryScenario): Promise<void> {
  const hasty = fakeStoresOf(scenario).filter(({ plan: role }) => role.isTakenDownEarly);
  if (hasty.length === 0) return;
  await wait(scenario.plan.earlyTakedownMs);
  const { stores } = await requestTakedown(context, scenario, hasty);
  const found = new Map(
    (stores as { store_id: string; status: string }[]).map((each) => [each.store_id, each.status]),
  );
  for (const fakeStore of hasty) {
    if (found.get(fakeStore.storeId) === 'taken_down') {
      fakeStore.storeDelivery = applyTakedown(fakeStore.storeDelivery);
      context.onFirstMessage();
    } else {
      fakeStore.isTakedownPending = true;
    }
  }
}

async function requestTakedown(
  context: ScenarioContext,
  scenario: DeliveryScenario,
  fakeStores: readonly FakeStore[],
) {
  scenario.requests.push('takedown');
  const isWhole = fakeStores.length === scenario.fakeStores.size;
  const body = isWhole ? {} : { stores: fakeStores.map(({ storeId }) => storeId) };
  return requestOrThrow(context, scenario, 'POST', `/v1/deliveries/${scenario.id}/takedown`, body);
}

/** Until no store waits for a message, and every answer to those they got was taken in. */
async function answerMessages(context: ScenarioContext, scenario: DeliveryScenario): Promise<void> {
  const deadline = Date.now() + patienceMs;
  const speaking: Promise<void>[] = [];
  for (;;) {
    const waiting = fakeStoresOf(scenario).filter(({ storeDelivery: part }) => awaitsMessage(part));
    if (waiting.length === 0) {
      // What a store says may lead to another message: of its takedown.
      await Promise.all(speaking.splice(0));
      if (!fakeStoresOf(scenario).some(({ storeDelivery: part }) => awaitsMessage(part))) return;
      continue;
    }
    if (Date.now() > deadline) throw new Error(`${waiting.length} stores were sent nothing`);
    for (const { store_id, message_id, message_kind } of await findSent(
      context,
      scenario,
      waiting,
    )) {
      const fakeStore = scenario.fakeStores.get(store_id)!;
      const messageId = toWire('msg', message_id);
      if (fakeStore.previousMessageId === messageId) continue;
      const hasTurned = message_kind === 'takedown' && fakeStore.storeDelivery.kind === 'deliver';
      if (hasTurned) markReplacedByTakedown(fakeStore);
      speaking.push(answerMessage(context, fakeStore, messageId));
    }
    await wait(pollMs);
  }
}

const findSent = (
  { query }: ScenarioContext,
  { id, caller }: DeliveryScenario,
  waiting: readonly FakeStore[],
): Promise<readonly { store_id: string; message_id: string; message_kind: string }[]> =>
  query(
    // What is wanted down while it is being sent may be asked back instead: then nobody was sent it.
    `select store_id, message_id, message_kind from delivery_stores
      where org_id = $1 and delivery_id = $2 and store_id = any($3)
        and (message_state = 'sent' or message_state = 'sending' and not takedown_wanted)`,
    [toUuid(caller.orgId as Id<'org'>), toUuid(id!), waiting.map(({ storeId }) => storeId)],
  );

/** Asked back while it was being sent, and nobody can say that it has left. */
function markReplacedByTakedown(fakeStore: FakeStore): void {
  fakeStore.storeDelivery = applyReplacedByTakedown(fakeStore.storeDelivery);
  fakeStore.isTakedownPending = false;
}

/** A store has its message: the model is told, and the answers are given one after the other. */
async function answerMessage(
  context: ScenarioContext,
  fakeStore: FakeStore,
  messageId: string,
): Promise<void> {
  const script = scriptOf(fakeStore);
  const { previousMessageId: formerId } = fakeStore;
  fakeStore.previousMessageId = messageId;
  fakeStore.storeDelivery = applySent(fakeStore.storeDelivery, messageId);
  if (formerId === undefined) context.onFirstMessage();
  if (fakeStore.isTakedownPending) fakeStore.storeDelivery = applyTakedown(fakeStore.storeDelivery);
  fakeStore.isTakedownPending = false;
  await postAnswers(context, fakeStore, script, { this: messageId, former: formerId });
}

function scriptOf({
  plan: role,
  storeDelivery: part,
  previousMessageId: formerId,
}: FakeStore): readonly ScriptedAnswer[] {
  if (part.kind === 'takedown') return role.takedown;
  if (part.kind === 'update') return role.update;
  return formerId === undefined ? role.first : role.second;
}

async function postAnswers(
  { intake }: ScenarioContext,
  fakeStore: FakeStore,
  script: readonly ScriptedAnswer[],
  ids: { readonly this: string; readonly former: string | undefined },
): Promise<void> {
  for (const { to, kind, reason } of script) {
    const messageId = to === 'nobody' ? intake.newUnknownMessageId() : ids[to];
    // There was none before the first.
    if (messageId === undefined) continue;
    await intake.post({ messageId, kind, reason });
    fakeStore.storeDelivery = applyAnswer(fakeStore.storeDelivery, { messageId, kind, reason });
  }
}

/** Whatever was taken in has moved the delivery: what is asked for next finds it so. */
async function untilAnswersApplied(
  { query }: ScenarioContext,
  { id, caller }: DeliveryScenario,
): Promise<void> {
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
async function requestChanges(context: ScenarioContext, scenario: DeliveryScenario): Promise<void> {
  const wishes = Map.groupBy(fakeStoresOf(scenario), nextRequestOf);
  const refused = wishes.get('resubmit') ?? [];
  const outdated = wishes.get('update') ?? [];
  const unwanted = wishes.get('takedown') ?? [];
  if (refused.length + outdated.length > 0) await resend(context, scenario, refused, outdated);
  // Where all of it was asked back already, there would be nothing to take down.
  if (unwanted.every(({ storeDelivery: part }) => part.isTakedownWanted)) return;
  await requestTakedown(context, scenario, unwanted);
  const flagged = unwanted.filter(({ storeDelivery: part }) => part.status === 'action_required');
  for (const player of unwanted) player.storeDelivery = applyTakedown(player.storeDelivery);
  await Promise.all(
    flagged.map((player) =>
      postAnswers(context, player, player.plan.afterTakedown, {
        this: player.previousMessageId!,
        former: undefined,
      }),
    ),
  );
}

function nextRequestOf({ storeDelivery: { status }, plan: role }: FakeStore): string | undefined {
  if (status === 'delivered') return role.ifDelivered;
  if (status === 'action_required') return role.ifRefused;
  return status === 'rejected' && role.ifRefused === 'resubmit' ? 'resubmit' : undefined;
}

async function resend(
  context: ScenarioContext,
  scenario: DeliveryScenario,
  refused: readonly FakeStore[],
  outdated: readonly FakeStore[],
): Promise<void> {
  const correction = { title: 'Night Ride' };
  const release = await requestOrThrow(
    context,
    scenario,
    'PATCH',
    `/v1/releases/${scenario.releaseId}`,
    correction,
  );
  const revision = release['revision'] as number;
  const send = async (action: 'resubmit' | 'update', fakeStores: readonly FakeStore[]) => {
    if (fakeStores.length === 0) return;
    scenario.requests.push(action === 'resubmit' ? 'resubmission' : 'update');
    const body = { stores: fakeStores.map(({ storeId }) => storeId) };
    await requestOrThrow(
      context,
      scenario,
      'POST',
      `/v1/deliveries/${scenario.id}/${action}`,
      body,
    );
    const move = action === 'resubmit' ? applyResubmission : applyUpdate;
    for (const fakeStore of fakeStores)
      fakeStore.storeDelivery = move(fakeStore.storeDelivery, revision);
  };
  await send('resubmit', refused);
  await send('update', outdated);
}

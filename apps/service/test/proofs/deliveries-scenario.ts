/**
 * One delivery from its creation to its end: requests over HTTP, and fake stores that answer their messages. The model
 * of each store delivery is given the same requests, messages and answers in the same order.
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
/** A lost message is sent again after one minute, then two, so a store must get its message within this time. */
const storeTimeoutMs = 300_000;

/** The caller gives the type of the rows; it is not checked. */
export type Query = <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export type ScenarioContext = {
  readonly processes: KillableProcesses;
  readonly intake: Intake;
  readonly query: Query;
  /** Called when a store has its first message, or will never get one. */
  readonly onFirstMessage: () => void;
};

type FakeStore = {
  readonly storeId: string;
  readonly plan: StorePlan;
  storeDelivery: StoreDelivery;
  previousMessageId: string | undefined;
  /** A takedown was requested, and the proof does not know yet whether the message was sent before it. */
  isTakedownPending: boolean;
};

export type DeliveryScenario = {
  readonly plan: DeliveryPlan;
  readonly caller: OrgClient;
  readonly releaseId: string;
  id: Id<'dlv'> | undefined;
  readonly fakeStores: ReadonlyMap<string, FakeStore>;
  /** The timeline entries about the delivery itself. */
  readonly requests: string[];
  /** Why the scenario could not be finished. */
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
    Array.from(plan.storePlans, ([storeId, storePlan]): [string, FakeStore] => [
      storeId,
      {
        storeId,
        plan: storePlan,
        storeDelivery: newStoreDelivery(0),
        previousMessageId: undefined,
        isTakedownPending: false,
      },
    ]),
  ),
  requests: [],
  failure: undefined,
});

/** Never throws: a scenario that cannot continue keeps the reason in `failure` and is not judged. */
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
  { processes }: ScenarioContext,
  { caller: { key } }: DeliveryScenario,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await processes.requestJson({ method, path, key, body });
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

/** The api's response shows whether a message was canceled before it was sent or is being sent. */
async function takeDownEarly(context: ScenarioContext, scenario: DeliveryScenario): Promise<void> {
  const takenDownEarly = fakeStoresOf(scenario).filter(({ plan }) => plan.isTakenDownEarly);
  if (takenDownEarly.length === 0) return;
  await wait(scenario.plan.earlyTakedownMs);
  const { stores } = await requestTakedown(context, scenario, takenDownEarly);
  const found = new Map(
    (stores as { store_id: string; status: string }[]).map((each) => [each.store_id, each.status]),
  );
  for (const fakeStore of takenDownEarly) {
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

/** Returns when no store waits for a message, and every answer to the messages is recorded. */
async function answerMessages(context: ScenarioContext, scenario: DeliveryScenario): Promise<void> {
  const deadline = Date.now() + storeTimeoutMs;
  const answering: Promise<void>[] = [];
  for (;;) {
    const waiting = fakeStoresOf(scenario).filter(({ storeDelivery }) =>
      awaitsMessage(storeDelivery),
    );
    if (waiting.length === 0) {
      // An answer may cause another message: a takedown.
      await Promise.all(answering.splice(0));
      if (!fakeStoresOf(scenario).some(({ storeDelivery }) => awaitsMessage(storeDelivery))) return;
      continue;
    }
    if (Date.now() > deadline) throw new Error(`${waiting.length} stores got no message`);
    for (const { store_id, message_id, message_kind } of await findSent(
      context,
      scenario,
      waiting,
    )) {
      const fakeStore = scenario.fakeStores.get(store_id)!;
      const messageId = toWire('msg', message_id);
      if (fakeStore.previousMessageId === messageId) continue;
      const isReplaced = message_kind === 'takedown' && fakeStore.storeDelivery.kind === 'deliver';
      if (isReplaced) markReplacedByTakedown(fakeStore);
      answering.push(answerMessage(context, fakeStore, messageId));
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
    // With takedown_wanted, a message in state `sending` may still be replaced by a takedown: it is not sent for sure.
    `select store_id, message_id, message_kind from delivery_stores
      where org_id = $1 and delivery_id = $2 and store_id = any($3)
        and (message_state = 'sent' or message_state = 'sending' and not takedown_wanted)`,
    [toUuid(caller.orgId as Id<'org'>), toUuid(id!), waiting.map(({ storeId }) => storeId)],
  );

/** The service replaced a message that was being sent by a takedown. */
function markReplacedByTakedown(fakeStore: FakeStore): void {
  fakeStore.storeDelivery = applyReplacedByTakedown(fakeStore.storeDelivery);
  fakeStore.isTakedownPending = false;
}

/** Applies the sent message to the model, then posts the store's answers one after the other. */
async function answerMessage(
  context: ScenarioContext,
  fakeStore: FakeStore,
  messageId: string,
): Promise<void> {
  const script = scriptOf(fakeStore);
  const { previousMessageId } = fakeStore;
  fakeStore.previousMessageId = messageId;
  fakeStore.storeDelivery = applySent(fakeStore.storeDelivery, messageId);
  if (previousMessageId === undefined) context.onFirstMessage();
  if (fakeStore.isTakedownPending) fakeStore.storeDelivery = applyTakedown(fakeStore.storeDelivery);
  fakeStore.isTakedownPending = false;
  await postAnswers(context, fakeStore, script, { this: messageId, former: previousMessageId });
}

function scriptOf({
  plan,
  storeDelivery,
  previousMessageId,
}: FakeStore): readonly ScriptedAnswer[] {
  if (storeDelivery.kind === 'takedown') return plan.takedown;
  if (storeDelivery.kind === 'update') return plan.update;
  return previousMessageId === undefined ? plan.first : plan.second;
}

async function postAnswers(
  { intake }: ScenarioContext,
  fakeStore: FakeStore,
  script: readonly ScriptedAnswer[],
  ids: { readonly this: string; readonly former: string | undefined },
): Promise<void> {
  for (const { to, kind, reason } of script) {
    const messageId = to === 'unknown' ? intake.newUnknownMessageId() : ids[to];
    // The first message has no previous one.
    if (messageId === undefined) continue;
    await intake.post({ messageId, kind, reason });
    fakeStore.storeDelivery = applyAnswer(fakeStore.storeDelivery, { messageId, kind, reason });
  }
}

/** Waits until the service has applied all recorded answers, so that the next requests see their effect. */
async function untilAnswersApplied(
  { query }: ScenarioContext,
  { id, caller }: DeliveryScenario,
): Promise<void> {
  const deadline = Date.now() + storeTimeoutMs;
  const values = [toUuid(caller.orgId as Id<'org'>), toUuid(id!)];
  for (;;) {
    const [row] = await query(
      'select 1 from store_answers where org_id = $1 and delivery_id = $2 limit 1',
      values,
    );
    if (row === undefined) return;
    if (Date.now() > deadline) throw new Error('the service did not apply all answers');
    await wait(pollMs);
  }
}

/** After the first answers: corrects and resubmits refused store deliveries, updates or takes down the others. */
async function requestChanges(context: ScenarioContext, scenario: DeliveryScenario): Promise<void> {
  const byNextRequest = Map.groupBy(fakeStoresOf(scenario), nextRequestOf);
  const refused = byNextRequest.get('resubmit') ?? [];
  const outdated = byNextRequest.get('update') ?? [];
  const toTakeDown = byNextRequest.get('takedown') ?? [];
  if (refused.length + outdated.length > 0) await resend(context, scenario, refused, outdated);
  // The api refuses a takedown request if a takedown of all these stores was requested before.
  if (toTakeDown.every(({ storeDelivery }) => storeDelivery.isTakedownWanted)) return;
  await requestTakedown(context, scenario, toTakeDown);
  const flagged = toTakeDown.filter(
    ({ storeDelivery }) => storeDelivery.status === 'action_required',
  );
  for (const fakeStore of toTakeDown)
    fakeStore.storeDelivery = applyTakedown(fakeStore.storeDelivery);
  await Promise.all(
    flagged.map((fakeStore) =>
      postAnswers(context, fakeStore, fakeStore.plan.afterTakedown, {
        this: fakeStore.previousMessageId!,
        former: undefined,
      }),
    ),
  );
}

function nextRequestOf({ storeDelivery: { status }, plan }: FakeStore): string | undefined {
  if (status === 'delivered') return plan.ifDelivered;
  if (status === 'action_required') return plan.ifRefused;
  return status === 'rejected' && plan.ifRefused === 'resubmit' ? 'resubmit' : undefined;
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
    const apply = action === 'resubmit' ? applyResubmission : applyUpdate;
    for (const fakeStore of fakeStores)
      fakeStore.storeDelivery = apply(fakeStore.storeDelivery, revision);
  };
  await send('resubmit', refused);
  await send('update', outdated);
}

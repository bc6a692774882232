/**
 * One delivery from its creation to its end: requests over HTTP, fake stores that answer their messages, deadlines that
 * pass. The model of each store delivery is given the same requests, messages, answers and deadlines in the same order.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Id } from '../../src/kernel/ids.ts';
import type { OrgClient } from '../test-service.ts';
import { passDeadlines } from './deliveries-deadlines.ts';
import {
  answerMessages,
  beginAnswers,
  type Codes,
  type FakeStore,
  giveAnswers,
  nameMessage,
  type StoresContext,
} from './deliveries-fake-stores.ts';
import type { Intake } from './deliveries-intake.ts';
import { type Confirmation, newStoreDelivery } from './deliveries-model.ts';
import {
  contentFor,
  requestChanges,
  requestOrThrow,
  requestTakedown,
} from './deliveries-requests.ts';
import type { DeliveryPlan } from './deliveries-script.ts';
import { applyTakedown } from './deliveries-takedowns.ts';
import { type AppliedWatch, watchApplied } from './deliveries-waits.ts';
import type { HangLimit } from './hang-limit.ts';
import type { KillableProcesses } from './killable-processes.ts';
import type { Query } from './lasting-queries.ts';

export type ScenarioContext = {
  readonly processes: KillableProcesses;
  readonly intake: Intake;
  readonly query: Query;
  readonly stores: ReadonlyMap<string, ProofStore>;
  readonly hangLimit: HangLimit;
  readonly onFirstMessage: () => void;
};

/** A store that the proof inserts. */
export type ProofStore = {
  readonly confirmation: Confirmation;
  readonly territories: readonly string[];
};

export type ProofRelease = {
  readonly id: string;
  readonly codes: Codes;
  /** The second track, which is available only in `territories`. */
  readonly restricted: { readonly isrc: string; readonly territories: readonly string[] };
  territories: readonly string[];
  revision: number;
};

export type DeliveryScenario = {
  readonly plan: DeliveryPlan;
  readonly caller: OrgClient;
  readonly release: ProofRelease;
  id: Id<'dlv'> | undefined;
  readonly fakeStores: ReadonlyMap<string, FakeStore>;
  /** The timeline entries about the delivery itself. */
  readonly requests: string[];
  /** What a request answered in `skipped`, and should not have. */
  readonly wrongSkips: string[];
  /** A second delivery, to the stores at which this one was taken down. */
  successor: DeliveryScenario | undefined;
  /** Why the scenario could not be finished. */
  failure: string | undefined;
};

export type RunningScenario = ScenarioContext & { readonly scenario: DeliveryScenario };

export const createScenario = (
  plan: DeliveryPlan,
  caller: OrgClient,
  release: ProofRelease,
  stores: ReadonlyMap<string, ProofStore>,
  predecessors: ReadonlyMap<string, FakeStore> = new Map(),
): DeliveryScenario => ({
  plan,
  caller,
  release,
  id: undefined,
  fakeStores: new Map(
    Array.from(stores, ([storeId, { confirmation, territories }]): [string, FakeStore] => [
      storeId,
      {
        storeId,
        territories,
        plan: plan.storePlans.get(storeId)!,
        storeDelivery: newStoreDelivery(confirmation, { revision: 0, territories: [] }),
        requestedCodes: ['WORLDWIDE'],
        isTakedownPending: false,
        isAnswering: false,
        failure: undefined,
        predecessor: predecessors.get(storeId),
      },
    ]),
  ),
  requests: [],
  wrongSkips: [],
  successor: undefined,
  failure: undefined,
});

/** Never throws: a scenario that cannot continue keeps the reason in `failure` and is not judged. */
export async function runScenario(
  context: ScenarioContext,
  scenario: DeliveryScenario,
): Promise<void> {
  try {
    const running = { ...context, scenario };
    const stores = await create(running);
    await takeDownEarly(running);
    await answerMessages(stores, scenario.fakeStores);
    for (const [round, correction] of scenario.plan.corrections.entries()) {
      await settle(running, stores);
      await giveLateAnswers(stores, scenario, round);
      await answerMessages(stores, scenario.fakeStores);
      await stores.applied.untilApplied();
      const waiting = await requestChanges(running, correction, round);
      for (const fakeStore of waiting)
        beginAnswers(stores, fakeStore, fakeStore.plan.afterTakedown);
      await answerMessages(stores, scenario.fakeStores);
    }
    await settle(running, stores);
    if (scenario.plan.isRedelivered) await redeliver(running, stores.applied);
  } catch (error) {
    scenario.failure = error instanceof Error ? error.message : String(error);
  }
}

/** All answers are applied, and all deadlines have passed if the plan says so. */
async function settle(running: RunningScenario, stores: StoresContext): Promise<void> {
  await stores.applied.untilApplied();
  if (running.scenario.plan.passesDeadlines) await passDeadlines(running, stores.delivery);
}

async function create(running: RunningScenario): Promise<StoresContext> {
  const { scenario, query, intake, hangLimit, onFirstMessage } = running;
  const { release, caller, fakeStores } = scenario;
  const body = {
    release_id: release.id,
    stores: [...fakeStores.keys()],
    territory_codes: ['WORLDWIDE'],
  };
  const { id, revision } = await requestOrThrow(running, 'POST', '/v1/deliveries', body);
  scenario.id = id as Id<'dlv'>;
  scenario.requests.push('created');
  release.revision = revision as number;
  for (const fakeStore of fakeStores.values()) {
    const { confirmation } = fakeStore.storeDelivery;
    fakeStore.storeDelivery = newStoreDelivery(confirmation, contentFor(release, fakeStore));
  }
  const delivery = { orgId: caller.orgId, id: scenario.id };
  const applied = watchApplied(query, delivery, hangLimit);
  const { codes } = release;
  return { query, intake, delivery, codes, applied, hangLimit, onFirstMessage };
}

/** The api's response shows whether a message was canceled before it was sent or is being sent. */
async function takeDownEarly(running: RunningScenario): Promise<void> {
  const { scenario, onFirstMessage } = running;
  const takenDownEarly = [...scenario.fakeStores.values()].filter(
    ({ plan }) => plan.isTakenDownEarly,
  );
  if (takenDownEarly.length === 0) return;
  await wait(scenario.plan.earlyTakedownMs);
  const { stores } = await requestTakedown(running, takenDownEarly);
  const found = new Map(
    (stores as { store_id: string; status: string }[]).map((each) => [each.store_id, each.status]),
  );
  for (const fakeStore of takenDownEarly) {
    if (found.get(fakeStore.storeId) === 'taken_down') {
      fakeStore.storeDelivery = applyTakedown(fakeStore.storeDelivery);
      onFirstMessage();
    } else {
      fakeStore.isTakedownPending = true;
    }
  }
}

async function giveLateAnswers(
  stores: StoresContext,
  { fakeStores }: DeliveryScenario,
  round: number,
): Promise<void> {
  await Promise.all(
    Array.from(fakeStores.values(), (fakeStore) => {
      const late = fakeStore.plan.rounds[round]?.late[fakeStore.storeDelivery.status];
      return giveAnswers(stores, fakeStore, late ?? []);
    }),
  );
}

/**
 * Contract §3: the stores at which the release is taken down get a second delivery. Answers to messages of the first
 * delivery change neither of the two.
 */
async function redeliver(running: RunningScenario, applied: AppliedWatch): Promise<void> {
  const { scenario, stores: all } = running;
  const { plan, caller, release, fakeStores } = scenario;
  const takenDown = new Map(
    [...all].filter(([id]) => fakeStores.get(id)?.storeDelivery.status === 'taken_down'),
  );
  if (takenDown.size === 0) return;
  const successor = createScenario(plan, caller, release, takenDown, fakeStores);
  scenario.successor = successor;
  const second = { ...running, scenario: successor, onFirstMessage: () => undefined };
  const stores = await create(second);
  await answerMessages(stores, successor.fakeStores);
  await stores.applied.untilApplied();
  await Promise.all(
    Array.from(successor.fakeStores.values(), async ({ predecessor, storeDelivery, plan: own }) => {
      const messageId = predecessor?.storeDelivery.messageIds.at(-1);
      if (predecessor === undefined || messageId === undefined) return;
      if (storeDelivery.status === 'taken_down') return;
      const before = predecessor.storeDelivery;
      await nameMessage(stores, predecessor, own.afterRedelivery, messageId);
      predecessor.storeDelivery = before;
    }),
  );
  await applied.untilApplied();
}

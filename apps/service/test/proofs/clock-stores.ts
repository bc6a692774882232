/** The model's stores: what they support, by when they should answer, and how they follow scenarios. */

import { fictionalStores } from '../../src/network/domain/fictional-stores.ts';
import { durationMs } from '../../src/sandbox/domain/duration.ts';
import {
  simulateReplies,
  type ScheduledReply,
  isStepTaken,
  type SimulatedMessage,
  randomFor,
} from '../../src/sandbox/domain/reaction.ts';
import type { MessageKind, StoreDelivery, ModelAnswer } from './clock-store-delivery.ts';
import type { ModelDelivery, Release, Scenario } from './clock-types.ts';
import type { Confirmation } from './deliveries-model.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const storeIds: readonly string[] = fictionalStores.map(({ storeId }) => storeId);

const capabilities = new Map(
  fictionalStores.map((store) => [store.storeId, store.capabilities] as const),
);

export const supports = (storeId: string, what: 'takedown' | 'update'): boolean =>
  capabilities.get(storeId)?.[what] === true;

export const confirmationOf = (storeId: string): Confirmation =>
  capabilities.get(storeId)?.confirmation ?? 'live';

/** Local midnight of the release date, for which 00:00 UTC stands; or the same moment everywhere. */
export const startOf = ({ date, releaseAt }: Pick<Release, 'date' | 'releaseAt'>): number =>
  Date.parse(releaseAt ?? date);

/**
 * Contract §2, catalogue §1.3: 72 hours for a takedown, else the lead time. A first delivery is not expected before its
 * start; a store that announces availability has until the date is over everywhere, or a day if the moment is fixed.
 */
export function deadlineOf(
  storeId: string,
  kind: MessageKind,
  release: Pick<Release, 'date' | 'releaseAt'>,
  now: number,
): number {
  if (kind === 'takedown') return now + 72 * hourMs;
  const lead = businessDaysLater(now, capabilities.get(storeId)!.leadTimeBusinessDays);
  if (kind === 'update') return lead;
  const graceDays = release.releaseAt === null ? 2 : 1;
  const grace = confirmationOf(storeId) === 'live' ? graceDays * dayMs : 0;
  return Math.max(lead, startOf(release) + grace);
}

function businessDaysLater(from: number, days: number): number {
  let at = from;
  for (let left = days; left > 0;) {
    at += dayMs;
    const weekday = new Date(at).getUTCDay();
    if (weekday >= 1 && weekday <= 5) left--;
  }
  return at;
}

/** Which step of a scenario a message met. `awayUntil` is the end of the outage, if the step is one. */
type ScenarioUse = {
  readonly messageId: string;
  readonly storeDelivery: StoreDelivery;
  step: number;
  awayUntil: number | null;
};
export type TrackedScenario = Scenario & { readonly uses: ScenarioUse[] };

type SentMessage = {
  readonly delivery: ModelDelivery;
  readonly storeDelivery: StoreDelivery;
  /** As it was when the message was created. */
  readonly release: Pick<Release, 'name' | 'date' | 'releaseAt'>;
  readonly now: number;
};

type Answers = readonly { readonly afterMs: number; readonly answer: ModelAnswer }[];

/** `scenarios` is ordered from the newest to the oldest; the first that matches is used. */
export function createStoreBehaviour(scenarios: readonly TrackedScenario[]) {
  /** Scenarios are only ever added, in front. The service compares the reasons of two flags, which name the scenario. */
  const idOf = (scenario: TrackedScenario) =>
    `scn_${scenarios.length - scenarios.indexOf(scenario)}` as const;
  return ({ delivery, storeDelivery, release, now }: SentMessage): Answers | 'away' => {
    const { storeId, messageId, expectedBy, state } = storeDelivery;
    const { kind, confirmation } = state;
    const sent: SimulatedMessage = {
      storeId,
      kind,
      confirmation,
      startsAt: new Date(startOf(release)),
      releaseName: release.name,
      expectedBy: expectedBy === null ? null : new Date(expectedBy),
      now: new Date(now),
    };
    const toAnswers = (replies: readonly ScheduledReply[]): Answers =>
      replies.flatMap(({ afterMs, reply }) => {
        const answer = toModelAnswer(kind, confirmation, reply);
        return answer === undefined ? [] : [{ afterMs, answer }];
      });
    const scenario =
      scenarios.find(({ uses }) => uses.some((use) => use.messageId === messageId)) ??
      scenarios.find((each) => matchesScenario(each, storeId, delivery.release, kind));
    if (scenario === undefined)
      return toAnswers(simulateReplies(sent, undefined, randomFor(sent, 0, 0)));
    const use = findOrAddUse(scenario, storeDelivery);
    if (isAway(scenario, use, sent)) return 'away';
    const random = randomFor(sent, scenario.seed, use.step);
    const step = stepOf(scenario, use.step);
    const isTaken = step !== undefined && isStepTaken(step, random);
    const taken = isTaken ? { ...step, scenarioId: idOf(scenario) } : undefined;
    return toAnswers(simulateReplies(sent, taken, random));
  };
}

const matchesScenario = (
  scenario: Scenario,
  storeId: string,
  release: number,
  kind: MessageKind,
): boolean =>
  (scenario.store ?? storeId) === storeId &&
  (scenario.release ?? release) === release &&
  (scenario.message ?? kind) === kind;

const stepOf = ({ steps, repeats }: Scenario, index: number) =>
  steps[repeats ? index % steps.length : index];

/** A message keeps its step; the next message of the same store delivery gets the next step. */
function findOrAddUse({ uses }: TrackedScenario, storeDelivery: StoreDelivery): ScenarioUse {
  const { messageId } = storeDelivery;
  const found = uses.find((use) => use.messageId === messageId);
  if (found !== undefined) return found;
  const earlier = uses.filter((use) => use.storeDelivery === storeDelivery).map(({ step }) => step);
  const use: ScenarioUse = {
    messageId,
    storeDelivery,
    step: Math.max(-1, ...earlier) + 1,
    awayUntil: null,
  };
  uses.push(use);
  return use;
}

/** Skips outages that are over or do not happen, each step at most once. */
function isAway(scenario: TrackedScenario, use: ScenarioUse, sent: SimulatedMessage): boolean {
  const now = sent.now.getTime();
  for (let skipped = 0; skipped <= scenario.steps.length; skipped++) {
    const step = stepOf(scenario, use.step);
    if (step?.action !== 'outage') break;
    if (use.awayUntil === null && isStepTaken(step, randomFor(sent, scenario.seed, use.step))) {
      use.awayUntil = now + durationMs(step.lasts ?? '0s');
    }
    if (use.awayUntil !== null && use.awayUntil > now) return true;
    use.step++;
    use.awayUntil = null;
  }
  return false;
}

/** Catalogue §1.3: a store says that the release is available, only that it has it, or nothing unless it refuses. */
const positiveAnswers = {
  live: { deliver: 'delivered', update: 'delivered', takedown: 'removed' },
  ingest: { deliver: 'acknowledged', update: 'acknowledged', takedown: 'acknowledged' },
  none: { deliver: undefined, update: undefined, takedown: undefined },
} as const;

function toModelAnswer(
  kind: MessageKind,
  confirmation: Confirmation,
  reply: ScheduledReply['reply'],
): ModelAnswer | undefined {
  if (reply.says === 'removed') return { kind: 'removed', refusal: null };
  if (reply.says === 'yes') {
    const positive = positiveAnswers[confirmation][kind];
    return positive && { kind: positive, refusal: null };
  }
  const { code, reason } = reply as Extract<ScheduledReply['reply'], { readonly reason: string }>;
  const refusal = { code: code ?? 'unspecified', reason };
  if (reply.says === 'flag') return { kind: 'action_required', refusal };
  return { kind: kind === 'takedown' ? 'removal_refused' : 'rejected', refusal };
}

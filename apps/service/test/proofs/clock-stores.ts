/** What the model knows of stores: what they take, by when they should answer, and how they follow scenarios. */
import { fictionalStores } from '../../src/network/domain/fictional-stores.ts';
import { durationMs } from '../../src/sandbox/domain/duration.ts';
import {
  simulateReplies,
  type ScheduledReply,
  isStepTaken,
  type SimulatedMessage,
  randomFor,
} from '../../src/sandbox/domain/reaction.ts';
import type { Kind, Part, Word } from './clock-part.ts';
import type { Delivery, Release, Scenario } from './clock-words.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const storeIds: readonly string[] = fictionalStores.map(({ storeId }) => storeId);

const capabilities = new Map(
  fictionalStores.map((store) => [store.storeId, store.capabilities] as const),
);

export const takes = (storeId: string, what: 'takedown' | 'update'): boolean =>
  capabilities.get(storeId)?.[what] === true;

/** Contract §2: 72 hours for a takedown; else the lead time, and of a release at least two days after its date. */
export function deadlineOf(storeId: string, kind: Kind, date: string, now: number): number {
  if (kind === 'takedown') return now + 72 * hourMs;
  const lead = businessDaysLater(now, capabilities.get(storeId)!.leadTimeBusinessDays);
  return kind === 'update' ? lead : Math.max(lead, Date.parse(date) + 2 * dayMs);
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

/** Which message met which step of it; a step that is an outage until when the store is away. */
type Use = {
  readonly messageId: number;
  readonly part: Part;
  step: number;
  awayUntil: number | null;
};
export type FeltScenario = Scenario & { readonly uses: Use[] };

type Sending = {
  readonly delivery: Delivery;
  readonly part: Part;
  readonly release: Release;
  readonly now: number;
};

type Answers = readonly { readonly afterMs: number; readonly word: Word }[];

/** Newest scenarios first. */
export function createStoreMind(scenarios: readonly FeltScenario[]) {
  return ({ delivery, part, release, now }: Sending): Answers | 'away' => {
    const { storeId, message, expectedBy } = part;
    const sent: SimulatedMessage = {
      storeId,
      kind: message.kind,
      releaseDate: release.date,
      releaseName: release.name,
      expectedBy: expectedBy === null ? null : new Date(expectedBy),
      now: new Date(now),
    };
    const inWords = (coming: readonly ScheduledReply[]): Answers =>
      coming.map(({ afterMs, reply: word }) => ({ afterMs, word: spoken(message.kind, word) }));
    const met = scenarios.find(({ uses }) => uses.some((use) => use.messageId === message.id));
    const scenario =
      met ?? scenarios.find((each) => fits(each, storeId, delivery.release, message.kind));
    if (scenario === undefined)
      return inWords(simulateReplies(sent, undefined, randomFor(sent, 0, 0)));
    const use = useOf(scenario, part);
    if (isAway(scenario, use, sent)) return 'away';
    const thrown = randomFor(sent, scenario.seed, use.step);
    const step = stepOf(scenario, use.step);
    return inWords(
      simulateReplies(sent, step && isStepTaken(step, thrown) ? step : undefined, thrown),
    );
  };
}

const fits = (scenario: Scenario, storeId: string, release: number, kind: Kind): boolean =>
  (scenario.store ?? storeId) === storeId &&
  (scenario.release ?? release) === release &&
  (scenario.message ?? kind) === kind;

const stepOf = ({ steps, repeats }: Scenario, index: number) =>
  steps[repeats ? index % steps.length : index];

/** A message stays with the step it met; the next one of its delivery to its store meets the next. */
function useOf({ uses }: FeltScenario, part: Part): Use {
  const found = uses.find(({ messageId }) => messageId === part.message.id);
  if (found !== undefined) return found;
  const earlier = uses.filter((use) => use.part === part).map(({ step }) => step);
  const use: Use = {
    messageId: part.message.id,
    part,
    step: Math.max(-1, ...earlier) + 1,
    awayUntil: null,
  };
  uses.push(use);
  return use;
}

/** Goes past outages that are over or do not happen, at most once around. */
function isAway(scenario: FeltScenario, use: Use, sent: SimulatedMessage): boolean {
  const now = sent.now.getTime();
  for (let passed = 0; passed <= scenario.steps.length; passed++) {
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

function spoken(kind: Kind, { says, ...rest }: ScheduledReply['reply']): Word {
  const isTakedown = kind === 'takedown';
  if (says === 'yes') return { says: isTakedown ? 'removed' : 'delivered', refusal: null };
  const { code, reason } = rest as { code: string | null; reason: string };
  if (says === 'flag') return { says: 'action_required', refusal: { code, reason } };
  const refusal = { code: code ?? 'unspecified', reason };
  return { says: isTakedown ? 'removal_refused' : 'rejected', refusal };
}

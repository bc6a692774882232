/** Draws a sequence before it is executed: releases, scenarios, requests and advances. */

import { type Model, openModel } from './clock-model.ts';
import { codes, drawOutageScenario, drawScenario, isOnceIn } from './clock-scenarios.ts';
import type { AnswerKind, MessageKind, ModelAnswer } from './clock-store-delivery.ts';
import { confirmationOf, storeIds } from './clock-stores.ts';
import type { ModelDelivery, RequestAction, Release } from './clock-types.ts';
import type { Random } from './random.ts';

export type Mode = 'running' | 'manual';

/** `toMs` is counted from the start of the sequence. */
export type ClockAction =
  | {
      readonly kind: 'advance';
      readonly by: string;
      readonly ms: number;
      /** The states after this advance depend on how much real time it takes. */
      readonly skipsStateCheck?: boolean;
    }
  | { readonly kind: 'advance'; readonly toMs: number }
  | { readonly kind: 'mode'; readonly mode: Mode }
  /** Waits, while the clock runs, until every delivery has its final state. */
  | { readonly kind: 'await' };

export type SequenceAction = RequestAction | ClockAction;

/** Exact: the clock is always frozen, and every time is known to the millisecond. Loose: the clock runs at times. */
export type Sequence = {
  readonly seed: number;
  readonly timing: 'exact' | 'loose';
  readonly start: number;
  /** The releases are reviewed before the first request; otherwise deliveries wait for the review. */
  readonly isReviewedFirst: boolean;
  readonly releases: readonly Release[];
  readonly actions: readonly SequenceAction[];
};

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const unitsMs = { s: secondMs, m: minuteMs, h: hourMs, d: dayMs } as const;
const titles =
  'Night Ride,Morning Train,Quiet Harbour,Paper Moon,Long Way,Silver Lake,Open Window,Red Kite,Old Garden,Blue Door,Salt Road,Last Tram';

const dateAfter = (start: number, days: number): string =>
  new Date(start + days * dayMs).toISOString().slice(0, 10);

/** One release in three is out at the same moment everywhere, on its date in UTC. */
const drawReleaseAt = (random: Random, date: string): string | null =>
  isOnceIn(random, 3) ? new Date(Date.parse(date) + random.below(24) * hourMs).toISOString() : null;

export function drawSequence(random: Random, base: number, timing: Sequence['timing']): Sequence {
  const start = base + random.below(14 * dayMs);
  const releases = Array.from({ length: 1 + random.below(2) }, (_, i): Release => {
    const date = dateAfter(start, 1 + random.below(isOnceIn(random, 2) ? 6 : 45));
    return { name: `clock-${random.seed}-${i}`, date, releaseAt: drawReleaseAt(random, date) };
  });
  const isReviewedFirst = timing === 'loose' || random.below(3) > 0;
  const model = openModel(start, releases);
  if (isReviewedFirst) model.advance(start);
  const actions = drawActions(random, model, start, timing === 'loose');
  return { seed: random.seed, timing, start, isReviewedFirst, releases, actions };
}

function drawActions(
  random: Random,
  model: Model,
  start: number,
  isLoose: boolean,
): readonly SequenceAction[] {
  const actions: SequenceAction[] = [];
  const unusedTitles = titles.split(',');
  const addRequest = (action: RequestAction | undefined): void => {
    if (action === undefined) return;
    actions.push(action);
    model.applyRequest(action);
  };
  const addClockAction = (step: ClockAction): void => {
    actions.push(step);
    if (step.kind !== 'advance') return;
    model.advance('ms' in step ? model.now() + step.ms : start + step.toMs);
  };
  const { length } = model.releases;
  for (let i = random.below(4); i > 0; i--) {
    addRequest({ kind: 'script', scenario: drawScenario(random, length, isLoose) });
  }
  if (isLoose) addClockAction({ kind: 'mode', mode: 'running' });
  else if (isOnceIn(random, 3))
    addRequest({ kind: 'script', scenario: drawOutageScenario(random) });
  addRequest(drawCreation(random, model));
  for (let rounds = 2 + random.below(4); rounds > 0; rounds--) {
    addClockAction(drawAdvance(random, model, start, isLoose));
    if (isLoose && isOnceIn(random, 3)) {
      addClockAction({ kind: 'mode', mode: random.pick(['running', 'manual'] as const) });
    }
    if (isOnceIn(random, 5)) continue;
    for (const action of drawRequests(random, model, unusedTitles, isLoose)) addRequest(action);
  }
  const longest = isOnceIn(random, 2) ? 40 : 8;
  addClockAction({ kind: 'advance', by: `${longest}d`, ms: longest * dayMs });
  if (isLoose) drawEnd(random, model, addRequest, addClockAction);
  return actions;
}

/**
 * The last delivery must end without another advance: its stores answer within seconds, so the request that resumes
 * the clock must have enqueued the timers.
 */
function drawEnd(
  random: Random,
  model: Model,
  addRequest: (action: RequestAction | undefined) => void,
  addClockAction: (step: ClockAction) => void,
): void {
  const creation = drawCreation(random, model);
  if (creation === undefined) return;
  const anything = { store: null, release: null, message: null, seed: 0, repeats: true };
  const first = random.pick(['running', 'manual'] as const);
  addClockAction({ kind: 'mode', mode: first });
  addRequest({
    kind: 'script',
    scenario: { ...anything, steps: [{ action: 'confirm', after: '2s' }] },
  });
  addRequest(creation);
  addClockAction({ kind: 'advance', by: '0s', ms: 0, skipsStateCheck: first === 'running' });
  if (first === 'manual') addClockAction({ kind: 'mode', mode: 'running' });
  addClockAction({ kind: 'await' });
}

function drawAdvance(random: Random, model: Model, start: number, isLoose: boolean): ClockAction {
  const next = model.nextAt();
  if (!isLoose && next !== undefined && next > model.now() && isOnceIn(random, 3)) {
    // Exactly to the next timer, or one millisecond before it.
    return { kind: 'advance', toMs: next - random.below(2) - start };
  }
  const isAway = model.deliveries.some(({ storeDeliveries }) =>
    storeDeliveries.some(({ state }) => state.messageState === 'sending'),
  );
  const unit = random.pick(
    isAway ? (['s', 'm', 'm', 'm', 'm', 'h'] as const) : (['s', 'm', 'h', 'h', 'd', 'd'] as const),
  );
  const count = random.below({ s: 90, m: 60, h: 48, d: random.pick([5, 14, 40]) }[unit]);
  const ms = count * unitsMs[unit];
  // A running clock has moved on when the request arrives, so a near target would be in the past.
  const isAbsolute = isOnceIn(random, 3) && (!isLoose || ms > hourMs);
  return isAbsolute
    ? { kind: 'advance', toMs: model.now() + ms - start }
    : { kind: 'advance', by: `${count}${unit}`, ms };
}

function drawCreation(random: Random, { deliveries, releases }: Model): RequestAction | undefined {
  const release = random.below(releases.length);
  const taken = deliveries
    .filter((delivery) => delivery.release === release)
    .flatMap(({ storeDeliveries }) =>
      storeDeliveries.filter(({ state }) => state.status !== 'taken_down'),
    );
  const stores = storeIds.filter((id) => taken.every(({ storeId }) => storeId !== id));
  const drawn = drawSome(random, stores, 1 + random.below(6));
  const chosen = isOnceIn(random, 2) ? withSilentStore(random, stores, drawn) : drawn;
  return chosen.length === 0 ? undefined : { kind: 'create', release, stores: chosen };
}

/** Two of the twelve stores do not announce availability: half of the deliveries have one of them for sure. */
function withSilentStore(
  random: Random,
  from: readonly string[],
  chosen: readonly string[],
): readonly string[] {
  const silent = from.filter((id) => confirmationOf(id) !== 'live');
  return [...new Set([...chosen, ...drawSome(random, silent, 1)])];
}

function drawSome<T>(random: Random, from: readonly T[], count: number): readonly T[] {
  const left = [...from];
  const chosen: T[] = [];
  while (chosen.length < count && left.length > 0) {
    chosen.push(...left.splice(random.below(left.length), 1));
  }
  return chosen;
}

function drawRequests(
  random: Random,
  model: Model,
  unusedTitles: string[],
  isLoose: boolean,
): readonly (RequestAction | undefined)[] {
  const { deliveries, releases } = model;
  const delivery = random.pick(deliveries);
  const { index, storeDeliveries } = delivery;
  const stores = isOnceIn(random, 2)
    ? undefined
    : drawSome(random, storeDeliveries, 1 + random.below(storeDeliveries.length)).map(
        ({ storeId }) => storeId,
      );
  switch (random.below(8)) {
    case 0:
      return [deliveries.length < 3 ? drawCreation(random, model) : undefined];
    case 1:
      return [
        { kind: 'script', scenario: drawScenario(random, releases.length, isLoose) },
        { kind: 'takedown', delivery: index, stores },
      ];
    case 2:
      return [{ kind: 'takedown', delivery: index, stores }];
    case 3:
    case 4:
      return [drawAnswer(random, delivery)];
    default:
      return drawCorrection(random, model, delivery, { stores, title: unusedTitles.shift() });
  }
}

/** Changes the release if possible, and sends it again to the stores that refused it or already have it. */
function drawCorrection(
  random: Random,
  model: Model,
  { index, storeDeliveries, release }: ModelDelivery,
  {
    stores,
    title,
  }: { readonly stores: readonly string[] | undefined; readonly title?: string | undefined },
): readonly RequestAction[] {
  const isRefused = storeDeliveries.some(({ state }) => /rejected|action/.test(state.status));
  const kind = isRefused && random.below(4) > 0 ? 'resubmit' : 'update';
  const send: RequestAction = { kind, delivery: index, stores };
  const corrected = model.releases[release];
  if (title === undefined || corrected?.isReviewed !== true) return [send];
  // The moment of a release must be on its date.
  const movesDate = corrected.releaseAt === null && isOnceIn(random, 4);
  const date = movesDate ? dateAfter(model.now(), 2 + random.below(40)) : undefined;
  return [{ kind: 'patch', release, title, date }, send];
}

const likely: Readonly<Record<MessageKind, readonly AnswerKind[]>> = {
  deliver: ['delivered', 'rejected', 'action_required', 'acknowledged'],
  update: ['delivered', 'rejected', 'action_required', 'acknowledged'],
  takedown: ['removed', 'removal_refused', 'acknowledged'],
};
/** A store says these about a release it has, or had, without naming a message. */
const aboutRelease: readonly AnswerKind[] = ['delivered', 'rejected', 'action_required', 'removed'];

function drawAnswer(random: Random, { index, storeDeliveries }: ModelDelivery): RequestAction {
  const { state, storeId } = random.pick(storeDeliveries);
  const isAboutRelease = isOnceIn(random, 4);
  const kinds = isAboutRelease
    ? aboutRelease
    : likely[isOnceIn(random, 8) ? 'takedown' : state.kind];
  return {
    kind: 'answer',
    delivery: index,
    store: storeId,
    answer: drawModelAnswer(random, random.pick(kinds)),
    isAboutRelease,
  };
}

function drawModelAnswer(random: Random, kind: AnswerKind): ModelAnswer {
  const isRefusal = kind === 'rejected' || kind === 'action_required' || kind === 'removal_refused';
  if (!isRefusal) return { kind, refusal: null };
  return { kind, refusal: { code: random.pick(codes), reason: 'answered by the proof' } };
}

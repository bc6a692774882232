/**
 * A model of one organization: its deliveries, its fictional stores and its clock, in one process without concurrency.
 * Due timers fire in the order of their times. An advance fires the timers that are due already, then tries once every
 * message that was not sent, then fires the timers up to its target (contract §4). It shares with the service only the
 * code that decides what a fictional store answers, and when.
 */

import { openAnnouncements } from './clock-announcements.ts';
import { type ModelCore, openRequests } from './clock-requests.ts';
import {
  isUnsent,
  type ModelAnswer,
  type StoreDelivery,
  toReason,
} from './clock-store-delivery.ts';
import { createStoreBehaviour, deadlineOf, type TrackedScenario } from './clock-stores.ts';
import { createModelTimers, type TimerKind } from './clock-timers.ts';
import type { ModelDelivery, Release } from './clock-types.ts';
import { applyAnswer } from './deliveries-answers.ts';
import { applyDispatched, markClaimed, markSent } from './deliveries-model.ts';
import { applyDeadline, applyReplacement } from './deliveries-takedowns.ts';

export type AddressedAnswer = {
  readonly storeDelivery: StoreDelivery;
  /** Null: the store names only the release. */
  readonly messageId: string | null;
  readonly answer: ModelAnswer;
};

/** Dates are kept for each revision, because a message carries those of its revision. */
export type ModelRelease = Release & {
  readonly versions: Pick<Release, 'date' | 'releaseAt'>[];
  isReviewed: boolean;
};

const redispatchAfterMs = 30_000;
const doublingsMax = 7;
/** The service checks a deadline up to a minute early, and an unsent message to a silent store after an hour. */
const checkSkewMs = 60_000;
const unsentCheckMs = 3_600_000;

export type Model = ReturnType<typeof openModel>;

export function openModel(start: number, drawnReleases: readonly Release[]) {
  let now = start;
  let ids = 0;
  const timers = createModelTimers();
  let fired = 0;
  const answers: (AddressedAnswer & { readonly dueAt: number })[] = [];
  const deliveries: ModelDelivery[] = [];
  const releases = drawnReleases.map((release): ModelRelease => ({
    ...release,
    versions: [release],
    isReviewed: false,
  }));
  const scenarios: TrackedScenario[] = [];
  const behaviourOf = createStoreBehaviour(scenarios);
  const { events, announceSteps, announceStatusChange } = openAnnouncements(() => now);

  const setTimer = (at: number, kind: TimerKind, index: number, fire: () => void): void => {
    timers.set({ at, kind, index, fire });
  };
  const newMessageId = (): string => `m${++ids}`;
  const change: ModelCore['change'] = (delivery, storeDelivery, next, announced = 'together') =>
    announceSteps(delivery, storeDelivery, next, newMessageId, announced);
  const scheduleDispatch = (delivery: ModelDelivery, at = now): void =>
    setTimer(at, 'dispatch', delivery.index, () => dispatchDelivery(delivery));
  const scheduleCheck = (delivery: ModelDelivery, at: number): void => {
    delivery.checkAt = at;
    setTimer(at, 'check', delivery.index, () => checkDeadlines(delivery));
  };
  /** A takedown that is asked for is dispatched soon, even if dispatches have failed often. */
  const dispatchTakedowns = (delivery: ModelDelivery, asked: readonly StoreDelivery[]): void => {
    if (!asked.some(isQueuedTakedown)) return;
    delivery.dispatches = Math.min(delivery.dispatches, 1);
    scheduleDispatch(delivery);
  };

  function dispatchDelivery(delivery: ModelDelivery): void {
    const unsent = delivery.storeDeliveries.filter(isUnsent);
    if (unsent.length === 0 || !releases[delivery.release]!.isReviewed) return;
    for (const storeDelivery of unsent)
      change(delivery, storeDelivery, applyReplacement(storeDelivery.state));
    for (const storeDelivery of unsent)
      if (storeDelivery.state.deadline === null) dispatchMessage(delivery, storeDelivery);
    announceStatusChange(delivery);
    scheduleRecheck(delivery, unsent.length);
    for (const storeDelivery of unsent) send(delivery, storeDelivery);
  }

  /** Does nothing if the delivery is rechecked by then anyway. */
  function scheduleRecheck(delivery: ModelDelivery, unsent: number): void {
    const dispatches = unsent < delivery.unsent ? 0 : delivery.dispatches;
    const at = now + redispatchAfterMs * 2 ** Math.min(dispatches, doublingsMax);
    const { recheckAt } = delivery;
    if (recheckAt !== undefined && recheckAt > now && recheckAt <= at) return;
    Object.assign(delivery, {
      dispatches: dispatches + 1,
      unsent,
      recheckAt: at,
    } satisfies Partial<ModelDelivery>);
    scheduleDispatch(delivery, at);
  }

  const releaseSentTo = ({ release }: ModelDelivery, { state }: StoreDelivery) => {
    const { revision } = state.update?.status === 'pending' ? state.update : state.content;
    return { ...releases[release]!, ...releases[release]!.versions[revision] };
  };

  /** Puts the message into the store's lane, with a deadline. */
  function dispatchMessage(delivery: ModelDelivery, storeDelivery: StoreDelivery): void {
    const { state, storeId } = storeDelivery;
    const release = releaseSentTo(delivery, storeDelivery);
    const deadline = deadlineOf(storeId, state.kind, release, now);
    storeDelivery.expectedBy = deadline;
    change(delivery, storeDelivery, applyDispatched(state));
    if (delivery.checkAt === null || deadline < delivery.checkAt) scheduleCheck(delivery, deadline);
  }

  /** Catalogue §1.3: without an answer by its deadline, a message is overdue or inferred to be done. */
  function checkDeadlines(delivery: ModelDelivery): void {
    if (delivery.checkAt === null || delivery.checkAt > now + checkSkewMs) return;
    const { storeDeliveries } = delivery;
    const next = Math.min(...storeDeliveries.flatMap((each) => nextCheckOf(each, now)));
    const due = storeDeliveries.filter(
      ({ expectedBy }) => expectedBy !== null && expectedBy <= now,
    );
    for (const storeDelivery of due)
      change(delivery, storeDelivery, applyDeadline(storeDelivery.state), 'one by one');
    dispatchTakedowns(delivery, due);
    delivery.checkAt = null;
    if (Number.isFinite(next)) scheduleCheck(delivery, next);
  }

  function send(delivery: ModelDelivery, storeDelivery: StoreDelivery): void {
    const { state, messageId } = storeDelivery;
    if (!isUnsent(storeDelivery) || state.deadline === null) return;
    if (state.isTakedownRequested && state.kind !== 'takedown') return;
    storeDelivery.state = markClaimed(state, messageId);
    const release = releaseSentTo(delivery, storeDelivery);
    const scheduled = behaviourOf({ delivery, storeDelivery, release, now });
    if (scheduled === 'away') return;
    storeDelivery.state = markSent(storeDelivery.state);
    for (const { afterMs, answer } of scheduled) {
      answers.push({ storeDelivery, messageId, answer, dueAt: now + afterMs });
      setTimer(now + afterMs, 'answer', delivery.index, () => applyDueAnswers(delivery));
    }
  }

  function applyDueAnswers(delivery: ModelDelivery): void {
    const due = answers
      .filter(
        ({ storeDelivery, dueAt }) =>
          dueAt <= now && delivery.storeDeliveries.includes(storeDelivery),
      )
      .toSorted(
        (a, b) =>
          a.dueAt - b.dueAt || compareText(a.storeDelivery.storeId, b.storeDelivery.storeId),
      );
    for (const answer of due) answers.splice(answers.indexOf(answer), 1);
    applyAnswers(delivery, due);
  }

  /** Applies each answer by itself. Returns whether any answer changed the delivery. */
  function applyAnswers(delivery: ModelDelivery, addressed: readonly AddressedAnswer[]): boolean {
    const counting = addressed.filter(
      ({ storeDelivery }) => !isReplaced(delivery, storeDelivery.storeId),
    );
    const moved = counting.filter(({ storeDelivery, messageId, answer: { kind, refusal } }) => {
      const { state } = storeDelivery;
      const next = applyAnswer(state, { messageId, kind, reason: toReason(refusal) });
      change(delivery, storeDelivery, next, 'one by one');
      return next !== state;
    });
    dispatchTakedowns(
      delivery,
      moved.map(({ storeDelivery }) => storeDelivery),
    );
    return moved.length > 0;
  }

  /** The release is taken down at the store, and a newer delivery has it: answers to the older one do not count. */
  const isReplaced = ({ index, release, storeDeliveries }: ModelDelivery, storeId: string) =>
    storeDeliveries.some((each) => each.storeId === storeId && isTakenDown(each)) &&
    deliveries.some(
      (other) =>
        other.index > index &&
        other.release === release &&
        other.storeDeliveries.some((each) => each.storeId === storeId && !isTakenDown(each)),
    );

  /** Fires all timers due by `end` in order, including those that the fired timers set. */
  function fireUntil(end: number): void {
    for (let next = timers.takeDue(end); next !== undefined; next = timers.takeDue(end)) {
      now = Math.max(now, next.at);
      fired++;
      next.fire();
    }
  }

  releases.forEach((release, i) =>
    setTimer(now, 'review', i, () => {
      release.isReviewed = true;
      setTimer(now, 'decided', i, () => {
        const waiting = deliveries.filter(
          ({ release: index, storeDeliveries }) => index === i && storeDeliveries.some(isPending),
        );
        for (const delivery of waiting) scheduleDispatch(delivery);
      });
    }),
  );

  const core: ModelCore = {
    now: () => now,
    deliveries,
    releases,
    scenarios,
    newMessageId,
    change,
    announceStatusChange,
    scheduleDispatch,
    dispatchTakedowns,
    applyAnswers,
    discardAnswers: (storeDelivery) => {
      const kept = answers.filter((answer) => answer.storeDelivery !== storeDelivery);
      answers.splice(0, answers.length, ...kept);
    },
  };
  return {
    now: () => now,
    fired: () => fired,
    nextAt: timers.nextAt,
    events,
    deliveries,
    releases,
    /** Time passes while the clock runs. */
    elapse: (ms: number): void => {
      const end = now + ms;
      fireUntil(end);
      now = end;
    },
    /** Time passes, but no timer is fired yet. */
    elapseWithoutFiring: (ms: number): void => {
      now += ms;
    },
    advance: (target: number): void => {
      fireUntil(now);
      for (const delivery of deliveries)
        for (const storeDelivery of delivery.storeDeliveries) send(delivery, storeDelivery);
      fireUntil(target);
      now = target;
    },
    /** Returns true if the request is done, false if it is refused. */
    applyRequest: openRequests(core),
  };
}

const isTakenDown = ({ state }: StoreDelivery): boolean => state.status === 'taken_down';
const isPending = ({ state }: StoreDelivery): boolean => state.status === 'pending';
const isQueuedTakedown = ({ state: { kind, messageState } }: StoreDelivery): boolean =>
  kind === 'takedown' && messageState === 'queued';

const compareText = (one: string, other: string): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** When the deadline of a store is checked next, if it is. */
function nextCheckOf({ expectedBy, state }: StoreDelivery, now: number): readonly number[] {
  if (expectedBy === null) return [];
  if (expectedBy > now) return [expectedBy];
  const waitsForSend = state.confirmation === 'none' && state.messageState !== 'sent';
  return waitsForSend ? [now + unsentCheckMs] : [];
}

/**
 * A model of one organization: its deliveries, its fictional stores and its clock, in one process without concurrency.
 * Due timers fire in the order of their times. An advance fires the timers that are due already, then tries once every
 * message that was not sent, then fires the timers up to its target (contract §4). It shares with the service only the
 * code that decides what a fictional store answers, and when.
 */

import {
  aggregateOf,
  canTakeDown,
  markDispatched,
  newStoreDelivery,
  applyAnswer,
  isRefused,
  isUnsent,
  type StoreDelivery,
  requestResubmission,
  type Step,
  requestTakedown,
  replaceByTakedown,
  requestUpdate,
  wantedRevision,
  type ModelAnswer,
} from './clock-store-delivery.ts';
import {
  createStoreBehaviour,
  deadlineOf,
  type TrackedScenario,
  supports,
} from './clock-stores.ts';
import { createModelTimers, type TimerKind } from './clock-timers.ts';
import type { ModelDelivery, RequestAction, Release, AnnouncedEvent } from './clock-types.ts';

type AddressedAnswer = {
  readonly storeDelivery: StoreDelivery;
  readonly messageId: number;
  readonly answer: ModelAnswer;
};

const unannouncedSteps = new Set(['update_dispatched', 'takedown_dispatched', 'takedown_wanted']);
const redispatchAfterMs = 30_000;
const doublingsMax = 7;

export type Model = ReturnType<typeof openModel>;

export function openModel(start: number, drawnReleases: readonly Release[]) {
  let now = start;
  let ids = 0;
  const timers = createModelTimers();
  let fired = 0;
  const answers: (AddressedAnswer & { readonly dueAt: number })[] = [];
  const events: AnnouncedEvent[] = [];
  const deliveries: ModelDelivery[] = [];
  const releases = drawnReleases.map((release) => ({ ...release, revision: 0, isReviewed: false }));
  const scenarios: TrackedScenario[] = [];
  const behaviourOf = createStoreBehaviour(scenarios);

  const setTimer = (at: number, kind: TimerKind, index: number, fire: () => void): void => {
    timers.set({ at, kind, index, fire });
  };
  const scheduleDispatch = (delivery: ModelDelivery, at = now): void =>
    setTimer(at, 'dispatch', delivery.index, () => dispatchDelivery(delivery));

  const announce = (delivery: ModelDelivery, type: string, storeDelivery?: StoreDelivery): void => {
    const status = aggregateOf(delivery.storeDeliveries);
    const fields = storeDelivery
      ? [
          storeDelivery.status,
          storeDelivery.revision,
          storeDelivery.pendingRevision ?? '-',
          storeDelivery.refusal?.code ?? '-',
        ]
      : [];
    events.push({
      delivery: delivery.index,
      store: storeDelivery?.storeId ?? null,
      text: [type, status, ...fields].join(' '),
      at: now,
    });
  };
  const announceStatusChange = (delivery: ModelDelivery): void => {
    const status = aggregateOf(delivery.storeDeliveries);
    if (status === delivery.status) return;
    delivery.status = status;
    if (status === 'in_progress') return;
    announce(delivery, status === 'taken_down' ? 'delivery.taken_down' : 'delivery.completed');
  };
  const applyStep = (
    delivery: ModelDelivery,
    storeDelivery: StoreDelivery,
    { name, changes }: Step,
  ): void => {
    Object.assign(storeDelivery, changes);
    if (!unannouncedSteps.has(name)) announce(delivery, 'delivery.store.updated', storeDelivery);
  };

  function dispatchDelivery(delivery: ModelDelivery): void {
    const release = releases[delivery.release]!;
    const unsent = delivery.storeDeliveries.filter(isUnsent);
    if (unsent.length === 0 || !release.isReviewed) return;
    for (const storeDelivery of unsent) {
      const takedown = replaceByTakedown(storeDelivery, ++ids);
      if (takedown !== undefined) applyStep(delivery, storeDelivery, takedown);
    }
    for (const storeDelivery of unsent)
      if (storeDelivery.expectedBy === null) markDispatchedUntilDeadline(delivery, storeDelivery);
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

  /** Puts the message into the store's lane, with a deadline: without an answer by then it is overdue. */
  function markDispatchedUntilDeadline(
    delivery: ModelDelivery,
    storeDelivery: StoreDelivery,
  ): void {
    const { message, storeId } = storeDelivery;
    const { date } = releases[delivery.release]!;
    const deadline = deadlineOf(storeId, message.kind, date, now);
    applyStep(delivery, storeDelivery, markDispatched(storeDelivery, deadline));
    setTimer(deadline, 'check', delivery.index, () => {
      if (
        storeDelivery.message.id !== message.id ||
        storeDelivery.expectedBy !== deadline ||
        storeDelivery.isOverdue
      )
        return;
      storeDelivery.isOverdue = true;
      announce(delivery, 'delivery.store.overdue', storeDelivery);
    });
  }

  function send(delivery: ModelDelivery, storeDelivery: StoreDelivery): void {
    const { message } = storeDelivery;
    if (message.state === 'sent' || storeDelivery.expectedBy === null) return;
    if (storeDelivery.isTakedownWanted && message.kind !== 'takedown') return;
    storeDelivery.message = { ...message, state: 'sending' };
    const scheduledAnswers = behaviourOf({
      delivery,
      storeDelivery,
      release: releases[delivery.release]!,
      now,
    });
    if (scheduledAnswers === 'away') return;
    storeDelivery.message = { ...message, state: 'sent' };
    for (const { afterMs, answer } of scheduledAnswers) {
      answers.push({
        storeDelivery,
        messageId: message.id,
        answer,
        dueAt: now + afterMs,
      });
      setTimer(now + afterMs, 'answer', delivery.index, () => applyDueAnswers(delivery));
    }
  }

  function applyDueAnswers(delivery: ModelDelivery): void {
    const isDue = ({ storeDelivery, dueAt }: (typeof answers)[number]) =>
      dueAt <= now && delivery.storeDeliveries.includes(storeDelivery);
    const due = answers
      .filter(isDue)
      .toSorted(
        (a, b) => a.dueAt - b.dueAt || (a.storeDelivery.storeId < b.storeDelivery.storeId ? -1 : 1),
      );
    for (const answer of due) answers.splice(answers.indexOf(answer), 1);
    applyAnswers(delivery, due);
  }

  /**
   * Applies each answer by itself; takedowns that become possible are dispatched together. Returns whether any answer
   * changed the delivery.
   */
  function applyAnswers(delivery: ModelDelivery, addressed: readonly AddressedAnswer[]): boolean {
    const moved = addressed.filter((answer) => applyOneAnswer(delivery, answer));
    if (
      moved.some(
        ({ storeDelivery }) => storeDelivery.message.kind === 'takedown' && isUnsent(storeDelivery),
      )
    ) {
      delivery.dispatches = Math.min(delivery.dispatches, 1);
      scheduleDispatch(delivery);
    }
    return moved.length > 0;
  }

  function applyOneAnswer(
    delivery: ModelDelivery,
    { storeDelivery, messageId, answer }: AddressedAnswer,
  ): boolean {
    const step =
      storeDelivery.message.id === messageId ? applyAnswer(storeDelivery, answer, now) : undefined;
    if (step === undefined) return false;
    applyStep(delivery, storeDelivery, step);
    announceStatusChange(delivery);
    const takedown =
      storeDelivery.isTakedownWanted && storeDelivery.status === 'delivered'
        ? requestTakedown(storeDelivery, ++ids)
        : undefined;
    if (takedown !== undefined) applyStep(delivery, storeDelivery, takedown);
    announceStatusChange(delivery);
    return true;
  }

  /** Fires all timers due by `end` in order, including those that the fired timers set. */
  function fireUntil(end: number): void {
    for (let next = timers.takeDue(end); next !== undefined; next = timers.takeDue(end)) {
      now = Math.max(now, next.at);
      fired++;
      next.fire();
    }
  }

  const chosen = ({ storeDeliveries }: ModelDelivery, stores: readonly string[] | undefined) =>
    storeDeliveries.filter(({ storeId }) => stores?.includes(storeId) ?? true);

  function takeDownStores(delivery: ModelDelivery, stores: readonly string[] | undefined): boolean {
    const wanted = chosen(delivery, stores).filter((storeDelivery) =>
      canTakeDown(storeDelivery, supports(storeDelivery.storeId, 'takedown')),
    );
    if (wanted.length === 0) return false;
    for (const storeDelivery of wanted) {
      const step = requestTakedown(storeDelivery, ++ids);
      if (step !== undefined) applyStep(delivery, storeDelivery, step);
    }
    announceStatusChange(delivery);
    if (wanted.some(({ message }) => message.kind === 'takedown' && message.state === 'queued')) {
      delivery.dispatches = Math.min(delivery.dispatches, 1);
      scheduleDispatch(delivery);
    }
    return true;
  }

  function resend(
    delivery: ModelDelivery,
    storeDeliveries: readonly StoreDelivery[],
    stepOf: (storeDelivery: StoreDelivery) => Step,
  ) {
    if (storeDeliveries.length === 0) return false;
    for (const storeDelivery of storeDeliveries)
      applyStep(delivery, storeDelivery, stepOf(storeDelivery));
    announceStatusChange(delivery);
    delivery.dispatches = 0;
    scheduleDispatch(delivery);
    return true;
  }

  function create(index: number, stores: readonly string[]): boolean {
    const { revision } = releases[index]!;
    const storeDeliveries = stores
      .toSorted()
      .map((storeId) => newStoreDelivery(storeId, revision, ++ids));
    const delivery: ModelDelivery = {
      index: deliveries.length,
      release: index,
      storeDeliveries,
      status: 'in_progress',
      dispatches: 0,
      unsent: 0,
      recheckAt: undefined,
    };
    deliveries.push(delivery);
    scheduleDispatch(delivery);
    return true;
  }

  releases.forEach((release, i) =>
    setTimer(now, 'review', i, () => {
      release.isReviewed = true;
      setTimer(now, 'decided', i, () => {
        const waiting = deliveries.filter(
          ({ release: index, storeDeliveries }) => index === i && isWaiting(storeDeliveries),
        );
        for (const delivery of waiting) scheduleDispatch(delivery);
      });
    }),
  );
  const isWaiting = (storeDeliveries: readonly StoreDelivery[]) =>
    storeDeliveries.some(({ status }) => status === 'pending');

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
    applyRequest: (action: RequestAction): boolean => {
      if (action.kind === 'script') return scenarios.unshift({ ...action.scenario, uses: [] }) > 0;
      if (action.kind === 'create') return create(action.release, action.stores);
      if (action.kind === 'patch') return ++releases[action.release]!.revision > 0;
      const delivery = deliveries[action.delivery]!;
      if (action.kind === 'answer') {
        const storeDelivery = delivery.storeDeliveries.find(
          ({ storeId }) => storeId === action.store,
        )!;
        const hasMoved = applyAnswers(delivery, [
          { storeDelivery, messageId: storeDelivery.message.id, answer: action.answer },
        ]);
        if (hasMoved) {
          const kept = answers.filter((answer) => answer.storeDelivery !== storeDelivery);
          answers.splice(0, answers.length, ...kept);
        }
        return hasMoved;
      }
      if (action.kind === 'takedown') return takeDownStores(delivery, action.stores);
      const { revision } = releases[delivery.release]!;
      const storeDeliveries = chosen(delivery, action.stores);
      return action.kind === 'resubmit'
        ? resend(
            delivery,
            storeDeliveries.filter(
              (storeDelivery) => isRefused(storeDelivery) && storeDelivery.revision !== revision,
            ),
            (storeDelivery) => requestResubmission(storeDelivery, revision, ++ids),
          )
        : resend(
            delivery,
            storeDeliveries.filter(
              (storeDelivery) =>
                canUpdate(storeDelivery) && wantedRevision(storeDelivery) !== revision,
            ),
            () => requestUpdate(revision, ++ids),
          );
    },
  };
}

const canUpdate = ({ storeId, status, isTakedownWanted }: StoreDelivery): boolean =>
  status === 'delivered' && !isTakedownWanted && supports(storeId, 'update');

/**
 * Time that jumps: one organization's deliveries, its fictional stores and its clock, one thing after the other in
 * one process. What is due fires in the order of its time; an advance begins with what is due already, then tries
 * once what stores have not been sent (contract §4). Only what stores say, and when, is the service's own code.
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

const silent = new Set(['update_dispatched', 'takedown_dispatched', 'takedown_wanted']);
const patienceMs = 30_000;
const doublingsMax = 7;

export type Model = ReturnType<typeof openModel>;

export function openModel(start: number, drawn: readonly Release[]) {
  let now = start;
  let ids = 0;
  const timers = createModelTimers();
  let fired = 0;
  const answers: (AddressedAnswer & { readonly dueAt: number })[] = [];
  const told: AnnouncedEvent[] = [];
  const deliveries: ModelDelivery[] = [];
  const releases = drawn.map((release) => ({ ...release, revision: 0, isReviewed: false }));
  const scenarios: TrackedScenario[] = [];
  const behaviourOf = createStoreBehaviour(scenarios);

  const setTimer = (at: number, kind: TimerKind, about: number, fire: () => void): void => {
    timers.set({ at, kind, about, fire });
  };
  const scheduleDispatch = (delivery: ModelDelivery, at = now): void =>
    setTimer(at, 'dispatch', delivery.index, () => dispatchDelivery(delivery));

  const announce = (delivery: ModelDelivery, type: string, part?: StoreDelivery): void => {
    const status = aggregateOf(delivery.storeDeliveries);
    const about = part && [part.status, part.revision, part.pendingRevision, part.refusal?.code];
    const words = about?.map((word) => word ?? '-') ?? [];
    told.push({
      delivery: delivery.index,
      store: part?.storeId ?? null,
      text: [type, status, ...words].join(' '),
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
    part: StoreDelivery,
    { name, changes }: Step,
  ): void => {
    Object.assign(part, changes);
    if (!silent.has(name)) announce(delivery, 'delivery.store.updated', part);
  };

  function dispatchDelivery(delivery: ModelDelivery): void {
    const release = releases[delivery.release]!;
    const unsent = delivery.storeDeliveries.filter(isUnsent);
    if (unsent.length === 0 || !release.isReviewed) return;
    for (const part of unsent) {
      const turned = replaceByTakedown(part, ++ids);
      if (turned !== undefined) applyStep(delivery, part, turned);
    }
    for (const part of unsent)
      if (part.expectedBy === null) markDispatchedUntilDeadline(delivery, part);
    announceStatusChange(delivery);
    scheduleRecheck(delivery, unsent.length);
    for (const part of unsent) send(delivery, part);
  }

  /** Unless that is to happen already, and no later. */
  function scheduleRecheck(delivery: ModelDelivery, unsent: number): void {
    const dispatches = unsent < delivery.unsent ? 0 : delivery.dispatches;
    const at = now + patienceMs * 2 ** Math.min(dispatches, doublingsMax);
    const { recheckAt: lookAt } = delivery;
    if (lookAt !== undefined && lookAt > now && lookAt <= at) return;
    Object.assign(delivery, { dispatches: dispatches + 1, unsent, lookAt: at });
    scheduleDispatch(delivery, at);
  }

  /** To the store's lane, with a deadline, at which it is overdue unless it has answered by then. */
  function markDispatchedUntilDeadline(delivery: ModelDelivery, part: StoreDelivery): void {
    const { message, storeId } = part;
    const { date } = releases[delivery.release]!;
    const deadline = deadlineOf(storeId, message.kind, date, now);
    applyStep(delivery, part, markDispatched(part, deadline));
    setTimer(deadline, 'check', delivery.index, () => {
      if (part.message.id !== message.id || part.expectedBy !== deadline || part.isOverdue) return;
      part.isOverdue = true;
      announce(delivery, 'delivery.store.overdue', part);
    });
  }

  function send(delivery: ModelDelivery, part: StoreDelivery): void {
    const { message } = part;
    if (message.state === 'sent' || part.expectedBy === null) return;
    if (part.isTakedownWanted && message.kind !== 'takedown') return;
    part.message = { ...message, state: 'sending' };
    const coming = behaviourOf({
      delivery,
      storeDelivery: part,
      release: releases[delivery.release]!,
      now,
    });
    if (coming === 'away') return;
    part.message = { ...message, state: 'sent' };
    for (const { afterMs, word } of coming) {
      answers.push({
        storeDelivery: part,
        messageId: message.id,
        answer: word,
        dueAt: now + afterMs,
      });
      setTimer(now + afterMs, 'answer', delivery.index, () => applyDueAnswers(delivery));
    }
  }

  function applyDueAnswers(delivery: ModelDelivery): void {
    const isDue = ({ storeDelivery: part, dueAt }: (typeof answers)[number]) =>
      dueAt <= now && delivery.storeDeliveries.includes(part);
    const due = answers
      .filter(isDue)
      .toSorted(
        (a, b) => a.dueAt - b.dueAt || (a.storeDelivery.storeId < b.storeDelivery.storeId ? -1 : 1),
      );
    for (const answer of due) answers.splice(answers.indexOf(answer), 1);
    applyAnswers(delivery, due);
  }

  /** Each turns the delivery by itself; what is to be taken down now is sent together. Whether any moved it. */
  function applyAnswers(delivery: ModelDelivery, heard: readonly AddressedAnswer[]): boolean {
    const moved = heard.filter((answer) => applyOneAnswer(delivery, answer));
    if (
      moved.some(({ storeDelivery: part }) => part.message.kind === 'takedown' && isUnsent(part))
    ) {
      delivery.dispatches = Math.min(delivery.dispatches, 1);
      scheduleDispatch(delivery);
    }
    return moved.length > 0;
  }

  function applyOneAnswer(
    delivery: ModelDelivery,
    { storeDelivery: part, messageId, answer: word }: AddressedAnswer,
  ): boolean {
    const step = part.message.id === messageId ? applyAnswer(part, word, now) : undefined;
    if (step === undefined) return false;
    applyStep(delivery, part, step);
    announceStatusChange(delivery);
    const asked =
      part.isTakedownWanted && part.status === 'delivered'
        ? requestTakedown(part, ++ids)
        : undefined;
    if (asked !== undefined) applyStep(delivery, part, asked);
    announceStatusChange(delivery);
    return true;
  }

  /** All that is due by then, in order, and what comes of it. */
  function fireUntil(end: number): void {
    for (let next = timers.takeDue(end); next !== undefined; next = timers.takeDue(end)) {
      now = Math.max(now, next.at);
      fired++;
      next.fire();
    }
  }

  const chosen = (
    { storeDeliveries: parts }: ModelDelivery,
    stores: readonly string[] | undefined,
  ) => parts.filter(({ storeId }) => stores?.includes(storeId) ?? true);

  function takeDownStores(delivery: ModelDelivery, stores: readonly string[] | undefined): boolean {
    const wanted = chosen(delivery, stores).filter((part) =>
      canTakeDown(part, supports(part.storeId, 'takedown')),
    );
    if (wanted.length === 0) return false;
    for (const part of wanted) {
      const step = requestTakedown(part, ++ids);
      if (step !== undefined) applyStep(delivery, part, step);
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
    parts: readonly StoreDelivery[],
    stepOf: (part: StoreDelivery) => Step,
  ) {
    if (parts.length === 0) return false;
    for (const part of parts) applyStep(delivery, part, stepOf(part));
    announceStatusChange(delivery);
    delivery.dispatches = 0;
    scheduleDispatch(delivery);
    return true;
  }

  function create(index: number, stores: readonly string[]): boolean {
    const { revision } = releases[index]!;
    const parts = stores.toSorted().map((storeId) => newStoreDelivery(storeId, revision, ++ids));
    const delivery: ModelDelivery = {
      index: deliveries.length,
      release: index,
      storeDeliveries: parts,
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
          ({ release: of, storeDeliveries: parts }) => of === i && isWaiting(parts),
        );
        for (const delivery of waiting) scheduleDispatch(delivery);
      });
    }),
  );
  const isWaiting = (parts: readonly StoreDelivery[]) =>
    parts.some(({ status }) => status === 'pending');

  return {
    now: () => now,
    fired: () => fired,
    nextAt: timers.nextAt,
    told,
    deliveries,
    releases,
    /** Real time passes, as long as the clock runs. */
    elapse: (ms: number): void => {
      const end = now + ms;
      fireUntil(end);
      now = end;
    },
    /** Time passes, and whoever should fire what is due sleeps. */
    elapseWithoutFiring: (ms: number): void => {
      now += ms;
    },
    advance: (target: number): void => {
      fireUntil(now);
      for (const delivery of deliveries)
        for (const part of delivery.storeDeliveries) send(delivery, part);
      fireUntil(target);
      now = target;
    },
    /** Whether it is done, or refused. */
    applyRequest: (op: RequestAction): boolean => {
      if (op.kind === 'script') return scenarios.unshift({ ...op.scenario, uses: [] }) > 0;
      if (op.kind === 'create') return create(op.release, op.stores);
      if (op.kind === 'patch') return ++releases[op.release]!.revision > 0;
      const delivery = deliveries[op.delivery]!;
      if (op.kind === 'answer') {
        const part = delivery.storeDeliveries.find(({ storeId }) => storeId === op.store)!;
        const hasMoved = applyAnswers(delivery, [
          { storeDelivery: part, messageId: part.message.id, answer: op.answer },
        ]);
        if (hasMoved) {
          const kept = answers.filter((answer) => answer.storeDelivery !== part);
          answers.splice(0, answers.length, ...kept);
        }
        return hasMoved;
      }
      if (op.kind === 'takedown') return takeDownStores(delivery, op.stores);
      const { revision } = releases[delivery.release]!;
      const parts = chosen(delivery, op.stores);
      return op.kind === 'resubmit'
        ? resend(
            delivery,
            parts.filter((part) => isRefused(part) && part.revision !== revision),
            (part) => requestResubmission(part, revision, ++ids),
          )
        : resend(
            delivery,
            parts.filter((part) => canUpdate(part) && wantedRevision(part) !== revision),
            () => requestUpdate(revision, ++ids),
          );
    },
  };
}

const canUpdate = ({ storeId, status, isTakedownWanted: isUnwanted }: StoreDelivery): boolean =>
  status === 'delivered' && !isUnwanted && supports(storeId, 'update');

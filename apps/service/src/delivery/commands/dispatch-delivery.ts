/** Dispatches the queued messages of a delivery to their stores, or rejects them (review, rules, legal hold). */

import {
  appliesToStore,
  findRelease,
  findSnapshot,
  releaseStartsAt,
  runPreflightForStores,
  type Release,
  type Snapshot,
} from '../../catalog/face.ts';
import { isVerified } from '../../identity/face.ts';
import { addMs, dayMs } from '../../kernel/duration.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import { findStoreSettings, type StoreSettings } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import { redispatchDelayMs, computeExpectedBy } from '../domain/deadlines.ts';
import type { Delivery, DeliveryId } from '../domain/delivery.ts';
import type { Rejection } from '../domain/message.ts';
import { dispatch, rejectBeforeSending, wait } from '../domain/send-again.ts';
import { targetRevision, type StoreDelivery } from '../domain/store-delivery.ts';
import { replaceSendWithTakedown } from '../domain/takedown.ts';
import { hasLanes, laneForMessage, wakeDelivery } from '../messages.ts';
import { lockDelivery } from '../store/deliveries.ts';
import { findLegalHold, type LegalHold } from '../store/legal-holds.ts';
import { insertStoreMessages } from '../store/messages.ts';
import { insertPausedStores } from '../store/paused-stores.ts';
import { lockStoreDeliveries } from '../store/store-deliveries.ts';
import { startDeliveryChange, type DeliveryChange } from './delivery-change.ts';
import { reviewRejection, type ReviewGate, reviewGate } from './review-gate.ts';
import { waitForRights } from './wait-for-rights.ts';
import { waitForVerification } from './wait-for-verification.ts';

export type Dispatched = {
  /** The lanes that the handler wakes. */
  readonly lanes: readonly string[];
  /** Whether there are messages to stores without lanes, which the handler sends together. */
  readonly isSentTogether: boolean;
};

/** The holder may have taken its release down meanwhile. */
const rightsRecheckMs = dayMs;

const nothing: Dispatched = { lanes: [], isSentTogether: false };

/**
 * Dispatches the messages that may be sent now. While a message is unsent, the delivery is dispatched again later: an
 * engine message can be lost with the engine's disk, and a store can be unavailable for longer than a lane retries.
 */
export async function dispatchDelivery(tx: Tx, id: DeliveryId): Promise<Dispatched> {
  const [delivery, found] = await Promise.all([
    lockDelivery(tx, id),
    lockStoreDeliveries(tx, id, 'unsent'),
  ]);
  if (delivery === undefined || found.length === 0) return nothing;
  const [release, legalHold, wasVerified] = await Promise.all([
    findRelease(tx, tx.orgId, delivery.releaseId),
    findLegalHold(tx, delivery.releaseId),
    isVerified(tx),
  ]);
  if (release === undefined) throw new Error(`${id} has no release`);

  const change = startDeliveryChange(tx, delivery);
  const unsent = replaceUnsentWithTakedowns(tx, change, delivery, found);
  const sendable = unsent.filter(
    (storeDelivery) =>
      storeDelivery.message.kind === 'takedown' || !isAwaitingReview(release, storeDelivery),
  );
  if (sendable.length === 0) return nothing;
  const snapshots = await findSnapshots(tx, release.id, sendable);
  const rejected = await findRejections(tx, release, legalHold, sendable, snapshots);
  for (const [storeDelivery, rejection] of rejected) {
    const step = rejectBeforeSending(storeDelivery, tx.now, rejection);
    if (step !== undefined) change.applyStep(storeDelivery, step);
  }
  const accepted = sendable.filter((storeDelivery) => !rejected.has(storeDelivery));
  const allowed = wasVerified
    ? accepted
    : await waitForVerification(tx, change, delivery, accepted);
  const codes = Array.from(
    snapshots,
    ([revision, { release: sent, tracks }]) =>
      [revision, { upc: sent.upc, ean: sent.ean, tracks }] as const,
  );
  const free = await waitForRights(tx, change, release.id, allowed, new Map(codes));
  if (free.length < allowed.length)
    scheduleDispatch(tx, change, delivery, addMs(tx.now, rightsRecheckMs));
  const dispatched = await dispatchToStores(tx, change, delivery, free, snapshots);
  if (dispatched.lanes.length > 0 || dispatched.isSentTogether)
    scheduleRedispatch(tx, change, delivery, found.length);
  await change.write('delivery.dispatch');
  return dispatched;
}

/** Sets the next dispatch unless an earlier one is planned: the engine may execute the same dispatch twice. */
function scheduleRedispatch(
  tx: Tx,
  change: DeliveryChange,
  delivery: Delivery,
  unsent: number,
): void {
  // Fewer unsent messages than last time: the lanes make progress, so the delay starts again.
  const dispatches = unsent < delivery.unsent ? 0 : delivery.dispatches;
  const dispatchAt = addMs(tx.now, redispatchDelayMs(dispatches));
  if (scheduleDispatch(tx, change, delivery, dispatchAt))
    change.setFields({ dispatches: dispatches + 1, unsent });
}

/** False if an earlier one is planned. */
function scheduleDispatch(
  tx: Tx,
  change: DeliveryChange,
  { id, dispatchAt: planned }: Delivery,
  dispatchAt: Date,
): boolean {
  if (planned !== null && planned > tx.now && planned <= dispatchAt) return false;
  change.setFields({ dispatchAt });
  setTimer(tx, dispatchAt, wakeDelivery(tx.orgId, id, 'dispatch'));
  return true;
}

/** Replaces messages whose takedown was requested during a send with an unknown outcome. */
function replaceUnsentWithTakedowns(
  tx: Tx,
  change: DeliveryChange,
  { id }: Delivery,
  unsent: readonly StoreDelivery[],
): readonly StoreDelivery[] {
  const takedowns: StoreDelivery[] = [];
  const remaining = unsent.map((storeDelivery) => {
    const step = replaceSendWithTakedown(storeDelivery, tx.now, tx.newId('msg'));
    if (step === undefined) return storeDelivery;
    change.applyStep(storeDelivery, step);
    takedowns.push(step.storeDelivery);
    return step.storeDelivery;
  });
  if (takedowns.length > 0) insertStoreMessages(tx, id, takedowns);
  return remaining;
}

/** Dispatches the messages of active stores with their deadlines, and records the paused stores. */
async function dispatchToStores(
  tx: Tx,
  change: DeliveryChange,
  delivery: Delivery,
  accepted: readonly StoreDelivery[],
  snapshots: Snapshots,
): Promise<Dispatched> {
  const stores = await findStoreSettings(
    tx,
    accepted.map(({ storeId }) => storeId),
  );
  waitForPausedStores(tx, change, delivery, accepted, stores);
  const activeStores = new Map(
    stores.filter(({ status }) => status === 'active').map((store) => [store.storeId, store]),
  );
  let checkAt = delivery.checkAt;
  let isSentTogether = false;
  const lanes = accepted.flatMap((storeDelivery): string[] => {
    const store = activeStores.get(storeDelivery.storeId);
    if (store === undefined) return [];
    const { message } = storeDelivery;
    const { kind } = message;
    const { leadTimeBusinessDays, confirmation } = store.capabilities;
    const { release } = getSnapshot(snapshots, storeDelivery);
    const startsAt = releaseStartsAt(release);
    const isTimed = release.releaseAt !== null;
    const deadline = computeExpectedBy(
      { kind, confirmation, leadTimeBusinessDays, startsAt, isTimed },
      tx.now,
    );
    const step = dispatch(storeDelivery, tx.now, deadline);
    if (step !== undefined) {
      change.applyStep(storeDelivery, step);
      if (checkAt === null || deadline < checkAt) checkAt = deadline;
    }
    if (hasLanes(store)) return [laneForMessage(store, delivery.id, message)];
    isSentTogether = true;
    return [];
  });
  if (checkAt !== null && checkAt !== delivery.checkAt) {
    change.setFields({ checkAt });
    setTimer(tx, checkAt, wakeDelivery(tx.orgId, delivery.id, 'check'));
  }
  return { lanes, isSentTogether };
}

/** They are dispatched when the store is resumed. */
function waitForPausedStores(
  tx: Tx,
  change: DeliveryChange,
  { id }: Delivery,
  accepted: readonly StoreDelivery[],
  stores: readonly StoreSettings[],
): void {
  const paused = new Set(
    stores.filter(({ status }) => status === 'paused').map(({ storeId }) => storeId),
  );
  if (paused.size === 0) return;
  insertPausedStores(tx, id, [...paused]);
  for (const storeDelivery of accepted.filter(({ storeId }) => paused.has(storeId))) {
    const step = wait(storeDelivery, tx.now, 'store_paused');
    if (step !== undefined) change.applyStep(storeDelivery, step);
  }
}

const isAwaitingReview = (release: Release, storeDelivery: StoreDelivery): boolean =>
  reviewGate(release, targetRevision(storeDelivery)).kind === 'waiting';

/** Contract §3: a release that the review or a store's rules reject is not dispatched. */
async function findRejections(
  tx: Tx,
  release: Release,
  legalHold: LegalHold | undefined,
  storeDeliveries: readonly StoreDelivery[],
  snapshots: Snapshots,
): Promise<ReadonlyMap<StoreDelivery, Rejection>> {
  const rejected = new Map<StoreDelivery, Rejection>();
  const undispatched = storeDeliveries.filter(
    ({ message }) => message.kind !== 'takedown' && message.state === 'queued',
  );
  for (const [revision, group] of Map.groupBy(undispatched, targetRevision)) {
    const gate =
      legalHold === undefined ? reviewGate(release, revision) : rejectedByLegalHold(legalHold);
    const errors = gate.kind === 'refused' ? undefined : await errorsByStore(tx, snapshots, group);
    for (const storeDelivery of group) {
      const rejection =
        gate.kind === 'refused' ? gate.rejection : errors?.get(storeDelivery.storeId);
      if (rejection !== undefined) rejected.set(storeDelivery, rejection);
    }
  }
  return rejected;
}

/** Stops deliveries that were created before the legal hold. */
const rejectedByLegalHold = ({ reason }: LegalHold): ReviewGate => ({
  kind: 'refused',
  rejection: { code: 'legal_hold', reason },
});

type Snapshots = ReadonlyMap<number, Snapshot>;

/** The snapshot of each revision that is sent or taken down. */
async function findSnapshots(
  tx: Tx,
  releaseId: ReleaseId,
  storeDeliveries: readonly StoreDelivery[],
): Promise<Snapshots> {
  const found = new Map<number, Snapshot>();
  for (const revision of new Set(storeDeliveries.map(targetRevision))) {
    const snapshot = await findSnapshot(tx, tx.orgId, releaseId, revision);
    if (snapshot !== undefined) found.set(revision, snapshot);
  }
  return found;
}

function getSnapshot(snapshots: Snapshots, storeDelivery: StoreDelivery): Snapshot {
  const snapshot = snapshots.get(targetRevision(storeDelivery));
  if (snapshot === undefined)
    throw new Error(`there is no snapshot ${targetRevision(storeDelivery)}`);
  return snapshot;
}

/** All store deliveries are sent the same revision. */
async function errorsByStore(
  tx: Tx,
  snapshots: Snapshots,
  storeDeliveries: readonly StoreDelivery[],
): Promise<ReadonlyMap<string, Rejection>> {
  const [first] = storeDeliveries;
  if (first === undefined) return new Map();
  const storeIds = storeDeliveries.map(({ storeId }) => storeId);
  const findings = await runPreflightForStores(tx, getSnapshot(snapshots, first), storeIds);
  const errors = findings.filter(({ severity }) => severity === 'error');
  return new Map(
    storeIds.flatMap((storeId): [string, Rejection][] => {
      const storeErrors = errors.filter((error) => appliesToStore(error, storeId));
      return storeErrors.length === 0 ? [] : [[storeId, reviewRejection(storeErrors)]];
    }),
  );
}

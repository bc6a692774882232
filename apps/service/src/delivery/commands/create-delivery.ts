import { lockRelease, type Release } from '../../catalog/face.ts';
import { isVerified } from '../../identity/face.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import { enforce, enforceAll, type Refusal } from '../../kernel/problem.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import {
  findTerritoryAvailability,
  findStores,
  listStoreIds,
  refuseTerritories,
} from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { aggregateStatus, countStoresByStatus } from '../domain/aggregate.ts';
import { refuseStores, unknownStoreIssue } from '../domain/chosen-stores.ts';
import {
  type Delivery,
  refuseLegalHold,
  refuseDuplicateDelivery,
  requestedTerritories,
} from '../domain/delivery.ts';
import { rejectBeforeSending } from '../domain/send-again.ts';
import {
  newStoreDelivery,
  type StoreDelivery,
  type WaitingReason,
} from '../domain/store-delivery.ts';
import { buildRequestEntry } from '../domain/timeline.ts';
import { insertDelivery, findDeliveryIdByReference } from '../store/deliveries.ts';
import { findLegalHold } from '../store/legal-holds.ts';
import { insertStoreMessages } from '../store/messages.ts';
import {
  findConflicts,
  insertStoreDeliveries,
  listStoreDeliveries,
} from '../store/store-deliveries.ts';
import { startDeliveryChange, syncReleaseStatus } from './delivery-change.ts';
import type { DeliveryWithStores } from './lock-chosen-stores.ts';
import { prepareContent } from './prepare-content.ts';
import { requestDispatch } from './request-dispatch.ts';
import { reviewGate } from './review-gate.ts';

export type DeliveryRequest = {
  readonly releaseId: ReleaseId | undefined;
  readonly stores: readonly string[];
  readonly territoryCodes: readonly TerritoryCode[];
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

/** Spec §3.2: creates a delivery; each of its stores progresses by itself. */
export async function createDelivery(
  tx: Tx,
  request: DeliveryRequest,
): Promise<DeliveryWithStores> {
  const { release: validated, stores } = await validateRequest(tx, request);
  const [isOwnerVerified, { snapshot, dealsByStore }] = await Promise.all([
    isVerified(tx),
    prepareContent(tx, {
      release: validated,
      stores,
      named: request.stores,
      territoriesFor: () => request.territoryCodes,
    }),
  ]);
  const { revision } = snapshot.release;
  const release = { ...validated, revision };
  const waitingFor = waitingReasonOf(release, isOwnerVerified);
  const storeDeliveries = Array.from(dealsByStore, ([storeId, deal]) => {
    const messageId = tx.newId('msg');
    const content = { revision, deal, requestedTerritoryCodes: null, messageId };
    const storeDelivery = newStoreDelivery(storeId, content, tx.now);
    return { ...storeDelivery, waitingFor };
  });
  const delivery = newDelivery(tx, release, request, storeDeliveries);
  insertDelivery(tx, delivery);
  insertStoreDeliveries(tx, delivery, storeDeliveries);
  insertStoreMessages(tx, delivery.id, storeDeliveries);
  return startDelivery(tx, delivery, storeDeliveries, release);
}

/** Shown at once; `dispatchDelivery` decides. */
function waitingReasonOf(release: Release, isOwnerVerified: boolean): WaitingReason | null {
  const { kind } = reviewGate(release, release.revision);
  if (kind === 'waiting') return 'review';
  return kind === 'open' && !isOwnerVerified ? 'verification' : null;
}

/** Contract §3: the delivery waits for a pending review; a rejected review rejects its stores at once. */
async function startDelivery(
  tx: Tx,
  delivery: Delivery,
  storeDeliveries: readonly StoreDelivery[],
  release: Release,
): Promise<DeliveryWithStores> {
  const change = startDeliveryChange(tx, delivery);
  change.addTimelineEntry(
    buildRequestEntry('created', {
      stores: storeDeliveries.map(({ storeId }) => storeId),
      revision: delivery.revision,
      actor: tx.actor,
    }),
  );
  const gate = reviewGate(release, delivery.revision);
  if (gate.kind === 'refused') {
    for (const storeDelivery of storeDeliveries) {
      const step = rejectBeforeSending(storeDelivery, tx.now, gate.rejection);
      if (step !== undefined) change.applyStep(storeDelivery, step);
    }
  }
  // While the review is pending, `dispatch` does nothing; `dispatchAfterReview` enqueues it again.
  if (gate.kind !== 'refused') await requestDispatch(tx, change, delivery);
  const started = await change.write();
  if (gate.kind !== 'refused') {
    await syncReleaseStatus(tx, started);
    return { delivery: started, storeDeliveries };
  }
  return {
    delivery: started,
    storeDeliveries: await listStoreDeliveries(tx, tx.orgId, delivery.id),
  };
}

/** Refuses everything that can be refused before anything is written. */
export async function validateRequest(tx: Tx, request: DeliveryRequest) {
  const { releaseId, territoryCodes, reference } = request;
  const [release, stores, availability, referenceOwner] = await Promise.all([
    releaseId && lockRelease(tx, releaseId),
    findStores(tx, request.stores),
    findTerritoryAvailability(tx, territoryCodes),
    findDeliveryIdByReference(tx, reference),
  ]);
  // A refusal of an unknown store names the one that was probably meant, of all stores.
  const known = stores.length < request.stores.length ? await listStoreIds(tx) : request.stores;
  enforceAll([
    refuseUnknownRelease(release),
    refuseStores(request.stores, known, unknownStoreIssue),
    refuseTerritories(territoryCodes, availability, 'territory_codes'),
    refuseUsedReference(referenceOwner),
  ]);
  if (release === undefined) throw new Error('an unknown release was refused');
  const [legalHold, conflicts] = await Promise.all([
    findLegalHold(tx, release.id),
    findConflicts(tx, release.id, request.stores),
  ]);
  enforce(refuseDraft(release));
  enforce(refuseLegalHold(legalHold));
  enforce(refuseDuplicateDelivery(conflicts, request.stores));
  return { release, stores };
}

const newDelivery = (
  tx: Tx,
  release: Release,
  { territoryCodes, reference, metadata }: DeliveryRequest,
  storeDeliveries: readonly StoreDelivery[],
): Delivery => {
  const counts = countStoresByStatus(storeDeliveries);
  return {
    id: tx.newId('dlv'),
    reference,
    metadata,
    releaseId: release.id,
    revision: release.revision,
    status: aggregateStatus(counts),
    territoryCodes: requestedTerritories(territoryCodes),
    counts,
    dispatches: 0,
    unsent: 0,
    checkAt: null,
    dispatchAt: null,
    dispatchTimerId: null,
    createdAt: tx.now,
    updatedAt: tx.now,
    completedAt: null,
  };
};

function refuseUnknownRelease(release: Release | undefined): Refusal | undefined {
  if (release !== undefined) return undefined;
  return {
    code: 'invalid_field',
    message: 'release_id must be the id of a release of yours.',
    details: [{ field: 'release_id', issue: 'must be the id of a release of yours' }],
  };
}

function refuseDraft({ status }: Release): Refusal | undefined {
  if (status !== 'draft') return undefined;
  return {
    code: 'invalid_state',
    message: 'The release is a draft. Submit it first, then deliver it.',
  };
}

const refuseUsedReference = (owner: string | undefined): Refusal | undefined =>
  owner === undefined
    ? undefined
    : {
        code: 'invalid_field',
        message: `reference is already used by ${owner}. Send another one.`,
        details: [{ field: 'reference', issue: `is already used by ${owner}; send another one` }],
      };

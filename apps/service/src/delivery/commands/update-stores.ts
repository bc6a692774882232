import { releaseStartsAt, type Snapshot } from '../../catalog/face.ts';
import { enforce } from '../../kernel/problem.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import { findTerritoryAvailability, refuseTerritories, type Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { isSameDeal } from '../domain/deal.ts';
import {
  type Delivery,
  type DeliveryId,
  refuseLegalHold,
  requestedTerritories,
} from '../domain/delivery.ts';
import { isLiveDateMoved, liveDateMoved } from '../domain/live-date.ts';
import {
  movedDateIssue,
  refuseMovedDate,
  refuseUnchanged,
  refuseUpdate,
  selectStores,
  skip,
  unchangedIssue,
  updateIssue,
} from '../domain/resend-rules.ts';
import { refuseUpdateRequest, requestUpdate } from '../domain/send-again.ts';
import {
  isUpdateOpen,
  type StoreDelivery,
  targetDeal,
  targetRevision,
} from '../domain/store-delivery.ts';
import type { SkippedStore } from '../domain/timeline.ts';
import { findLegalHold } from '../store/legal-holds.ts';
import { compareRevisions, type Comparison } from './compare-revisions.ts';
import {
  type DeliveryWithStores,
  findStoresOf,
  lockChosenStores,
  lockReleaseOf,
} from './lock-chosen-stores.ts';
import { prepareContent } from './prepare-content.ts';
import { type ChangedDelivery, resend, type Resend } from './resend.ts';

export type UpdateRequest = {
  readonly stores: readonly string[] | undefined;
  /** Undefined: the territories that were requested before. */
  readonly territoryCodes: readonly TerritoryCode[] | undefined;
};

export type PlannedUpdate = {
  readonly delivery: Delivery;
  readonly before: DeliveryWithStores;
  readonly snapshot: Snapshot;
  /** The stores of `resends`. */
  readonly stores: readonly Store[];
  readonly resends: readonly Resend[];
  /** The stores of `resends` that would take the release down until its new date. */
  readonly movedDates: ReadonlySet<StoreDelivery>;
  readonly skipped: readonly SkippedStore[];
  readonly comparisons: ReadonlyMap<number, Comparison>;
};

/** Contract §3, §4: sends a newer revision, or other territories, to stores that have the release. */
export async function updateStores(
  tx: Tx,
  id: DeliveryId,
  request: UpdateRequest,
): Promise<ChangedDelivery> {
  const planned = await planUpdate(tx, id, request);
  const { delivery, before, snapshot, resends, movedDates, skipped, comparisons } = planned;
  return resend(tx, {
    type: 'update',
    delivery,
    before,
    revision: snapshot.release.revision,
    resends,
    skipped,
    territoryCodes: request.territoryCodes,
    comparisons,
    requestStep: (storeDelivery, now, content) =>
      movedDates.has(storeDelivery)
        ? refuseUpdateRequest(storeDelivery, now, content, liveDateMoved)
        : requestUpdate(storeDelivery, now, content),
  });
}

/** What an update would send to which store. Refuses it if it would send nothing. */
export async function planUpdate(
  tx: Tx,
  id: DeliveryId,
  { stores: named, territoryCodes }: UpdateRequest,
): Promise<PlannedUpdate> {
  const { delivery, storeDeliveries, before } = await lockChosenStores(tx, id, named);
  const [known, availability] = await Promise.all([
    findStoresOf(tx, storeDeliveries),
    findTerritoryAvailability(tx, territoryCodes ?? []),
  ]);
  if (territoryCodes !== undefined)
    enforce(refuseTerritories(territoryCodes, availability, 'territory_codes'));
  const takesUpdates = new Set(
    known.filter(({ capabilities }) => capabilities.update).map(({ storeId }) => storeId),
  );
  const selection = selectStores(storeDeliveries, updateIssue(takesUpdates));
  enforce(refuseUpdate(selection, named));
  const [release, legalHold] = await Promise.all([
    lockReleaseOf(tx, delivery),
    findLegalHold(tx, delivery.releaseId),
  ]);
  enforce(refuseLegalHold(legalHold));
  const { applicable } = selection;
  const requested = new Map(
    applicable.map((each) => [
      each.storeId,
      territoryCodes === undefined
        ? each.requestedTerritoryCodes
        : ownTerritories(delivery, territoryCodes),
    ]),
  );
  const { snapshot, dealsByStore } = await prepareContent(tx, {
    release,
    stores: known.filter(({ storeId }) => requested.has(storeId)),
    named,
    territoriesFor: (storeId) => requested.get(storeId) ?? delivery.territoryCodes,
  });
  const comparisons = await compareRevisions(
    tx,
    snapshot,
    applicable.flatMap((each) => [each.revision, targetRevision(each)]),
  );
  const candidates = applicable.map((storeDelivery): Resend => {
    const { storeId } = storeDelivery;
    const deal = dealsByStore.get(storeId) ?? storeDelivery.deal;
    const requestedTerritoryCodes = requested.get(storeId) ?? null;
    return {
      storeDelivery,
      content: { revision: snapshot.release.revision, deal, requestedTerritoryCodes },
    };
  });
  const judged = judgeUpdates(tx, snapshot, candidates, comparisons);
  const { resends, movedDates, unchanged, underWay } = judged;
  if (resends.length === 0) enforce(refuseMovedDate(underWay, named));
  const skipped = [...selection.skipped, ...unchanged, ...underWay];
  enforce(refuseUnchanged(resends, skipped, named));
  const sentTo = new Set(resends.map(({ storeDelivery }) => storeDelivery.storeId));
  return {
    delivery,
    before,
    snapshot,
    stores: known.filter(({ storeId }) => sentTo.has(storeId)),
    resends,
    movedDates,
    skipped,
    comparisons,
  };
}

type JudgedUpdates = Pick<PlannedUpdate, 'resends' | 'movedDates'> & {
  /** Skipped: these stores have the same already. */
  readonly unchanged: readonly SkippedStore[];
  /** Skipped: the open update of these stores would be replaced by one that is refused. */
  readonly underWay: readonly SkippedStore[];
};

function judgeUpdates(
  tx: Tx,
  snapshot: Snapshot,
  candidates: readonly Resend[],
  comparisons: PlannedUpdate['comparisons'],
): JudgedUpdates {
  const startsAt = releaseStartsAt(snapshot.release);
  const isDateMoved = ({ revision }: StoreDelivery): boolean => {
    const startedAt = comparisons.get(revision)?.startedAt;
    return startedAt !== undefined && isLiveDateMoved(startedAt, startsAt, tx.now);
  };
  const issueOf = ({ storeDelivery, content }: Resend): string | undefined => {
    const isUnchanged =
      storeDelivery.update?.status !== 'rejected' &&
      comparisons.get(targetRevision(storeDelivery))?.isSame === true &&
      isSameDeal(targetDeal(storeDelivery), content.deal);
    if (isUnchanged) return unchangedIssue;
    return isDateMoved(storeDelivery) && isUpdateOpen(storeDelivery) ? movedDateIssue : undefined;
  };
  const withIssue = (issue: string): readonly SkippedStore[] =>
    candidates
      .filter((each) => issueOf(each) === issue)
      .map(({ storeDelivery }) => skip(storeDelivery, issue));
  const resends = candidates.filter((each) => issueOf(each) === undefined);
  return {
    resends,
    movedDates: new Set(
      resends.map(({ storeDelivery }) => storeDelivery).filter((each) => isDateMoved(each)),
    ),
    unchanged: withIssue(unchangedIssue),
    underWay: withIssue(movedDateIssue),
  };
}

/** Null: the store has the territories of the delivery. */
function ownTerritories(
  delivery: Delivery,
  codes: readonly TerritoryCode[],
): readonly TerritoryCode[] | null {
  const requested = requestedTerritories(codes);
  const ofDelivery = new Set(delivery.territoryCodes);
  const isSame =
    requested.length === ofDelivery.size && requested.every((code) => ofDelivery.has(code));
  return isSame ? null : requested;
}

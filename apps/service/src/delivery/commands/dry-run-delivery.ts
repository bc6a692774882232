import {
  type Snapshot,
  type PreflightInput,
  buildPreflightInputForStores,
} from '../../catalog/face.ts';
import type { Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Deal } from '../domain/deal.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { SkippedStore } from '../domain/timeline.ts';
import { type DeliveryRequest, validateRequest } from './create-delivery.ts';
import { prepareContent } from './prepare-content.ts';
import { reviewGate } from './review-gate.ts';
import { planUpdate, type UpdateRequest } from './update-stores.ts';

export type DryRun = {
  readonly snapshot: Snapshot;
  readonly stores: readonly Store[];
  readonly dealsByStore: ReadonlyMap<string, Deal>;
  /** The rules run after the transaction, because they take long and a transaction occupies a connection. */
  readonly preflightInput: PreflightInput;
  /** Whether the review rejects the release. */
  readonly isRefused: boolean;
  /** Stores at which an update would move a live release into the future. */
  readonly movedDateStores: readonly string[];
  readonly skipped: readonly SkippedStore[];
};

/** Does everything that creating a delivery does before it is sent. The caller rolls it back. */
export async function dryRunDelivery(tx: Tx, request: DeliveryRequest): Promise<DryRun> {
  const { release, stores } = await validateRequest(tx, request);
  const { snapshot, dealsByStore } = await prepareContent(tx, {
    release,
    stores,
    named: request.stores,
    territoriesFor: () => request.territoryCodes,
  });
  return buildDryRun(tx, { snapshot, stores, dealsByStore, movedDateStores: [], skipped: [] });
}

/** Does everything that an update does before it is sent. The caller rolls it back. */
export async function dryRunUpdate(
  tx: Tx,
  id: DeliveryId,
  request: UpdateRequest,
): Promise<DryRun> {
  const { snapshot, stores, resends, movedDates, skipped } = await planUpdate(tx, id, request);
  return buildDryRun(tx, {
    snapshot,
    stores,
    dealsByStore: new Map(
      resends.map(({ storeDelivery, content }) => [storeDelivery.storeId, content.deal]),
    ),
    movedDateStores: Array.from(movedDates, ({ storeId }) => storeId),
    skipped,
  });
}

async function buildDryRun(
  tx: Tx,
  planned: Omit<DryRun, 'preflightInput' | 'isRefused'>,
): Promise<DryRun> {
  const { snapshot, stores } = planned;
  const storeIds = stores.map(({ storeId }) => storeId);
  return {
    ...planned,
    preflightInput: await buildPreflightInputForStores(tx, snapshot, storeIds),
    isRefused: reviewGate(snapshot.release, snapshot.release.revision).kind === 'refused',
  };
}

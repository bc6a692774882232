import {
  type Snapshot,
  type PreflightInput,
  buildPreflightInputForStores,
} from '../../catalog/face.ts';
import type { Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { dialectOf } from '../connectors/ddex/connection.ts';
import type { Dialect } from '../connectors/ddex/dialect.ts';
import type { Deal } from '../domain/deal.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { SkippedStore } from '../domain/timeline.ts';
import { findConnectionSettings } from '../store/store-connections.ts';
import { type DeliveryRequest, validateRequest } from './create-delivery.ts';
import { prepareContent } from './prepare-content.ts';
import { reviewGate } from './review-gate.ts';
import { planUpdate, type UpdateRequest } from './update-stores.ts';

export type DryRun = {
  readonly snapshot: Snapshot;
  readonly stores: readonly Store[];
  readonly dealsByStore: ReadonlyMap<string, Deal>;
  /** Of the stores for which the operator has set one. */
  readonly dialectsByStore: ReadonlyMap<string, Dialect>;
  /** The rules run after the transaction, because they take long and a transaction occupies a connection. */
  readonly preflightInput: PreflightInput;
  /** Whether the review rejects the release. */
  readonly isRefused: boolean;
  /** Stores at which an update would move a live release into the future. */
  readonly movedDateStores: readonly string[];
  readonly skipped: readonly SkippedStore[];
  /** Business time. */
  readonly now: Date;
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
  planned: Omit<DryRun, 'preflightInput' | 'dialectsByStore' | 'isRefused' | 'now'>,
): Promise<DryRun> {
  const { snapshot, stores } = planned;
  const storeIds = stores.map(({ storeId }) => storeId);
  return {
    ...planned,
    preflightInput: await buildPreflightInputForStores(tx, snapshot, storeIds),
    dialectsByStore: await findDialects(tx, stores),
    now: tx.now,
    isRefused: reviewGate(snapshot.release, snapshot.release.revision).kind === 'refused',
  };
}

async function findDialects(tx: Tx, stores: readonly Store[]): Promise<DryRun['dialectsByStore']> {
  const connected = stores.filter(({ connector }) => connector === 'ddex');
  if (connected.length === 0) return new Map();
  const storeIds = connected.map(({ storeId }) => storeId);
  const settings = await findConnectionSettings(tx, storeIds);
  return new Map(
    await Promise.all(
      connected
        .filter(({ storeId }) => settings.has(storeId))
        .map(
          async (store) =>
            [store.storeId, await dialectOf(store, settings.get(store.storeId))] as const,
        ),
    ),
  );
}

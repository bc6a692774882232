import {
  type Snapshot,
  type PreflightInput,
  buildPreflightInputForStores,
} from '../../catalog/face.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type DeliveryRequest, validateRequest } from './create-delivery.ts';
import { prepareContent } from './prepare-content.ts';
import { reviewGate } from './review-gate.ts';

export type DryRun = {
  readonly snapshot: Snapshot;
  readonly stores: readonly Store[];
  readonly territoriesByStore: ReadonlyMap<string, readonly TerritoryCode[]>;
  /** The rules run after the transaction, because they take long and a transaction occupies a connection. */
  readonly preflightInput: PreflightInput;
  /** Whether the review rejects the release. */
  readonly isRefused: boolean;
};

/** Does everything that creating a delivery does before it is sent. The caller rolls it back. */
export async function dryRunDelivery(tx: Tx, request: DeliveryRequest): Promise<DryRun> {
  const { release, stores } = await validateRequest(tx, request);
  const { snapshot, territoriesByStore } = await prepareContent(
    tx,
    release,
    stores,
    request.territoryCodes,
  );
  const storeIds = stores.map(({ storeId }) => storeId);
  const preflightInput = await buildPreflightInputForStores(tx, snapshot, storeIds);
  const isRefused = reviewGate(release, release.revision).kind === 'refused';
  return { snapshot, stores, territoriesByStore, preflightInput, isRefused };
}

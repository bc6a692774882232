import type { ReleaseId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuseStores } from '../domain/chosen-stores.ts';
import type { Delivery, DeliveryId } from '../domain/delivery.ts';
import {
  refuseTakedown,
  selectStores,
  type StoreSelection,
  takedownIssue,
} from '../domain/resend-rules.ts';
import { type StoreDelivery } from '../domain/store-delivery.ts';
import { requestTakedown } from '../domain/takedown.ts';
import { buildRequestEntry } from '../domain/timeline.ts';
import { lockDeliveriesOf } from '../store/deliveries.ts';
import { listStoreDeliveries } from '../store/store-deliveries.ts';
import { startDeliveryChange } from './delivery-change.ts';
import { dispatchTakedowns } from './dispatch-takedowns.ts';
import { type ChosenStores, lockChosenStores, findStoresOf } from './lock-chosen-stores.ts';
import type { ChangedDelivery } from './resend.ts';

export type TakedownRequest = {
  readonly stores: readonly string[] | undefined;
  readonly reason: string | undefined;
};

/** Contract §3: requests takedowns of delivered stores, cancels unsent messages, and marks the others as wanted. */
export async function takeDownDelivery(
  tx: Tx,
  id: DeliveryId,
  { stores: named, reason }: TakedownRequest,
): Promise<ChangedDelivery> {
  const chosen = await lockChosenStores(tx, id, named);
  const selection = await selectTakedowns(tx, chosen.storeDeliveries);
  enforce(refuseTakedown(selection, named));
  const delivery = await requestTakedowns(tx, chosen.delivery, selection, reason);
  const storeDeliveries = await listStoreDeliveries(tx, tx.orgId, id);
  return {
    before: chosen.before,
    after: { delivery, storeDeliveries },
    skipped: selection.skipped,
  };
}

async function selectTakedowns(
  tx: Tx,
  storeDeliveries: readonly StoreDelivery[],
): Promise<StoreSelection> {
  const stores = await findStoresOf(tx, storeDeliveries);
  const takesTakedowns = new Set(
    stores.filter(({ capabilities }) => capabilities.takedown).map(({ storeId }) => storeId),
  );
  return selectStores(storeDeliveries, takedownIssue(takesTakedowns));
}

async function requestTakedowns(
  tx: Tx,
  delivery: Delivery,
  { applicable, skipped }: StoreSelection,
  reason: string | undefined,
  action?: string,
): Promise<Delivery> {
  const by = tx.actor.type === 'operator' ? 'operator' : 'partner';
  const change = startDeliveryChange(tx, delivery);
  change.addTimelineEntry(
    buildRequestEntry('takedown', {
      stores: applicable.map(({ storeId }) => storeId),
      revision: delivery.revision,
      actor: tx.actor,
      reason,
      skipped: skipped.length > 0 ? skipped : undefined,
    }),
  );
  const takedowns: StoreDelivery[] = [];
  for (const storeDelivery of applicable) {
    const step = requestTakedown(storeDelivery, tx.now, tx.newId('msg'), by);
    if (step === undefined) continue;
    change.applyStep(storeDelivery, step);
    if (step.type === 'takedown_requested') takedowns.push(step.storeDelivery);
  }
  await dispatchTakedowns(tx, change, delivery, takedowns);
  return change.write(action);
}

/** Takes down all deliveries of a release that have something to take down, each with its audit row. */
export async function takeDownRelease(
  tx: Tx,
  releaseId: ReleaseId,
  { stores: named, reason }: TakedownRequest,
): Promise<readonly DeliveryId[]> {
  const all: ChosenStores[] = [];
  for (const id of await lockDeliveriesOf(tx, releaseId)) {
    all.push(await lockChosenStores(tx, id, undefined));
  }
  if (named !== undefined && all.length > 0) {
    const known = all.flatMap(({ storeDeliveries }) =>
      storeDeliveries.map(({ storeId }) => storeId),
    );
    enforce(refuseStores(named, known, 'is not a store of a delivery of this release'));
  }
  const taken: DeliveryId[] = [];
  for (const { delivery, storeDeliveries } of all) {
    const chosen = storeDeliveries.filter(({ storeId }) => named?.includes(storeId) ?? true);
    const selection = await selectTakedowns(tx, chosen);
    if (selection.applicable.length > 0) {
      await requestTakedowns(tx, delivery, selection, reason, 'delivery.takedown');
      taken.push(delivery.id);
    }
  }
  return taken;
}

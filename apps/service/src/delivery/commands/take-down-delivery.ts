import type { ReleaseId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { refuseStores } from '../domain/chosen-stores.ts';
import type { Delivery, DeliveryId } from '../domain/delivery.ts';
import { refuseTakedown, takedownIssue } from '../domain/resend-rules.ts';
import { requestTakedown, type StoreDelivery } from '../domain/store-delivery.ts';
import { buildRequestEntry } from '../domain/timeline.ts';
import { wakeDelivery } from '../messages.ts';
import { lockDeliveriesOf } from '../store/deliveries.ts';
import { insertStoreMessages } from '../store/messages.ts';
import { listStoreDeliveries } from '../store/store-deliveries.ts';
import type { DeliveryWithStores } from './create-delivery.ts';
import { startDeliveryChange } from './delivery-change.ts';
import { type ChosenStores, lockChosenStores, findStoresOf } from './lock-chosen-stores.ts';

export type TakedownRequest = {
  readonly stores: readonly string[] | undefined;
  readonly reason: string | undefined;
};

/** Contract §3: requests takedowns of delivered stores, cancels unsent messages, and marks the others as wanted. */
export async function takeDownDelivery(
  tx: Tx,
  id: DeliveryId,
  { stores: named, reason }: TakedownRequest,
): Promise<DeliveryWithStores> {
  const chosen = await lockChosenStores(tx, id, named);
  const capable = await findTakedownCapableStores(tx, chosen.storeDeliveries);
  enforce(refuseTakedown(chosen.storeDeliveries, named, capable));
  const delivery = await requestTakedowns(tx, chosen, capable, reason);
  return { delivery, storeDeliveries: await listStoreDeliveries(tx, tx.orgId, id) };
}

/** Stores that accept takedowns through us. */
async function findTakedownCapableStores(
  tx: Tx,
  storeDeliveries: readonly StoreDelivery[],
): Promise<ReadonlySet<string>> {
  const stores = await findStoresOf(tx, storeDeliveries);
  return new Set(
    stores.filter(({ capabilities }) => capabilities.takedown).map(({ storeId }) => storeId),
  );
}

async function requestTakedowns(
  tx: Tx,
  { delivery, storeDeliveries }: ChosenStores,
  capable: ReadonlySet<string>,
  reason: string | undefined,
): Promise<Delivery> {
  const wanted = storeDeliveries.filter(
    (storeDelivery) => takedownIssue(storeDelivery, capable) === undefined,
  );
  const change = startDeliveryChange(tx, delivery);
  change.addTimelineEntry(
    buildRequestEntry('takedown', {
      stores: wanted.map(({ storeId }) => storeId),
      revision: delivery.revision,
      actor: tx.actor,
      reason,
    }),
  );
  const takedowns: StoreDelivery[] = [];
  for (const storeDelivery of wanted) {
    const step = requestTakedown(storeDelivery, tx.now, tx.newId('msg'));
    if (step === undefined) continue;
    change.applyStep(storeDelivery, step);
    if (step.type === 'takedown_requested') takedowns.push(step.storeDelivery);
  }
  if (takedowns.length > 0) {
    insertStoreMessages(tx, delivery.id, takedowns);
    change.setFields({ dispatches: Math.min(delivery.dispatches, 1) });
    enqueueDurably(tx, wakeDelivery(tx.orgId, delivery.id, 'dispatch'));
  }
  return change.write();
}

/** Takes down all deliveries of a release that have something to take down. */
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
    const capable = await findTakedownCapableStores(tx, chosen);
    if (chosen.some((storeDelivery) => takedownIssue(storeDelivery, capable) === undefined)) {
      await requestTakedowns(tx, { delivery, storeDeliveries: chosen }, capable, reason);
      taken.push(delivery.id);
    }
  }
  return taken;
}

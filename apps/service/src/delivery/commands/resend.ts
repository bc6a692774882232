/** Sends the current release again: to stores that rejected or flagged it, or as an update to stores that have it. */

import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { MessageContent, StoreStep, StoreDelivery } from '../domain/store-delivery.ts';
import { buildRequestEntry } from '../domain/timeline.ts';
import { wakeDelivery } from '../messages.ts';
import { insertStoreMessages } from '../store/messages.ts';
import { listStoreDeliveries } from '../store/store-deliveries.ts';
import type { Comparison } from './compare-revisions.ts';
import type { DeliveryWithStores } from './create-delivery.ts';
import { startDeliveryChange } from './delivery-change.ts';
import type { PreparedContent } from './prepare-content.ts';

type ResendRequest = {
  readonly type: 'resubmission' | 'update';
  readonly delivery: Delivery;
  readonly storeDeliveries: readonly StoreDelivery[];
  readonly content: PreparedContent;
  readonly comparisons: ReadonlyMap<number, Comparison>;
  readonly requestStep: (
    storeDelivery: StoreDelivery,
    now: Date,
    content: MessageContent,
  ) => StoreStep | undefined;
};

export async function resend(
  tx: Tx,
  { type, delivery, storeDeliveries, content, comparisons, requestStep }: ResendRequest,
): Promise<DeliveryWithStores> {
  const { revision } = content.snapshot.release;
  const change = startDeliveryChange(tx, delivery);
  change.setFields({ revision, dispatches: 0 });
  for (const [since, group] of Map.groupBy(
    storeDeliveries,
    (storeDelivery) => storeDelivery.revision,
  )) {
    change.addTimelineEntry(
      buildRequestEntry(type, {
        stores: group.map(({ storeId }) => storeId),
        revision,
        actor: tx.actor,
        changed_since: since,
        changes: comparisons.get(since)?.changes,
      }),
    );
  }
  const resent: StoreDelivery[] = [];
  for (const storeDelivery of storeDeliveries) {
    const territoryCodes =
      content.territoriesByStore.get(storeDelivery.storeId) ?? storeDelivery.territoryCodes;
    const step = requestStep(storeDelivery, tx.now, {
      revision,
      territoryCodes,
      messageId: tx.newId('msg'),
    });
    if (step === undefined) continue;
    change.applyStep(storeDelivery, step);
    resent.push(step.storeDelivery);
  }
  insertStoreMessages(tx, delivery.id, resent);
  const next = await change.write();
  enqueueDurably(tx, wakeDelivery(tx.orgId, delivery.id, 'dispatch'));
  return { delivery: next, storeDeliveries: await listStoreDeliveries(tx, tx.orgId, delivery.id) };
}

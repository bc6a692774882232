/** Sends the current release again: to stores that rejected or flagged it, or as an update to stores that have it. */

import type { Changed } from '../../kernel/changed.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { MessageContent, StoreStep, StoreDelivery } from '../domain/store-delivery.ts';
import { buildRequestEntry, type SkippedStore } from '../domain/timeline.ts';
import { insertStoreMessages } from '../store/messages.ts';
import { listStoreDeliveries } from '../store/store-deliveries.ts';
import type { Comparison } from './compare-revisions.ts';
import { startDeliveryChange } from './delivery-change.ts';
import type { DeliveryWithStores } from './lock-chosen-stores.ts';
import { requestDispatch } from './request-dispatch.ts';

/** A store delivery, and what it is sent. */
export type Resend = {
  readonly storeDelivery: StoreDelivery;
  readonly content: Omit<MessageContent, 'messageId'>;
};

type ResendRequest = {
  readonly type: 'resubmission' | 'update';
  readonly delivery: Delivery;
  readonly before: DeliveryWithStores;
  readonly revision: number;
  readonly resends: readonly Resend[];
  readonly skipped: readonly SkippedStore[];
  readonly territoryCodes?: readonly TerritoryCode[] | undefined;
  readonly comparisons: ReadonlyMap<number, Comparison>;
  readonly requestStep: (
    storeDelivery: StoreDelivery,
    now: Date,
    content: MessageContent,
  ) => StoreStep | undefined;
};

/** A delivery after a request, with the stores that the request did not apply to. */
export type ChangedDelivery = Changed<DeliveryWithStores> & {
  readonly skipped: readonly SkippedStore[];
};

export async function resend(tx: Tx, request: ResendRequest): Promise<ChangedDelivery> {
  const { type, delivery, before, revision, resends, skipped, comparisons, requestStep } = request;
  const change = startDeliveryChange(tx, delivery);
  const entry = { revision, actor: tx.actor, territory_codes: request.territoryCodes };
  let unmentioned = skipped.length > 0 ? skipped : undefined;
  for (const [since, group] of Map.groupBy(
    resends,
    ({ storeDelivery }) => storeDelivery.revision,
  )) {
    const changes = comparisons.get(since)?.changes;
    const stores = group.map(({ storeDelivery }) => storeDelivery.storeId);
    change.addTimelineEntry(
      buildRequestEntry(type, {
        ...entry,
        stores,
        changed_since: since,
        changes,
        skipped: unmentioned,
      }),
    );
    unmentioned = undefined;
  }
  const resent: StoreDelivery[] = [];
  for (const { storeDelivery, content } of resends) {
    const step = requestStep(storeDelivery, tx.now, { ...content, messageId: tx.newId('msg') });
    if (step === undefined) continue;
    change.applyStep(storeDelivery, step);
    if (step.storeDelivery.message !== storeDelivery.message) resent.push(step.storeDelivery);
  }
  if (resent.length > 0) {
    change.setFields({ revision, dispatches: 0 });
    insertStoreMessages(tx, delivery.id, resent);
    await requestDispatch(tx, change, delivery);
  }
  const next = await change.write();
  const storeDeliveries = await listStoreDeliveries(tx, tx.orgId, delivery.id);
  return { before, after: { delivery: next, storeDeliveries }, skipped };
}

import type { ReleaseId } from '../../kernel/ids.ts';
import { enforce, Problem } from '../../kernel/problem.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { MessageId } from '../domain/message.ts';
import { refusePurge } from '../domain/purge.ts';
import { requestTakedown } from '../domain/takedown.ts';
import { buildRequestEntry } from '../domain/timeline.ts';
import { lockDeliveriesOf } from '../store/deliveries.ts';
import { startDeliveryChange } from './delivery-change.ts';
import { dispatchTakedowns } from './dispatch-takedowns.ts';
import { type ChosenStores, lockChosenStores } from './lock-chosen-stores.ts';

type Purge = {
  readonly releaseId: ReleaseId;
  readonly storeId: string;
  readonly reason: string;
};

type RequestedPurge = { readonly deliveryId: DeliveryId; readonly messageId: MessageId };

/** Asks the store to forget the release. All else is as for a takedown: the order, the answer, the timeline, the events. */
export async function purgeRelease(
  tx: Tx,
  { releaseId, storeId, reason }: Purge,
): Promise<RequestedPurge> {
  await requireBatches(tx, storeId);
  const all: ChosenStores[] = [];
  for (const id of await lockDeliveriesOf(tx, releaseId))
    all.push(await lockChosenStores(tx, id, undefined));
  enforce(
    refusePurge(
      storeId,
      all.flatMap(({ storeDeliveries }) => storeDeliveries),
    ),
  );
  const [chosen] = all.flatMap(({ delivery, storeDeliveries }) =>
    storeDeliveries
      .filter((share) => share.storeId === storeId && share.status !== 'taken_down')
      .map((storeDelivery) => ({ delivery, storeDelivery })),
  );
  const step = chosen && requestTakedown(chosen.storeDelivery, tx.now, tx.newId('msg'), 'operator');
  if (chosen === undefined || step?.type !== 'takedown_requested')
    throw new Error(`${releaseId} cannot be purged at ${storeId}`);
  const { delivery, storeDelivery } = chosen;
  const change = startDeliveryChange(tx, delivery);
  change.addTimelineEntry(
    buildRequestEntry('takedown', {
      stores: [storeId],
      revision: delivery.revision,
      actor: tx.actor,
      reason: `Purge: ${reason}`,
    }),
  );
  change.applyStep(storeDelivery, step);
  await dispatchTakedowns(tx, change, delivery, [step.storeDelivery], { isPurge: true });
  await change.write('delivery.purge');
  return { deliveryId: delivery.id, messageId: step.storeDelivery.message.id };
}

async function requireBatches(tx: Tx, storeId: string): Promise<void> {
  const store = await findStore(tx, storeId);
  if (store === undefined)
    throw new Problem(
      'resource_not_found',
      `No store has the store_id ${storeId}. GET /v1/stores lists the stores.`,
    );
  if (store.connector !== 'ddex')
    throw new Problem(
      'invalid_state',
      `${storeId} takes no DDEX messages, so it cannot be sent a purge. Take the delivery down instead.`,
    );
}

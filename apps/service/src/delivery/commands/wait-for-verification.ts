import { shareLockVerification } from '../../identity/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Delivery } from '../domain/delivery.ts';
import { wait } from '../domain/send-again.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { insertUnverifiedDelivery } from '../store/unverified-deliveries.ts';
import type { DeliveryChange } from './delivery-change.ts';

/** A takedown never waits for it, and neither does a message that is in its lane already. */
const needsVerification = ({ message }: StoreDelivery): boolean =>
  message.kind !== 'takedown' && message.state === 'queued';

/**
 * Lets the messages wait that an organization without verification may not send, and returns the others. The lock on
 * the organization keeps it from being verified before this transaction has committed what waits for it.
 */
export async function waitForVerification(
  tx: Tx,
  change: DeliveryChange,
  { id }: Delivery,
  accepted: readonly StoreDelivery[],
): Promise<readonly StoreDelivery[]> {
  const waiting = accepted.filter(needsVerification);
  if (waiting.length === 0 || (await shareLockVerification(tx)) === 'verified') return accepted;
  insertUnverifiedDelivery(tx, id);
  for (const storeDelivery of waiting) {
    const step = wait(storeDelivery, tx.now, 'verification');
    if (step !== undefined) change.applyStep(storeDelivery, step);
  }
  return accepted.filter((storeDelivery) => !needsVerification(storeDelivery));
}

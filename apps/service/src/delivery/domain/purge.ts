/**
 * A purge: an operator's repair for a release that a store got by mistake, or that is corrupt there. The store forgets the
 * release. For us it is a takedown that is written as a PurgeReleaseMessage; it is never the method of a partner's takedown.
 */

import type { Refusal } from '../../kernel/problem.ts';
import { isLive, type StoreDelivery } from './store-delivery.ts';

/** The word in place of DDEX's DeliveryType, which is a word of manifests: no manifest can list a purge. */
export const purgeDeliveryType = 'Purge';

const refuse = (message: string): Refusal => ({ code: 'invalid_state', message });

/** `all`: every share of the release that is not taken down, at any store. */
export function refusePurge(storeId: string, all: readonly StoreDelivery[]): Refusal | undefined {
  const found = all.find((share) => share.storeId === storeId && share.status !== 'taken_down');
  if (found === undefined)
    return refuse(`${storeId} has nothing of the release, so there is nothing to purge.`);
  if (found.status === 'takedown_requested')
    return refuse(
      `${storeId} was asked to remove the release (${found.message.id}) and has not answered yet. It is not asked twice.`,
    );
  if (!isLive(found))
    return refuse(
      `${storeId} has not taken the release (${found.status}). Take the delivery down instead: that cancels what was not sent, and follows what was.`,
    );
  if (found.message.state !== 'sent' && found.message.state !== 'dropped')
    return refuse(`A message about the release waits for ${storeId}. Repeat this when it is sent.`);
  const elsewhere = all.filter((share) => share.storeId !== storeId && isLive(share));
  return elsewhere.length === 0
    ? undefined
    : refuse(
        `The release is live at ${elsewhere.map((share) => share.storeId).join(', ')}, so it is not a mistake as such. Take it down at ${storeId} instead.`,
      );
}

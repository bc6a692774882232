import { releasesWithIsrc, releasesWithUpc } from '../../catalog/face.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import type { Isrc } from '../../kernel/isrc.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Upc } from '../../kernel/upc.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { placeHold, removeHold } from '../store/holds.ts';
import { takeDownRelease } from './take-down-delivery.ts';

export type RecordingCode = { readonly isrc: Isrc } | { readonly upc: Upc };

type Taken = { readonly releaseId: ReleaseId; readonly deliveryIds: readonly DeliveryId[] };

/** Every release of the organization with this code comes down, and nothing of it is sent from now on. */
export async function takeDownForLaw(
  tx: Tx,
  code: RecordingCode,
  reason: string,
): Promise<readonly Taken[]> {
  const releaseIds =
    'isrc' in code ? await releasesWithIsrc(tx, code.isrc) : await releasesWithUpc(tx, code.upc);
  const taken: Taken[] = [];
  for (const releaseId of releaseIds) {
    placeHold(tx, releaseId, reason);
    const deliveryIds = await takeDownRelease(tx, releaseId, { stores: undefined, reason });
    taken.push({ releaseId, deliveryIds });
  }
  return taken;
}

export async function liftHold(tx: Tx, releaseId: ReleaseId): Promise<void> {
  if (await removeHold(tx, releaseId)) return;
  throw new Problem('invalid_state', `${releaseId} is not held.`);
}

import { lockRelease, findReleasesByIsrc, findReleasesByProductCode } from '../../catalog/face.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import type { Isrc } from '../../kernel/isrc.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ProductCode } from '../../kernel/product-code.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { findReleasesHeldAs } from '../store/holdings.ts';
import { insertLegalHold, deleteLegalHold } from '../store/legal-holds.ts';
import { takeDownRelease } from './take-down-delivery.ts';

export type RecordingCode = { readonly isrc: Isrc } | { readonly productCode: ProductCode };

type TakenDownRelease = {
  readonly releaseId: ReleaseId;
  readonly deliveryIds: readonly DeliveryId[];
};

/** Releases that have the code, were sent with it, or are held under it by a store. */
async function releasesWith(tx: Tx, code: RecordingCode): Promise<readonly ReleaseId[]> {
  const [named, held] = await Promise.all(
    'isrc' in code
      ? [findReleasesByIsrc(tx, code.isrc), findReleasesHeldAs(tx, code.isrc)]
      : [findReleasesByProductCode(tx, code.productCode), findReleasesHeldAs(tx, code.productCode)],
  );
  return [...new Set([...(named ?? []), ...(held ?? [])])].toSorted();
}

/** As the operator's commands show it. */
export const presentLegalHold = (releaseId: ReleaseId, isHeld: boolean) => ({
  release_id: releaseId,
  held: isHeld,
});

/**
 * The first of two transactions. The row lock waits for transactions that are delivering one of these releases; later
 * ones find the legal hold.
 */
export async function placeLegalHolds(tx: Tx, code: RecordingCode, reason: string): Promise<void> {
  for (const releaseId of await releasesWith(tx, code)) {
    await lockRelease(tx, releaseId);
    insertLegalHold(tx, releaseId, reason);
    appendAudit(tx, {
      action: 'legal.hold',
      auditedId: releaseId,
      before: undefined,
      after: presentLegalHold(releaseId, true),
    });
  }
}

/** The second transaction: takes down every release of the organization that has, or was sent with, this code. */
export async function takeDownByCode(
  tx: Tx,
  code: RecordingCode,
  reason: string,
): Promise<readonly TakenDownRelease[]> {
  const taken: TakenDownRelease[] = [];
  for (const releaseId of await releasesWith(tx, code)) {
    const deliveryIds = await takeDownRelease(tx, releaseId, { stores: undefined, reason });
    taken.push({ releaseId, deliveryIds });
  }
  return taken;
}

export async function liftLegalHold(tx: Tx, releaseId: ReleaseId): Promise<void> {
  if (await deleteLegalHold(tx, releaseId)) return;
  throw new Problem('invalid_state', `${releaseId} is not under a legal hold.`);
}

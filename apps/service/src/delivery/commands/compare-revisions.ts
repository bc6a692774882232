import {
  diffSnapshots,
  findSnapshot,
  hasSameContent,
  releaseStartsAt,
  type Snapshot,
} from '../../catalog/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FieldChange } from '../domain/timeline.ts';

export type Comparison = {
  readonly isSame: boolean;
  readonly changes: readonly FieldChange[];
  /** When the earlier revision is out. */
  readonly startedAt: Date;
};

/** Compares the snapshot that is sent now with each revision that stores have. */
export async function compareRevisions(
  tx: Tx,
  current: Snapshot,
  revisions: Iterable<number>,
): Promise<ReadonlyMap<number, Comparison>> {
  const { id } = current.release;
  const compared = new Map<number, Comparison>();
  for (const revision of new Set(revisions)) {
    const before = await findSnapshot(tx, tx.orgId, id, revision);
    if (before === undefined) throw new Error(`${id} has no snapshot ${revision}`);
    compared.set(revision, {
      isSame: hasSameContent(before, current),
      changes: diffSnapshots(before, current),
      startedAt: releaseStartsAt(before.release),
    });
  }
  return compared;
}

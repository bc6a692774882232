import { diffSnapshots, findSnapshot, hasSameContent, type Snapshot } from '../../catalog/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FieldChange } from '../domain/timeline.ts';

export type Comparison = { readonly isSame: boolean; readonly changes: readonly FieldChange[] };

/** What is sent now against what was sent before, for each revision stores have. */
export async function compareRevisions(
  tx: Tx,
  now: Snapshot,
  revisions: Iterable<number>,
): Promise<ReadonlyMap<number, Comparison>> {
  const { id } = now.release;
  const compared = new Map<number, Comparison>();
  for (const revision of new Set(revisions)) {
    const before = await findSnapshot(tx, tx.orgId, id, revision);
    if (before === undefined) throw new Error(`${id} has no snapshot ${revision}`);
    compared.set(revision, {
      isSame: hasSameContent(before, now),
      changes: diffSnapshots(before, now),
    });
  }
  return compared;
}

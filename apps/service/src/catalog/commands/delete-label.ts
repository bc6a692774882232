import type { LabelId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Label, labelNotFound, refuseLabelDelete } from '../domain/label.ts';
import { findReleaseOfLabel, lockLabel, removeLabel } from '../store/labels.ts';

/** Only while no release has it, and never the default label. Returns the deleted label. */
export async function deleteLabel(tx: Tx, id: LabelId): Promise<Label> {
  const label = await lockLabel(tx, id);
  if (label === undefined) throw labelNotFound();
  // After the lock, so that every release that was given this label is committed.
  enforce(refuseLabelDelete(label, await findReleaseOfLabel(tx, id)));
  removeLabel(tx, id);
  return label;
}

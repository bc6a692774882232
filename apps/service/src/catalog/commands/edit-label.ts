import type { Changed } from '../../kernel/changed.ts';
import type { LabelId } from '../../kernel/ids.ts';
import { enforce, Problem } from '../../kernel/problem.ts';
import { findTerritoryAvailability, refuseTerritories } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  applyLabelEdit,
  type Label,
  type LabelEdit,
  labelNotFound,
  refuseTakenLabel,
} from '../domain/label.ts';
import { findConflictingLabels, lockLabel, updateLabel } from '../store/labels.ts';

export type EditLabelRequest = {
  readonly id: LabelId;
  readonly edit: LabelEdit;
  /** Whether the label still has the ETag that the caller sent (If-Match). */
  readonly isExpected: (label: Label) => boolean;
};

/** Changes no release: each keeps the name that the label had. */
export async function editLabel(
  tx: Tx,
  { id, edit, isExpected }: EditLabelRequest,
): Promise<Changed<Label>> {
  const codes = edit.defaultTerritories ?? [];
  const [current, conflicts, availability] = await Promise.all([
    lockLabel(tx, id),
    findConflictingLabels(tx, id, edit),
    findTerritoryAvailability(tx, codes),
  ]);
  if (current === undefined) throw labelNotFound();
  if (!isExpected(current)) {
    throw new Problem(
      'precondition_failed',
      'The label has changed since you read it. Read it again, apply your change to it, and send its new ETag.',
    );
  }
  enforce(
    (codes.length > 0
      ? refuseTerritories(codes, availability, 'default_territories')
      : undefined) ?? refuseTakenLabel(edit, conflicts),
  );
  const next = applyLabelEdit(current, edit, tx.now);
  if (next !== current) updateLabel(tx, next);
  return { before: current, after: next };
}

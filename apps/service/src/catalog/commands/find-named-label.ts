import { parseId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Label, type NamedLabel, refuseNamedLabel } from '../domain/label.ts';
import { keyShareLockLabel, type LabelChoice } from '../store/labels.ts';

/**
 * The label that a request names by id or by name, or the given default; undefined if there is none of that name. It
 * stays locked against deletion until the commit.
 */
export async function findNamedLabel(
  tx: Tx,
  named: NamedLabel,
  otherwise: 'default' | undefined,
): Promise<Label | undefined> {
  const choice = choiceOf(named) ?? otherwise;
  const label = choice && (await keyShareLockLabel(tx, choice));
  enforce(refuseNamedLabel(named, label));
  return label;
}

function choiceOf({ label, labelId }: NamedLabel): LabelChoice | undefined {
  if (labelId === undefined) return label === undefined ? undefined : { name: label };
  const id = parseId('lbl', labelId);
  // A malformed id answers like an unknown one: no label has an empty name.
  return id === undefined ? { name: '' } : { id };
}

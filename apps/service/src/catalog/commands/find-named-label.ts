import { parseId } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Label, NamedLabel } from '../domain/label.ts';
import { keyShareLockLabel, type LabelChoice } from '../store/labels.ts';

/**
 * The label that a request names by id or by name, or else the default label if it is wanted; undefined if there is
 * none. It stays locked against deletion until the commit.
 */
export async function findNamedLabel(
  tx: Tx,
  named: NamedLabel,
  otherwise?: 'default',
): Promise<Label | undefined> {
  const choice = choiceOf(named) ?? otherwise;
  return choice && keyShareLockLabel(tx, choice);
}

function choiceOf({ label, labelId }: NamedLabel): LabelChoice | undefined {
  if (labelId === undefined) return label === undefined ? undefined : { name: label };
  const id = parseId('lbl', labelId);
  // A malformed id answers like an unknown one: no label has an empty name.
  return id === undefined ? { name: '' } : { id };
}

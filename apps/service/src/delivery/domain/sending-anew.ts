/** Contract §3: what can be resubmitted, updated or taken down, and what cannot. */
import type { Refusal, Violation } from '../../kernel/problem.ts';
import { isAffected, type StorePart } from './store-part.ts';

type Named = readonly string[] | undefined;

/** One store that will do is enough: what became of the others is in the answer. */
function refuseParts(
  parts: readonly StorePart[],
  named: Named,
  issueOf: (part: StorePart) => string | undefined,
  message: string,
): Refusal | undefined {
  const issues = parts.map((part) => ({ part, issue: issueOf(part) }));
  if (issues.some(({ issue }) => issue === undefined)) return undefined;
  const fieldOf = ({ storeId }: StorePart): string =>
    named === undefined ? 'stores' : `stores[${named.indexOf(storeId)}]`;
  const details = issues.map(({ part, issue }): Violation => ({
    field: fieldOf(part),
    issue: `${part.storeId} ${issue ?? ''}`,
  }));
  return { code: 'invalid_state', message, details };
}

export const refuseResubmit = (parts: readonly StorePart[], named: Named): Refusal | undefined =>
  refuseParts(
    parts,
    named,
    (part) => (isAffected(part) ? undefined : `is ${part.status}`),
    'Only stores that rejected or flagged the release can be resubmitted to.',
  );

export const refuseUpdate = (
  parts: readonly StorePart[],
  named: Named,
  takesUpdates: ReadonlySet<string>,
): Refusal | undefined =>
  refuseParts(
    parts,
    named,
    (part) => updateIssue(part, takesUpdates),
    'Only stores that have the release, and take updates, can be updated.',
  );

export function updateIssue(
  { storeId, status, takedownWanted }: StorePart,
  takesUpdates: ReadonlySet<string>,
): string | undefined {
  if (status !== 'delivered') return `is ${status}`;
  if (takedownWanted) return 'is about to be taken down';
  return takesUpdates.has(storeId) ? undefined : 'takes no updates';
}

export const refuseTakedown = (
  parts: readonly StorePart[],
  named: Named,
  takesTakedowns: ReadonlySet<string>,
): Refusal | undefined =>
  refuseParts(
    parts,
    named,
    (part) => takedownIssue(part, takesTakedowns),
    'There is nothing to take down: stores must have the release, or be about to get it.',
  );

export function takedownIssue(
  part: StorePart,
  takesTakedowns: ReadonlySet<string>,
): string | undefined {
  const { storeId, status, message, isHeld } = part;
  const isPossible =
    status === 'pending' ||
    status === 'in_progress' ||
    status === 'action_required' ||
    status === 'delivered' ||
    (status === 'rejected' && isHeld);
  if (!isPossible) return `is ${status}`;
  // Not sent yet, and nothing there: the store need not be asked.
  if (message.kind === 'deliver' && message.state === 'queued' && !isHeld) return undefined;
  if (!takesTakedowns.has(storeId)) return 'takes no takedowns through us: ask it yourself';
  const isWanted = part.takedownWanted && message.kind !== 'takedown';
  return isWanted ? 'is taken down as soon as it lands' : undefined;
}

/** Contract §3: neither metadata nor assets changed since, for any of them. */
export const refuseNone = (changed: readonly StorePart[]): Refusal | undefined =>
  changed.length > 0
    ? undefined
    : {
        code: 'nothing_changed',
        message: 'The release is what these stores were sent already. Correct it first.',
      };

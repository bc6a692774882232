/**
 * What a fictional store does with a release after it has confirmed it (catalogue §1.2): `then` of a scenario step. Real
 * stores flag and remove music months later.
 */

import { secondMs } from '../../kernel/duration.ts';
import type { Violation } from '../../kernel/problem.ts';
import { durationMs } from './duration.ts';

export const laterActionNames = ['flag', 'remove'] as const;

/** As on the wire. */
export type LaterAction = {
  readonly action: (typeof laterActionNames)[number];
  /** Counted from the action before it; the first from when the store has the release. */
  readonly after: string;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
};

export const laterActionsMax = 5;

/** `path` names the list, for example `steps[0].then`. */
export const findLaterViolations = (
  path: string,
  later: readonly LaterAction[],
): readonly Violation[] => {
  const removal = later.findIndex(({ action }) => action === 'remove');
  return later.flatMap((each, i) =>
    removal !== -1 && i > removal
      ? [{ field: `${path}[${i}]`, issue: 'cannot follow a remove; delete it' }]
      : findViolations(`${path}[${i}]`, each),
  );
};

function findViolations(path: string, { action, after, code, reason }: LaterAction): Violation[] {
  const unused = Object.entries({ code, reason }).filter(
    ([, value]) => action === 'remove' && value !== undefined,
  );
  return [
    // At the same moment, the flag could come before we infer that the release is live.
    ...(durationMs(after) < secondMs
      ? [{ field: `${path}.after`, issue: 'must be at least 1s' }]
      : []),
    ...unused.map(([name]) => ({
      field: `${path}.${name}`,
      issue: `is not used by the action ${action}; remove it`,
    })),
  ];
}

/**
 * A scenario: what fictional stores do with the messages it fits. The first message a delivery sends to a store
 * meets the first step, the next message (a resubmission, an update, a takedown) the next; after the last, the
 * store does what it usually does, or all of it again.
 */

import type { Id, ReleaseId } from '../../kernel/ids.ts';
import type { Refusal } from '../../kernel/problem.ts';

export type ScenarioId = Id<'scn'>;

export const messageKinds = ['deliver', 'update', 'takedown'] as const;
export type MessageKind = (typeof messageKinds)[number];

export const actions = [
  'confirm',
  'reject',
  'flag',
  'delay',
  'late',
  'lose',
  'duplicate',
  'outage',
] as const;
type Action = (typeof actions)[number];

export const flagResolutions = ['confirm', 'reject'] as const;

/** Durations as people write them. */
export type ScenarioStep = {
  readonly action: Action;
  /** When the answer comes; for `delay` and `late` how much later than usual, or than the deadline. */
  readonly after?: string | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  /** What becomes of a flag by itself. */
  readonly resolves?: (typeof flagResolutions)[number] | undefined;
  readonly resolves_after?: string | undefined;
  /** How often a duplicate answer comes. */
  readonly times?: number | undefined;
  /** How long an outage lasts for a message, from its first try: what befalls one delivery never hangs on another. */
  readonly lasts?: string | undefined;
  /** How likely it is, with this scenario's seed; certain when absent. */
  readonly chance?: number | undefined;
};

export type Scenario = {
  readonly id: ScenarioId;
  readonly name: string | null;
  /** Null: every store. */
  readonly storeId: string | null;
  /** Null: every release. */
  readonly releaseId: ReleaseId | null;
  /** Null: every kind. */
  readonly message: MessageKind | null;
  readonly seed: number;
  readonly steps: readonly ScenarioStep[];
  readonly repeats: boolean;
  readonly createdAt: Date;
};

const scenariosMax = 1_000;
export const stepsMax = 20;
export const timesMax = 10;

type Field = Exclude<keyof ScenarioStep, 'action' | 'chance'>;

const answers = ['after', 'code', 'reason'] as const;

/** What a step of each action may say, besides its chance. */
const fieldsOf: Readonly<Record<Action, readonly Field[]>> = {
  confirm: ['after'],
  reject: answers,
  flag: [...answers, 'resolves', 'resolves_after'],
  delay: ['after'],
  late: ['after'],
  lose: [],
  duplicate: ['after', 'times'],
  outage: ['lasts'],
};

const requiredOf: Readonly<Partial<Record<Action, Field>>> = {
  reject: 'code',
  delay: 'after',
  outage: 'lasts',
};

const allFields: readonly Field[] = [...answers, 'resolves', 'resolves_after', 'times', 'lasts'];

/** What a step lacks wins over what it has too much (contract §7). */
export function refuseSteps(steps: readonly ScenarioStep[]): Refusal | undefined {
  const missing = steps.flatMap((step, i) => {
    const field = requiredOf[step.action];
    return field === undefined || step[field] !== undefined
      ? []
      : [{ field: `steps[${i}].${field}`, issue: `is required for ${step.action}` }];
  });
  if (missing.length > 0) {
    return {
      code: 'missing_required_field',
      message: 'A step lacks what its action needs.',
      details: missing,
    };
  }
  const extra = steps.flatMap((step, i) =>
    allFields
      .filter((field) => step[field] !== undefined && !belongs(step, field))
      .map((field) => ({
        field: `steps[${i}].${field}`,
        issue: `does not go with ${step.action}`,
      })),
  );
  if (extra.length === 0) return undefined;
  return {
    code: 'invalid_field',
    message: 'A step says something that does not go with its action.',
    details: extra,
  };
}

const belongs = ({ action, resolves }: ScenarioStep, field: Field): boolean =>
  fieldsOf[action].includes(field) && (field !== 'resolves_after' || resolves !== undefined);

export const refuseTooManyScenarios = (count: number): Refusal | undefined =>
  count < scenariosMax
    ? undefined
    : {
        code: 'invalid_state',
        message: `There are ${count} scenarios already, and at most ${scenariosMax} are kept. Delete some first.`,
      };

/** Undefined: the store does what it usually does. */
export function stepAt({ steps, repeats }: Scenario, index: number): ScenarioStep | undefined {
  return steps[repeats ? index % steps.length : index];
}

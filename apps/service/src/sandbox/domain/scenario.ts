/**
 * A scenario: what fictional stores do with the messages that match it. The first message of a delivery to a
 * store meets the first step, the next message (a resubmission, an update, a takedown) the next step. After the
 * last step the store does what it usually does; if the scenario `repeats`, the first step follows.
 *
 * A scenario with the message `payout` is about the screening and the rail instead: the first payout that is created
 * meets the first step, the next payout the next step.
 */

import type { Id, ReleaseId } from '../../kernel/ids.ts';
import type { Refusal, Violation } from '../../kernel/problem.ts';
import { findLaterViolations, type LaterAction } from './later-action.ts';

export type ScenarioId = Id<'scn'>;

export const messageKinds = ['deliver', 'update', 'takedown'] as const;
export type MessageKind = (typeof messageKinds)[number];

export const scenarioMessages = [...messageKinds, 'payout'] as const;
export type ScenarioMessage = (typeof scenarioMessages)[number];

export const storeActions = [
  'confirm',
  'reject',
  'flag',
  'delay',
  'late',
  'lose',
  'duplicate',
  'outage',
] as const;

/** What the screening or the rail does with a payout. */
export const payoutActions = [
  'accept',
  'refuse',
  'unknown',
  'slow',
  'bounce',
  'review',
  'review_at_cut_off',
] as const;
export type PayoutAction = (typeof payoutActions)[number];

export const actions = [...storeActions, ...payoutActions] as const;
export type Action = (typeof actions)[number];

export const isPayoutAction = (action: Action): action is PayoutAction =>
  payoutActions.some((known) => known === action);

export const flagResolutions = ['confirm', 'reject'] as const;

/** As on the wire. Durations are texts such as `72h`. */
export type ScenarioStep = {
  readonly action: Action;
  /** When the answer comes; for `delay` how much later than usual, for `late` how long after the deadline. */
  readonly after?: string | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  /** How the store resolves its flag by itself. */
  readonly resolves?: (typeof flagResolutions)[number] | undefined;
  readonly resolves_after?: string | undefined;
  /** How often a duplicate answer comes. */
  readonly times?: number | undefined;
  /** How long an outage lasts, from the message's first attempt: so one delivery does not depend on another. */
  readonly lasts?: string | undefined;
  /** What the store does with the release after its positive answer. Ignored if the message is a takedown. */
  readonly then?: readonly LaterAction[] | undefined;
  /** The probability of the step; 1 when absent. */
  readonly chance?: number | undefined;
};

export type Scenario = {
  readonly id: ScenarioId;
  readonly name: string | null;
  /** Null: every store. */
  readonly storeId: string | null;
  /** Null: every release. */
  readonly releaseId: ReleaseId | null;
  /** Null: every kind of message to a store. */
  readonly message: ScenarioMessage | null;
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

/** The fields of each action, besides `chance`. */
export const fieldsOf: Readonly<Record<Action, readonly Field[]>> = {
  confirm: ['after', 'then'],
  reject: answers,
  flag: [...answers, 'resolves', 'resolves_after'],
  delay: ['after', 'then'],
  late: ['after', 'then'],
  lose: [],
  duplicate: ['after', 'times', 'then'],
  outage: ['lasts'],
  accept: [],
  refuse: ['code'],
  unknown: [],
  slow: ['after'],
  bounce: ['after', 'code'],
  review: [],
  review_at_cut_off: [],
};

export const requiredOf: Readonly<Partial<Record<Action, Field>>> = {
  reject: 'code',
  delay: 'after',
  outage: 'lasts',
  refuse: 'code',
};

const allFields: readonly Field[] = [
  ...answers,
  'resolves',
  'resolves_after',
  'times',
  'lasts',
  'then',
];

/** Missing fields are reported before fields that do not belong (contract §7). */
export function refuseSteps(
  steps: readonly ScenarioStep[],
  message: ScenarioMessage | null,
): Refusal | undefined {
  const missing = steps.flatMap((step, i) => {
    const field = requiredOf[step.action];
    return field === undefined || step[field] !== undefined
      ? []
      : [{ field: `steps[${i}].${field}`, issue: `is required for the action ${step.action}` }];
  });
  if (missing.length > 0) {
    return {
      code: 'missing_required_field',
      message:
        'A step has no value for a field that its action requires. Add the fields in details.',
      details: missing,
    };
  }
  const misplaced = steps.flatMap(({ action }, i) => findMisplaced(action, `steps[${i}]`, message));
  if (misplaced.length > 0) {
    return {
      code: 'invalid_field',
      message: 'A step has an action that does not fit the message of the scenario.',
      details: misplaced,
    };
  }
  const extra = steps.flatMap((step, i) => findExtraFields(step, `steps[${i}]`));
  if (extra.length > 0) {
    return {
      code: 'invalid_field',
      message: 'A step has a field that its action does not use. Remove the fields in details.',
      details: extra,
    };
  }
  const later = steps.flatMap(({ then }, i) =>
    then === undefined ? [] : findThenViolations(then, `steps[${i}].then`, message),
  );
  if (later.length === 0) return undefined;
  return {
    code: 'invalid_field',
    message: 'A step has a later action that can never happen. Correct the fields in details.',
    details: later,
  };
}

function findMisplaced(
  action: Action,
  path: string,
  message: ScenarioMessage | null,
): readonly Violation[] {
  const isPayout = message === 'payout';
  if (isPayoutAction(action) === isPayout) return [];
  const issue = isPayout
    ? `is an action of stores; for payouts send one of ${payoutActions.join(', ')}`
    : 'is an action of payouts; send "message": "payout" with it';
  return [{ field: `${path}.action`, issue }];
}

const findExtraFields = (step: ScenarioStep, path: string): readonly Violation[] =>
  [...allFields, 'chance' as const]
    .filter((field) => step[field] !== undefined && !belongs(step, field))
    .map((field) => ({
      field: `${path}.${field}`,
      issue: `is not used by the action ${step.action}; remove it`,
    }));

const findThenViolations = (
  then: readonly LaterAction[],
  path: string,
  message: ScenarioMessage | null,
): readonly Violation[] =>
  message === 'takedown'
    ? [{ field: path, issue: 'is not used for takedowns; remove it' }]
    : findLaterViolations(path, then);

const belongs = ({ action, resolves }: ScenarioStep, field: Field | 'chance'): boolean =>
  field === 'chance'
    ? !isPayoutAction(action)
    : fieldsOf[action].includes(field) && (field !== 'resolves_after' || resolves !== undefined);

export const refuseTooManyScenarios = (count: number): Refusal | undefined =>
  count < scenariosMax
    ? undefined
    : {
        code: 'invalid_state',
        message: `Your organization has ${count} scenarios, the most that are allowed (${scenariosMax}). Delete some first.`,
      };

/** Payouts are not about a store or a release. */
export function refuseTarget({
  message,
  storeId,
  releaseId,
}: {
  readonly message: ScenarioMessage | null;
  readonly storeId: string | null;
  readonly releaseId: string | null;
}): Refusal | undefined {
  const targets = [
    ...(storeId === null ? [] : ['store_id']),
    ...(releaseId === null ? [] : ['release_id']),
  ];
  if (message !== 'payout' || targets.length === 0) return undefined;
  return {
    code: 'invalid_field',
    message: 'A scenario for payouts applies to all payouts. Remove the fields in details.',
    details: targets.map((field) => ({ field, issue: 'is not used for payouts; remove it' })),
  };
}

/** Undefined: the store does what it usually does. */
export function stepAt({ steps, repeats }: Scenario, index: number): ScenarioStep | undefined {
  return steps[repeats ? index % steps.length : index];
}

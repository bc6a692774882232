/** The sandbox's clock, one for each organization. It is frozen while it is manual and while it is being advanced. */

import { dayMs } from '../../kernel/duration.ts';
import type { Refusal } from '../../kernel/problem.ts';

export const clockModes = ['running', 'manual'] as const;
export type ClockMode = (typeof clockModes)[number];

export type SandboxClock = {
  readonly mode: ClockMode;
  /** Null: it is not being advanced. */
  readonly advancingTo: Date | null;
  /** Whether the messages that were pending when the advance began have been sent to stores. */
  readonly hasFlushed: boolean;
};

export const defaultClock: SandboxClock = { mode: 'running', advancingTo: null, hasFlushed: false };

const advanceDaysMax = 400;
const aheadDaysMax = 3_660;

export const refuseWhileAdvancing = ({ advancingTo }: SandboxClock): Refusal | undefined =>
  advancingTo === null
    ? undefined
    : {
        code: 'invalid_state',
        message: `The clock is being advanced to ${advancingTo.toISOString()}. Wait until its status is idle.`,
      };

/** Forward only, and within both limits. */
export function refuseTarget(
  target: Date,
  { now, realNow }: { readonly now: Date; readonly realNow: Date },
  field: 'by' | 'to',
): Refusal | undefined {
  const refuse = (issue: string): Refusal => ({
    code: 'invalid_field',
    message: `${field} ${issue}.`,
    details: [{ field, issue }],
  });
  if (target < now) return refuse(`lies in the past: it is ${now.toISOString()}`);
  if (target.getTime() - now.getTime() > advanceDaysMax * dayMs) {
    return refuse(`is more than ${advanceDaysMax} days away; advance in several steps`);
  }
  if (target.getTime() - realNow.getTime() > aheadDaysMax * dayMs) {
    return refuse('is more than ten years ahead of real time');
  }
  return undefined;
}

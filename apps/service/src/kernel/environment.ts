/**
 * Live and sandbox are the same build and share nothing (architecture §1). Each database, engine and bucket has a mark
 * of its environment, and a process of the other environment refuses it.
 */

import { Problem } from './problem.ts';

export const environments = ['live', 'sandbox'] as const;
export type Environment = (typeof environments)[number];

export const otherEnvironment: Record<Environment, Environment> = {
  live: 'sandbox',
  sandbox: 'live',
};

/** `setting` is the name of the variable, never its value, which may contain a password. */
export const wrongEnvironment = (
  thing: 'a database' | 'an engine' | 'a bucket',
  setting: string,
  ours: Environment,
): Problem =>
  new Problem(
    'invalid_state',
    `${setting} leads to ${thing} of the ${otherEnvironment[ours]} environment, and TONEARM_ENVIRONMENT is ${ours}: correct one of the two.`,
  );

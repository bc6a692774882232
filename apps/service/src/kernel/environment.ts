/**
 * Live and sandbox are the same build and share nothing (architecture §1). Whatever remembers between
 * two starts, a database, an engine, a bucket, carries a mark of the one it is of, and a process of the
 * other refuses it.
 */

import { Problem } from './problem.ts';

export const environments = ['live', 'sandbox'] as const;
export type Environment = (typeof environments)[number];

export const otherEnvironment: Record<Environment, Environment> = {
  live: 'sandbox',
  sandbox: 'live',
};

/** `setting` names the variable that led to it, never its value: that may hold a password. */
export const wrongEnvironment = (
  thing: 'a database' | 'an engine' | 'a bucket',
  setting: string,
  ours: Environment,
): Problem =>
  new Problem(
    'invalid_state',
    `${setting} leads to ${thing} of the ${otherEnvironment[ours]} environment, and TONEARM_ENVIRONMENT is ${ours}: correct one of the two.`,
  );

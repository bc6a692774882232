/** What a command of the operator is, and how its flags are read. */

import { type OrgId, parseId, toWire } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { AdminConfig } from '../config/admin.ts';

export type Flags = Readonly<Record<string, string | undefined>>;

/** One transaction of one organization, or of each, with its audit row. */
export type Command = {
  readonly orgOf: ((flags: Flags) => OrgId) | 'everywhere';
  /** Committed by itself, before anything else of this organization. */
  readonly commitFirst?: (tx: Tx, flags: Flags) => Promise<void>;
  /** Undefined when there was nothing to do: nothing is recorded then. */
  readonly run: (
    tx: Tx,
    flags: Flags,
    config: AdminConfig,
  ) => Promise<CommandResult | undefined> | CommandResult | undefined;
};

export type CommandResult = { readonly auditedId: string; readonly shown: object };

export type Commands = Readonly<Record<string, Command>>;

/** The command line was not understood; whoever shows the message adds how it is used. */
export class UsageError extends Problem {
  constructor(message: string) {
    super('invalid_request', message);
  }
}

/** What concerns no partner is recorded under an organization nobody has: the house itself. */
export const systemOrgId = toWire('org', '00000000-0000-0000-0000-000000000000');

export function required(flags: Flags, name: string): string {
  const value = flags[name];
  if (value === undefined || value === '') throw new UsageError(`--${name} is required`);
  return value;
}

export function oneOf<const Values extends readonly string[]>(
  flags: Flags,
  name: string,
  values: Values,
): Values[number] {
  const value = values.find((each) => each === required(flags, name));
  if (value === undefined) throw new UsageError(`--${name} must be one of ${values.join(', ')}`);
  return value;
}

export function orgId(text: string | undefined): OrgId {
  const id = parseId('org', text ?? '');
  if (id === undefined) throw new UsageError('the organization must be an org_… id');
  return id;
}

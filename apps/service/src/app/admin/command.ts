/** The type of an operator's command, and how its flags are read. */

import { type OrgId, parseId, toWire } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { AdminConfig } from '../config/admin.ts';

export type Flags = Readonly<Record<string, string | undefined>>;

/** One transaction with its audit row, of one organization or of each. */
export type Command = {
  readonly orgOf: ((flags: Flags) => OrgId) | 'everywhere';
  /** Committed on its own, before `run`. */
  readonly commitFirst?: (tx: Tx, flags: Flags) => Promise<void>;
  /** Undefined if there was nothing to do: then there is no audit row. */
  readonly run: (
    tx: Tx,
    flags: Flags,
    config: AdminConfig,
  ) => Promise<CommandResult | undefined> | CommandResult | undefined;
};

export type CommandResult = { readonly auditedId: string; readonly shown: object };

export type Commands = Readonly<Record<string, Command>>;

/** The command line is wrong. `runAdminCommand` adds the usage text to the message. */
export class UsageError extends Problem {
  constructor(message: string) {
    super('invalid_request', message);
  }
}

/** The organization of changes that belong to no partner, such as stores. */
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

/** The type of an operator's command, and how its flags are read. */

import { type OrgId, parseId } from '../../kernel/ids.ts';
import type { Micros } from '../../kernel/money.ts';
import { didYouMean } from '../../kernel/near-name.ts';
import { Problem } from '../../kernel/problem.ts';
import { isScope, type Scope, scopes } from '../../kernel/scope.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import type { AuditEntry } from '../../platform/db/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { AdminConfig } from '../config/admin.ts';

export type Flags = Readonly<Record<string, string | undefined>>;

/** Between the values of a flag that may be given several times. No value contains it. */
export const valueSeparator = '\n';

/** One transaction with its audit row, of one organization or of each. */
export type Command = CommandTarget &
  ({ readonly run: RunInTransaction } | { readonly prepare: PrepareOutside });

type CommandTarget = {
  readonly orgOf: ((flags: Flags) => OrgId | 'everywhere') | 'everywhere';
  /** The organizations of a command everywhere. Undefined: all that have a credential. */
  readonly organizations?: (db: Db) => Promise<readonly OrgId[]>;
  /** Committed on its own, before `run`. */
  readonly commitFirst?: (tx: Tx, flags: Flags) => Promise<void>;
};

/** Undefined if there was nothing to do: then there is no audit row. */
export type RunInTransaction = (
  tx: Tx,
  flags: Flags,
  config: AdminConfig,
) => Promise<CommandResult | undefined> | CommandResult | undefined;

/** For a command that reads or uploads files: before its transaction, and after it. */
type PrepareOutside = (flags: Flags, outside: Outside) => Promise<PreparedCommand>;

export type PreparedCommand = {
  readonly run: RunInTransaction;
  /** After the commit. Returns what to print. */
  readonly finish: () => Promise<object>;
};

export type Outside = {
  readonly config: AdminConfig;
  readonly orgId: OrgId;
  readonly read: <T>(ask: (db: Db) => Promise<T>) => Promise<T>;
};

export type CommandResult = {
  readonly auditedId: string;
  readonly shown: object;
  /** The audited resource before the change. Undefined: the command created it, or does not know. */
  readonly before?: object | undefined;
  /** After the change, if it differs from what is shown: a secret is not audited. */
  readonly after?: object;
  /** Other resources of the same command: each has its own audit row. */
  readonly alsoChanged?: readonly Omit<AuditEntry, 'action'>[];
  /** Amounts by their names. Over all organizations, each is zero in total; a command everywhere shows those that are not. */
  readonly zeroInTotal?: readonly { readonly name: string; readonly amount: Micros }[];
};

export type Commands = Readonly<Record<string, Command>>;

/** The command line is wrong. `runAdminCommand` adds the usage text to the message. */
export class UsageError extends Problem {
  constructor(message: string) {
    super('invalid_request', message);
  }
}

export function required(flags: Flags, name: string): string {
  const value = flags[name];
  if (value === undefined || value === '') throw new UsageError(`--${name} is required.`);
  return value;
}

export function oneOf<const Values extends readonly string[]>(
  flags: Flags,
  name: string,
  values: Values,
): Values[number] {
  const value = values.find((each) => each === required(flags, name));
  if (value === undefined)
    throw new UsageError(
      `--${name} must be one of: ${values.join(', ')}${didYouMean(flags[name] ?? '', values) || '.'}`,
    );
  return value;
}

export function orgId(text: string | undefined): OrgId {
  const id = parseId('org', text ?? '');
  if (id === undefined)
    throw new UsageError('The organization must be given by its id (org_… id).');
  return id;
}

/** In live, reports and runs belong to no partner. */
export const ownerOf = ({ org }: Flags): OrgId => (org === undefined ? systemOrgId : orgId(org));

/** Without --scopes: every scope. */
export const scopesOf = ({ scopes: names }: Flags): readonly Scope[] =>
  names === undefined ? scopes : names.split(',').map(scopeOf);

function scopeOf(text: string): Scope {
  if (!isScope(text))
    throw new UsageError(
      `--scopes has the unknown scope ${text}; the scopes are: ${scopes.join(', ')}${didYouMean(text, scopes) || '.'}`,
    );
  return text;
}

/**
 * An operator's command is declared once: its flags, what it does, and whether it can be tried without changing anything.
 * The usage text, `--help` and the manual are written from the declaration.
 */

import type { OrgId } from '../../kernel/ids.ts';
import type { Micros } from '../../kernel/money.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import type { AuditEntry } from '../../platform/db/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { AdminConfig } from '../config/admin.ts';
import { type FlagSet, type OneOf, toggle, UsageError, type ValuesOf } from './flag.ts';
import { readFlags } from './read-flags.ts';

type Values<Flags extends FlagSet, Names extends keyof Flags> = [Names] extends [never]
  ? ValuesOf<Flags>
  : ValuesOf<Flags> & OneOf<ValuesOf<Flags>, Names>;

type Declaration<Flags extends FlagSet, Names extends keyof Flags & string> = {
  /** One line. */
  readonly summary: string;
  readonly flags: Flags;
  /** Of these flags one must be given, and no other. */
  readonly exactlyOne?: readonly Names[];
  /** Why the command has no `--dry-run`. Undefined: it has one. */
  readonly noDryRun?: string;
  readonly orgOf: (values: NoInfer<Values<Flags, Names>>) => OrgId | 'everywhere';
  /** The organizations of a command everywhere. Undefined: all that have a credential. */
  readonly organizations?: (
    db: Db,
    values: NoInfer<Values<Flags, Names>>,
  ) => Promise<readonly OrgId[]>;
  /** Committed on its own, before `run`. */
  readonly commitFirst?: (tx: Tx, values: NoInfer<Values<Flags, Names>>) => Promise<void>;
} & (
  | {
      /** One transaction with its audit row, of one organization or of each. */
      readonly run: (tx: Tx, values: NoInfer<Values<Flags, Names>>, config: AdminConfig) => Outcome;
    }
  | {
      /** For a command that reads or uploads files: before its transaction, and after it. */
      readonly prepare: (
        values: NoInfer<Values<Flags, Names>>,
        outside: Outside,
      ) => Promise<PreparedCommand>;
    }
);

/** Undefined if there was nothing to do: then there is no audit row. */
type Outcome = Promise<CommandResult | undefined> | CommandResult | undefined;

export type PreparedCommand = {
  readonly commitFirst?: (tx: Tx) => Promise<void>;
  readonly run: (tx: Tx) => Outcome;
  /** After the commit. Returns what to print, if that is not what `run` shows. */
  readonly finish?: () => Promise<object>;
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

export type Command = {
  readonly summary: string;
  readonly flags: FlagSet;
  readonly exactlyOne: readonly string[];
  /** With the values of its flags. Throws a `UsageError`. */
  readonly called: (argv: readonly string[]) => CalledCommand;
};

export type CalledCommand = {
  readonly target: OrgId | 'everywhere';
  readonly organizations: ((db: Db) => Promise<readonly OrgId[]>) | undefined;
  readonly isDryRun: boolean;
  readonly prepare: (outside: Outside) => Promise<PreparedCommand>;
};

/** By noun and verb. */
export type Commands = Readonly<Record<string, Command>>;

const dryRunFlag = toggle('shows what would change, and changes nothing');

/** Otherwise an operator could read without leaving an audit row. */
export const onlyReads = 'it only reads';

export function command<
  const Flags extends FlagSet,
  Names extends keyof NoInfer<Flags> & string = never,
>(declaration: Declaration<Flags, Names>): Command {
  const { summary, noDryRun, exactlyOne = [], orgOf, organizations, commitFirst } = declaration;
  const flags: FlagSet =
    noDryRun === undefined ? { ...declaration.flags, 'dry-run': dryRunFlag } : declaration.flags;
  return {
    summary,
    flags,
    exactlyOne,
    called: (argv) => {
      if (noDryRun !== undefined && argv.includes('--dry-run')) {
        throw new UsageError(`There is no dry run of this command: ${noDryRun}.`);
      }
      const read = readFlags({ flags, exactlyOne }, argv);
      // Each value was read by the flag of its name.
      const values = read as Values<Flags, Names>;
      return {
        target: orgOf(values),
        organizations: organizations && ((db) => organizations(db, values)),
        isDryRun: read['dry-run'] === true,
        prepare: async (outside) =>
          'prepare' in declaration
            ? declaration.prepare(values, outside)
            : {
                ...(commitFirst && { commitFirst: (tx) => commitFirst(tx, values) }),
                run: (tx) => declaration.run(tx, values, outside.config),
              },
      };
    },
  };
}

export const ofOrganization = ({ org }: { readonly org: OrgId }): OrgId => org;

export const ofPlatform = (): OrgId => systemOrgId;

/** In live, reports and runs belong to no partner. */
export const ofOwner = ({ org }: { readonly org: OrgId | undefined }): OrgId => org ?? systemOrgId;

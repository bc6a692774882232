/** The operator's command line. Every command is one transaction with its audit row. */

import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { tiers } from '../identity/domain/organization.ts';
import { organizationsWithKeys } from '../identity/store/credentials.ts';
import { systemClock } from '../kernel/clock.ts';
import type { OrgId } from '../kernel/ids.ts';
import { Problem } from '../kernel/problem.ts';
import { forbiddenCharacterIn, hasVisibleCharacter, toNfc } from '../kernel/text.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { appendAudit } from '../platform/db/audit.ts';
import { type Database, openDatabase, type Tx } from '../platform/db/database.ts';
import { catalogCommands } from './admin/catalog.ts';
import { type Command, type Commands, type Flags, UsageError } from './admin/command.ts';
import { deliveryCommands } from './admin/deliveries.ts';
import { identityCommands } from './admin/identity.ts';
import { networkCommands } from './admin/network.ts';
import { webhookCommands } from './admin/webhooks.ts';
import type { AdminConfig } from './config/admin.ts';
import { refuseOtherDatabase } from './environment-guard.ts';

const adminUsage = `Usage: npm run admin -- COMMAND

  org create --name NAME --tier ${tiers.join('|')} [--label LABEL] [--language en] [--territories US,DE,…] [--id org_…]
  org suspend|resume --org org_…
  key create --org org_… [--name NAME] [--scopes releases:read,…] [--expires 2027-01-31]
  key revoke --org org_… --key key_…
  upc add-range --org org_… --prefix GS1_COMPANY_PREFIX
  isrc add-registrant --org org_… --code REGISTRANT_CODE
  review manual --org org_… --switch on|off       whether a person decides on submissions
  review list --org org_…
  review decide --org org_… --submission sub_… --decision approve|reject [--reason TEXT]
  stores seed                     add or update the sandbox's fictional stores
  stores pause|resume --store STORE_ID            pause deliveries to this store, or resume them
  deliveries backfill --org org_… --store STORE_ID [--territories US,DE,…] [--after rel_…]
                                  deliver releases that other stores have and this store never had,
                                  1,000 releases per job
  legal takedown --isrc ISRC|--upc UPC|--ean EAN --reason TEXT
                                  take it down from every store, in every organization, with a legal hold
  legal lift --org org_… --release rel_…          remove the legal hold
  changelog publish --date DATE   send this entry of the changelog to the enterprise tier, once
  audit verify --org org_…

Without --scopes a key gets every scope. With --id the same organization can be provisioned in
sandbox and live. Answers are JSON; a key's secret is shown once.`;

const newId = createIds(systemClock);

const commands: Commands = {
  ...identityCommands(newId),
  ...catalogCommands,
  ...networkCommands,
  ...deliveryCommands,
  ...webhookCommands,
};

/** Runs one command and returns the object to print. */
export async function runAdminCommand(
  db: Database,
  config: AdminConfig,
  argv: readonly string[],
): Promise<object> {
  try {
    return await runCommand(db, config, argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new Problem('invalid_request', `${error.message}\n\n${adminUsage}`);
  }
}

async function runCommand(
  db: Database,
  config: AdminConfig,
  [noun = '', verb = '', ...rest]: readonly string[],
): Promise<object> {
  const name = `${noun} ${verb}`;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`there is no command "${name.trim()}"`);
  const flags = flagsOf(rest);
  const run = (orgId: OrgId) => runForOrganization(db, config, { name, command, flags, orgId });
  if (command.orgOf !== 'everywhere') return (await run(command.orgOf(flags))) ?? {};
  const results: object[] = [];
  // One organization after the other: no query crosses them (architecture §2).
  for (const orgId of await organizationsWithKeys(db.withoutTenant)) {
    const shown = await run(orgId);
    if (shown !== undefined) results.push(shown);
  }
  return { organizations: results };
}

type CommandRun = {
  readonly name: string;
  readonly command: Command;
  readonly flags: Flags;
  readonly orgId: OrgId;
};

/** After a lock conflict: a command for every organization must not end halfway. */
const attemptsMax = 5;

async function runForOrganization(
  db: Database,
  config: AdminConfig,
  { name, command, flags, orgId }: CommandRun,
): Promise<object | undefined> {
  const owner = { orgId, actor: { type: 'operator', id: userInfo().username } } as const;
  const transact = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await db.transact(owner, work);
      } catch (error) {
        if (attempt === attemptsMax || !isLockConflict(error)) throw error;
      }
    }
  };
  const { commitFirst } = command;
  if (commitFirst !== undefined) await transact((tx) => commitFirst(tx, flags));
  return transact(async (tx) => {
    const outcome = await command.run(tx, flags, config);
    if (outcome === undefined) return undefined;
    const { auditedId, shown } = outcome;
    appendAudit(tx, { action: name.replace(' ', '.'), auditedId, requestId: undefined });
    return shown;
  });
}

/** A deadlock or a lock timeout. A unique violation is not one: a retry would violate it again. */
const isLockConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '55P03');

function flagsOf(argv: readonly string[]): Flags {
  const names = [
    'id',
    'name',
    'tier',
    'label',
    'language',
    'territories',
    'org',
    'scopes',
    'expires',
    'key',
    'prefix',
    'code',
    'switch',
    'submission',
    'decision',
    'reason',
    'store',
    'isrc',
    'upc',
    'ean',
    'release',
    'after',
    'date',
  ];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  return Object.fromEntries(
    Object.entries(parsed(argv, options)).map(([name, text = '']) => [name, textOf(text, name)]),
  );
}

function parsed(argv: readonly string[], options: Readonly<Record<string, { type: 'string' }>>) {
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unreadable arguments');
  }
}

/** Contract §1, as for a partner's text: names and labels set here appear in releases. */
function textOf(text: string, name: string): string {
  const character = forbiddenCharacterIn(text, { isMultiline: name === 'reason' });
  if (character !== undefined) throw new UsageError(`--${name} must not contain ${character}`);
  if (text !== '' && !hasVisibleCharacter(text)) {
    throw new UsageError(`--${name} must contain a visible character`);
  }
  return toNfc(text);
}

/** Messages for violated constraints of the database. */
const constraintProblems: Readonly<Record<string, string>> = {
  '23505': 'This id or range already exists.',
  '23P01': 'This range overlaps a range that is already assigned.',
  '23514': 'A value is too long, or is not allowed.',
};

function explainConstraint(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = constraintProblems[code];
  return message === undefined ? error : new Problem('invalid_field', message);
}

export async function runAdmin(config: AdminConfig, argv: readonly string[]): Promise<void> {
  const db = openDatabase({
    url: config.operatorDatabaseUrl,
    connectionsMax: 1,
    clock: systemClock,
    newId,
    onIdleError: () => undefined,
  });
  try {
    await refuseOtherDatabase(db, 'TONEARM_OPERATOR_DATABASE_URL', config.environment);
    console.log(JSON.stringify(await runAdminCommand(db, config, argv), undefined, 2));
  } catch (error) {
    throw explainConstraint(error);
  } finally {
    await db.close();
  }
}

/** The operator's command line. Every command is one transaction with its audit row. */
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import {
  addRegistrant,
  addUpcRange,
  createKey,
  createOrganization,
  resumeOrganization,
  revokeApiKey,
  suspendOrganization,
  switchManualReview,
} from '../identity/commands/provision.ts';
import { reviewByHand } from '../catalog/commands/review-submission.ts';
import { presentSubmission } from '../catalog/domain/submission.ts';
import { pendingReviews } from '../catalog/store/submissions.ts';
import { tiers } from '../identity/domain/organization.ts';
import { isCalendarDate } from '../kernel/calendar-date.ts';
import { systemClock } from '../kernel/clock.ts';
import { type OrgId, parseId, toWire } from '../kernel/ids.ts';
import { Problem } from '../kernel/problem.ts';
import { isScope, type Scope, scopes } from '../kernel/scope.ts';
import { world } from '../kernel/territory.ts';
import { parseTimestamp } from '../kernel/timestamp.ts';
import { seedFictionalStores } from '../network/commands/seed-stores.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { appendAudit, findBrokenLink } from '../platform/db/audit.ts';
import { type Database, openDatabase, type Tx } from '../platform/db/database.ts';
import type { AdminConfig } from './config.ts';

const adminUsage = `Usage: npm run admin -- COMMAND

  org create --name NAME --tier ${tiers.join('|')} [--label LABEL] [--territories US,DE,…] [--id org_…]
  org suspend|resume --org org_…
  key create --org org_… [--name NAME] [--scopes releases:read,…] [--expires 2027-01-31]
  key revoke --org org_… --key key_…
  upc add-range --org org_… --prefix GS1_COMPANY_PREFIX
  isrc add-registrant --org org_… --code REGISTRANT_CODE
  review manual --org org_… --switch on|off       whether a person decides on submissions
  review list --org org_…
  review decide --org org_… --submission sub_… --decision approve|reject [--reason TEXT]
  stores seed                     the sandbox's fictional stores, added or brought up to date
  audit verify --org org_…

Without --scopes a key gets every scope. With --id the same organization can be provisioned in
sandbox and live. Answers are JSON; a key's secret is shown once.`;

/** The command line was not understood; the message ends with how it is used. */
class UsageError extends Problem {
  constructor(message: string) {
    super('invalid_request', `${message}\n\n${adminUsage}`);
  }
}

type Flags = Readonly<Record<string, string | undefined>>;

type Command = {
  readonly orgOf: (flags: Flags) => OrgId;
  readonly run: (tx: Tx, flags: Flags, config: AdminConfig) => Promise<Outcome> | Outcome;
};

type Outcome = { readonly subject: string; readonly shown: object };

const newId = createIds(systemClock);

/** What concerns no partner is recorded under an organization nobody has: the house itself. */
const house = toWire('org', '00000000-0000-0000-0000-000000000000');

const commands: Readonly<Record<string, Command>> = {
  'org create': {
    orgOf: ({ id }) => (id === undefined ? newId('org') : orgId(id)),
    run: (tx, flags) => {
      const name = required(flags, 'name');
      const organization = {
        name,
        tier: oneOf(flags, 'tier', tiers),
        defaultLabel: flags['label'] ?? name,
        licensedTerritories: flags['territories']?.split(',') ?? [world],
        manualReview: false,
      };
      createOrganization(tx, organization);
      const { tier, defaultLabel, licensedTerritories } = organization;
      const shown = {
        id: tx.orgId,
        name,
        tier,
        default_label: defaultLabel,
        licensed_territories: licensedTerritories,
      };
      return { subject: tx.orgId, shown };
    },
  },
  'org suspend': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx) => {
      await suspendOrganization(tx);
      return { subject: tx.orgId, shown: { id: tx.orgId, suspended: true } };
    },
  },
  'org resume': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx) => {
      await resumeOrganization(tx);
      return { subject: tx.orgId, shown: { id: tx.orgId, suspended: false } };
    },
  },
  'key create': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags, { environment }) => {
      const request = {
        environment,
        name: flags['name'] ?? 'default',
        scopes: flags['scopes'] === undefined ? scopes : flags['scopes'].split(',').map(scopeOf),
        expiresAt: flags['expires'] === undefined ? null : dateOf(flags['expires']),
      };
      const { id, secret } = await createKey(tx, request);
      return { subject: id, shown: { id, org_id: tx.orgId, secret, scopes: request.scopes } };
    },
  },
  'key revoke': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const id = parseId('key', required(flags, 'key'));
      if (id === undefined) throw new UsageError('--key must be a key_… id');
      await revokeApiKey(tx, id);
      return { subject: id, shown: { id, revoked: true } };
    },
  },
  'audit verify': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx) => {
      const broken = await findBrokenLink(tx);
      const shown = { org_id: tx.orgId, intact: broken === null, first_broken: broken };
      return { subject: tx.orgId, shown };
    },
  },
  'upc add-range': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const added = await addUpcRange(tx, required(flags, 'prefix'));
      return { subject: tx.orgId, shown: { org_id: tx.orgId, ...added } };
    },
  },
  'isrc add-registrant': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const registrant = required(flags, 'code');
      await addRegistrant(tx, registrant);
      return { subject: tx.orgId, shown: { org_id: tx.orgId, registrant } };
    },
  },
  'review manual': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const isOn = oneOf(flags, 'switch', ['on', 'off']) === 'on';
      await switchManualReview(tx, isOn);
      // What waits for a person goes on waiting for one.
      const stillWaiting = (await pendingReviews(tx)).length;
      const shown = { org_id: tx.orgId, manual_review: isOn, still_waiting: stillWaiting };
      return { subject: tx.orgId, shown };
    },
  },
  'review list': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx) => {
      const pending = await pendingReviews(tx);
      const shown = pending.map(({ submissionId, releaseId, submittedAt }) => ({
        submission_id: submissionId,
        release_id: releaseId,
        submitted_at: submittedAt.toISOString(),
      }));
      return { subject: tx.orgId, shown: { pending: shown } };
    },
  },
  'review decide': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const id = parseId('sub', required(flags, 'submission'));
      if (id === undefined) throw new UsageError('--submission must be a sub_… id');
      const isApproved = oneOf(flags, 'decision', ['approve', 'reject']) === 'approve';
      const refusal = isApproved ? undefined : required(flags, 'reason');
      const submission = await reviewByHand(tx, id, refusal);
      return { subject: id, shown: presentSubmission(submission) };
    },
  },
  'stores seed': {
    orgOf: () => house,
    run: (tx, _flags, { environment }) => {
      if (environment !== 'sandbox') {
        throw new Problem('invalid_state', 'Fictional stores belong in the sandbox alone.');
      }
      const stores = seedFictionalStores(tx).map(({ storeId }) => storeId);
      return { subject: 'stores', shown: { stores } };
    },
  },
};

function required(flags: Flags, name: string): string {
  const value = flags[name];
  if (value === undefined || value === '') throw new UsageError(`--${name} is required`);
  return value;
}

function oneOf<const Values extends readonly string[]>(
  flags: Flags,
  name: string,
  values: Values,
): Values[number] {
  const value = values.find((each) => each === required(flags, name));
  if (value === undefined) throw new UsageError(`--${name} must be one of ${values.join(', ')}`);
  return value;
}

function orgId(text: string | undefined): OrgId {
  const id = parseId('org', text ?? '');
  if (id === undefined) throw new UsageError('the organization must be an org_… id');
  return id;
}

function scopeOf(text: string): Scope {
  if (!isScope(text))
    throw new UsageError(`there is no scope ${text}; known are ${scopes.join(', ')}`);
  return text;
}

function dateOf(text: string): Date {
  const date = parseTimestamp(isCalendarDate(text) ? `${text}T00:00:00Z` : text);
  if (date === undefined)
    throw new UsageError('--expires must be a date, 2027-01-31, or a timestamp');
  return date;
}

/** Runs one command and returns what it shows. */
export async function administer(
  db: Database,
  config: AdminConfig,
  argv: readonly string[],
): Promise<object> {
  const [noun, verb, ...rest] = argv;
  const name = `${noun ?? ''} ${verb ?? ''}`;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`there is no command "${name.trim()}"`);
  const flags = flagsOf(rest);
  const owner = {
    orgId: command.orgOf(flags),
    actor: { type: 'operator', id: userInfo().username },
  } as const;
  return db.transact(
    owner,
    async () => undefined,
    async (tx) => {
      const { subject, shown } = await command.run(tx, flags, config);
      appendAudit(tx, { action: name.replace(' ', '.'), subject, requestId: undefined });
      return shown;
    },
  );
}

function flagsOf(argv: readonly string[]): Flags {
  const names = [
    'id',
    'name',
    'tier',
    'label',
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
  ];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unreadable arguments');
  }
}

/** What a constraint of the database says no to, in words. */
const constraintProblems: Readonly<Record<string, string>> = {
  '23505': 'This id or range already exists.',
  '23P01': 'A part of this range belongs to somebody.',
  '23514': 'A value is too long, or not one that is allowed.',
};

function explained(error: unknown): unknown {
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
    console.log(JSON.stringify(await administer(db, config, argv), undefined, 2));
  } catch (error) {
    throw explained(error);
  } finally {
    await db.close();
  }
}

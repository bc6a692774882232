/** Organizations, their keys and their codes. */

import {
  addRegistrant,
  addUpcRange,
  changeStatementCurrency,
  changeTier,
  createKey,
  createOrganization,
  resumeOrganization,
  revokeApiKey,
  suspendOrganization,
} from '../../identity/commands/provision.ts';
import { setVerification } from '../../identity/commands/set-verification.ts';
import { keyNotFound, presentKey } from '../../identity/domain/issued-key.ts';
import { presentOrganization } from '../../identity/domain/organization-details.ts';
import { unverified, verificationStatuses, verified } from '../../identity/domain/verification.ts';
import { findKey } from '../../identity/store/api-keys.ts';
import { findOrganizationDetails } from '../../identity/store/organization-details.ts';
import { isCalendarDate } from '../../kernel/calendar-date.ts';
import type { Environment } from '../../kernel/environment.ts';
import { type NewId, parseId } from '../../kernel/ids.ts';
import { canonicalLanguage, languageDefault, type LanguageTag } from '../../kernel/language.ts';
import { world } from '../../kernel/territory.ts';
import { tiers } from '../../kernel/tier.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { findBrokenLink } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type CommandResult,
  type Commands,
  oneOf,
  orgId,
  required,
  scopesOf,
  UsageError,
} from './command.ts';
import { currencyOf } from './money-flags.ts';
import { requirementsOf } from './requirements.ts';

const statementCurrencyDefault = 'USD';

export const identityCommands = (newId: NewId): Commands => ({
  'org create': {
    orgOf: ({ id }) => (id === undefined ? newId('org') : orgId(id)),
    run: (tx, flags, { environment }) => {
      const name = required(flags, 'name');
      const organization = {
        name,
        tier: oneOf(flags, 'tier', tiers),
        defaultLabel: flags['label'] ?? name,
        defaultMetadataLanguage: languageOf(flags['language'] ?? languageDefault),
        licensedTerritories: flags['territories']?.split(',') ?? [world],
        statementCurrency:
          flags['statement-currency'] === undefined
            ? statementCurrencyDefault
            : currencyOf(flags, 'statement-currency'),
        manualReview: false,
      };
      const verification = environment === 'live' ? unverified : verified;
      createOrganization(tx, organization, verification);
      const { tier, defaultLabel, defaultMetadataLanguage, licensedTerritories } = organization;
      const { statementCurrency } = organization;
      const shown = {
        id: tx.orgId,
        name,
        tier,
        default_label: defaultLabel,
        default_metadata_language: defaultMetadataLanguage,
        licensed_territories: licensedTerritories,
        statement_currency: statementCurrency,
        verification,
      };
      return { auditedId: tx.orgId, shown };
    },
  },
  'org suspend': {
    orgOf: ({ org }) => orgId(org),
    run: (tx, _flags, { environment }) =>
      changeOrganization(tx, environment, suspendOrganization, { suspended: true }),
  },
  'org resume': {
    orgOf: ({ org }) => orgId(org),
    run: (tx, _flags, { environment }) =>
      changeOrganization(tx, environment, resumeOrganization, { suspended: false }),
  },
  'org set-tier': {
    orgOf: ({ org }) => orgId(org),
    run: (tx, flags, { environment }) => {
      const tier = oneOf(flags, 'tier', tiers);
      return changeOrganization(tx, environment, () => changeTier(tx, tier), { tier });
    },
  },
  'org set-statement-currency': {
    orgOf: ({ org }) => orgId(org),
    run: (tx, flags, { environment }) => {
      const currency = currencyOf(flags);
      const change = () => changeStatementCurrency(tx, currency);
      return changeOrganization(tx, environment, change, { statement_currency: currency });
    },
  },
  'org verify': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags, { environment }) => {
      const verification = {
        status: oneOf(flags, 'status', verificationStatuses),
        requirements: requirementsOf(flags['requirement']),
      };
      const { before, organization } = await setVerification(tx, verification, environment);
      return {
        auditedId: tx.orgId,
        shown: { id: tx.orgId, verification: organization.verification },
        before: presentOrganization(before, environment),
        after: presentOrganization(organization, environment),
      };
    },
  },
  'key create': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags, { environment }) => {
      const request = {
        environment,
        name: flags['name'] ?? 'default',
        scopes: scopesOf(flags),
        expiresAt: flags['expires'] === undefined ? null : dateOf(flags['expires']),
      };
      const { key, secret } = await createKey(tx, request);
      const { id, scopes } = key;
      const shown = { id, org_id: tx.orgId, secret, scopes };
      return { auditedId: id, shown, after: presentKey(key) };
    },
  },
  'key revoke': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const id = parseId('key', required(flags, 'key'));
      if (id === undefined) throw new UsageError('--key must be the id of an API key (key_… id).');
      const before = await findKey(tx, tx.orgId, id);
      await revokeApiKey(tx, id);
      const after = await findKey(tx, tx.orgId, id);
      if (before === undefined || after === undefined) throw keyNotFound();
      return {
        auditedId: id,
        shown: { id, revoked: true },
        before: presentKey(before),
        after: presentKey(after),
      };
    },
  },
  'audit verify': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx) => {
      const broken = await findBrokenLink(tx);
      const shown = { org_id: tx.orgId, intact: broken === null, first_broken: broken };
      return { auditedId: tx.orgId, shown };
    },
  },
  'upc add-range': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const added = await addUpcRange(tx, required(flags, 'prefix'));
      return { auditedId: tx.orgId, shown: { org_id: tx.orgId, ...added } };
    },
  },
  'isrc add-registrant': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const registrant = required(flags, 'code');
      await addRegistrant(tx, registrant);
      return { auditedId: tx.orgId, shown: { org_id: tx.orgId, registrant } };
    },
  },
});

/** The audit row has the digests of what GET /v1/organization shows before and after the change. */
async function changeOrganization(
  tx: Tx,
  environment: Environment,
  change: (tx: Tx) => Promise<void>,
  shown: object,
): Promise<CommandResult> {
  const read = async () => {
    const organization = await findOrganizationDetails(tx, tx.orgId);
    return organization && presentOrganization(organization, environment);
  };
  const before = await read();
  await change(tx);
  const after = await read();
  return {
    auditedId: tx.orgId,
    shown: { id: tx.orgId, ...shown },
    before,
    ...(after !== undefined && { after }),
  };
}

function languageOf(text: string): LanguageTag {
  const language = canonicalLanguage(text);
  if (language === undefined)
    throw new UsageError('--language must be a BCP 47 language tag such as en or pt-BR.');
  return language;
}

function dateOf(text: string): Date {
  const date = parseTimestamp(isCalendarDate(text) ? `${text}T00:00:00Z` : text);
  if (date === undefined)
    throw new UsageError('--expires must be a date such as 2027-01-31, or a timestamp.');
  return date;
}

/** Organizations, their keys and their codes. */

import {
  addRegistrant,
  addUpcRange,
  createKey,
  createOrganization,
  resumeOrganization,
  revokeApiKey,
  suspendOrganization,
} from '../../identity/commands/provision.ts';
import { tiers } from '../../identity/domain/organization.ts';
import { isCalendarDate } from '../../kernel/calendar-date.ts';
import { type NewId, parseId } from '../../kernel/ids.ts';
import { canonicalLanguage, languageDefault, type LanguageTag } from '../../kernel/language.ts';
import { isScope, type Scope, scopes } from '../../kernel/scope.ts';
import { world } from '../../kernel/territory.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { findBrokenLink } from '../../platform/db/audit.ts';
import { type Commands, oneOf, orgId, required, UsageError } from './command.ts';

export const identityCommands = (newId: NewId): Commands => ({
  'org create': {
    orgOf: ({ id }) => (id === undefined ? newId('org') : orgId(id)),
    run: (tx, flags) => {
      const name = required(flags, 'name');
      const organization = {
        name,
        tier: oneOf(flags, 'tier', tiers),
        defaultLabel: flags['label'] ?? name,
        defaultMetadataLanguage: languageOf(flags['language'] ?? languageDefault),
        licensedTerritories: flags['territories']?.split(',') ?? [world],
        manualReview: false,
      };
      createOrganization(tx, organization);
      const { tier, defaultLabel, defaultMetadataLanguage, licensedTerritories } = organization;
      const shown = {
        id: tx.orgId,
        name,
        tier,
        default_label: defaultLabel,
        default_metadata_language: defaultMetadataLanguage,
        licensed_territories: licensedTerritories,
      };
      return { auditedId: tx.orgId, shown };
    },
  },
  'org suspend': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx) => {
      await suspendOrganization(tx);
      return { auditedId: tx.orgId, shown: { id: tx.orgId, suspended: true } };
    },
  },
  'org resume': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx) => {
      await resumeOrganization(tx);
      return { auditedId: tx.orgId, shown: { id: tx.orgId, suspended: false } };
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
      return { auditedId: id, shown: { id, org_id: tx.orgId, secret, scopes: request.scopes } };
    },
  },
  'key revoke': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const id = parseId('key', required(flags, 'key'));
      if (id === undefined) throw new UsageError('--key must be a key_… id');
      await revokeApiKey(tx, id);
      return { auditedId: id, shown: { id, revoked: true } };
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

function languageOf(text: string): LanguageTag {
  const language = canonicalLanguage(text);
  if (language === undefined)
    throw new UsageError('--language must be a BCP 47 language tag such as en or pt-BR');
  return language;
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

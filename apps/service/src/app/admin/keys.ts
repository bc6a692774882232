/** API keys of an organization. */

import { createKey, revokeApiKey } from '../../identity/commands/provision.ts';
import { keyNotFound, presentKey } from '../../identity/domain/issued-key.ts';
import { findKey } from '../../identity/store/api-keys.ts';
import { isCalendarDate } from '../../kernel/calendar-date.ts';
import { scopes as allScopes } from '../../kernel/scope.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { command, type Commands, ofOrganization } from './command.ts';
import { id, orgFlag, scopeList, text } from './flag-types.ts';
import { type FlagType, optional, required } from './flag.ts';

const expiry: FlagType<Date> = {
  placeholder: 'DATE',
  is: 'a date such as 2027-01-31, or a timestamp',
  parse: (given) => parseTimestamp(isCalendarDate(given) ? `${given}T00:00:00Z` : given),
};

/** For commands that show one. */
export const secretOfDryRun = 'the secret that it shows would not work';

export const keyCommands: Commands = {
  'key create': command({
    summary: 'create an API key, whose secret is shown once',
    flags: {
      org: orgFlag,
      name: optional(text('NAME')),
      scopes: scopeList,
      expires: optional(expiry),
    },
    noDryRun: secretOfDryRun,
    orgOf: ofOrganization,
    run: async (tx, { name = 'default', scopes = allScopes, expires = null }, { environment }) => {
      const request = { environment, name, scopes, expiresAt: expires };
      const { key, secret } = await createKey(tx, request);
      const shown = { id: key.id, org_id: tx.orgId, secret, scopes: key.scopes };
      return { auditedId: key.id, shown, after: presentKey(key) };
    },
  }),
  'key revoke': command({
    summary: 'revoke an API key',
    flags: { org: orgFlag, key: required(id('key')) },
    orgOf: ofOrganization,
    run: async (tx, { key }) => {
      const before = await findKey(tx, tx.orgId, key);
      await revokeApiKey(tx, key);
      const after = await findKey(tx, tx.orgId, key);
      if (before === undefined || after === undefined) throw keyNotFound();
      return {
        auditedId: key,
        shown: { id: key, revoked: true },
        before: presentKey(before),
        after: presentKey(after),
      };
    },
  }),
};

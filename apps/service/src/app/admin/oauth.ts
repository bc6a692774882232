/** OAuth clients of an organization. */

import {
  addOAuthSecret,
  createOAuthClient,
  removeOAuthClient,
  revokeOAuthSecret,
} from '../../identity/commands/oauth-clients.ts';
import { requireOrganization } from '../../identity/commands/provision.ts';
import { graceSecondsMax } from '../../identity/domain/oauth-client.ts';
import { scopes as allScopes } from '../../kernel/scope.ts';
import { command, type Commands, ofOrganization } from './command.ts';
import { id, integer, orgFlag, scopeList, text } from './flag-types.ts';
import { optional, required } from './flag.ts';
import { secretOfDryRun } from './keys.ts';

const client = required(id('oac'));

export const oauthCommands: Commands = {
  'oauth create': command({
    summary: 'create an OAuth client, whose secret is shown once',
    flags: { org: orgFlag, name: optional(text('NAME')), scopes: scopeList },
    noDryRun: secretOfDryRun,
    orgOf: ofOrganization,
    run: async (tx, flags) => {
      await requireOrganization(tx);
      const request = { name: flags.name ?? 'default', scopes: flags.scopes ?? allScopes };
      const { client: created, secret } = await createOAuthClient(tx, request, 'every');
      const { id: clientId, scopes, secrets } = created;
      const after = { id: clientId, org_id: tx.orgId, secret_id: secrets[0]?.id, scopes };
      return { auditedId: clientId, shown: { ...after, secret }, after };
    },
  }),
  'oauth add-secret': command({
    summary: 'add a secret, which is shown once; the others expire after the grace period',
    flags: { org: orgFlag, client, grace: optional(integer('SECONDS', graceSecondsMax)) },
    noDryRun: secretOfDryRun,
    orgOf: ofOrganization,
    run: async (tx, flags) => {
      const { client: changed, secret } = await addOAuthSecret(tx, {
        id: flags.client,
        graceSeconds: flags.grace,
        maker: 'every',
      });
      const after = { id: changed.id, secret_id: changed.secrets.at(-1)?.id };
      return { auditedId: changed.id, shown: { ...after, secret }, after };
    },
  }),
  'oauth revoke-secret': command({
    summary: 'revoke one secret of a client',
    flags: { org: orgFlag, client, secret: required(id('ocs')) },
    orgOf: ofOrganization,
    run: async (tx, flags) => {
      await revokeOAuthSecret(tx, flags.client, flags.secret);
      const shown = { id: flags.client, secret_id: flags.secret, revoked: true };
      return { auditedId: flags.client, shown };
    },
  }),
  'oauth revoke': command({
    summary: 'revoke a client with its secrets and access tokens',
    flags: { org: orgFlag, client },
    orgOf: ofOrganization,
    run: async (tx, flags) => {
      await removeOAuthClient(tx, flags.client);
      return { auditedId: flags.client, shown: { id: flags.client, revoked: true } };
    },
  }),
};

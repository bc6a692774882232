/** OAuth clients of an organization. */

import {
  addOAuthSecret,
  createOAuthClient,
  removeOAuthClient,
  revokeOAuthSecret,
} from '../../identity/commands/oauth-clients.ts';
import { requireOrganization } from '../../identity/commands/provision.ts';
import { graceSecondsMax, type OAuthClientId } from '../../identity/domain/oauth-client.ts';
import { parseId } from '../../kernel/ids.ts';
import { type Commands, type Flags, orgId, required, scopesOf, UsageError } from './command.ts';

export const oauthCommands: Commands = {
  'oauth create': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      await requireOrganization(tx);
      const request = { name: flags['name'] ?? 'default', scopes: scopesOf(flags) };
      const { client, secret } = await createOAuthClient(tx, request, 'every');
      const { id, scopes, secrets } = client;
      const after = { id, org_id: tx.orgId, secret_id: secrets[0]?.id, scopes };
      return { auditedId: id, shown: { ...after, secret }, after };
    },
  },
  'oauth add-secret': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const { client, secret } = await addOAuthSecret(tx, {
        id: clientIdOf(flags),
        graceSeconds: graceOf(flags),
        maker: 'every',
      });
      const after = { id: client.id, secret_id: client.secrets.at(-1)?.id };
      return { auditedId: client.id, shown: { ...after, secret }, after };
    },
  },
  'oauth revoke-secret': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const id = clientIdOf(flags);
      const secretId = parseId('ocs', required(flags, 'secret'));
      if (secretId === undefined)
        throw new UsageError('--secret must be the id of a secret (ocs_… id).');
      await revokeOAuthSecret(tx, id, secretId);
      return { auditedId: id, shown: { id, secret_id: secretId, revoked: true } };
    },
  },
  'oauth revoke': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const id = clientIdOf(flags);
      await removeOAuthClient(tx, id);
      return { auditedId: id, shown: { id, revoked: true } };
    },
  },
};

function clientIdOf(flags: Flags): OAuthClientId {
  const id = parseId('oac', required(flags, 'client'));
  if (id === undefined)
    throw new UsageError('--client must be the id of an OAuth client (oac_… id).');
  return id;
}

function graceOf(flags: Flags): number | undefined {
  const text = flags['grace'];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > graceSecondsMax) {
    throw new UsageError(`--grace must be a number of seconds from 0 to ${graceSecondsMax}.`);
  }
  return seconds;
}

/** OAuth clients of an enterprise organization (spec §5.1, contract §4, §5). */

import { parseId } from '../../kernel/ids.ts';
import {
  asCreated,
  type Answer,
  decorated,
  noContent,
  resource,
} from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import {
  addOAuthSecret,
  createOAuthClient,
  removeOAuthClient,
  revokeOAuthSecret,
} from '../commands/oauth-clients.ts';
import {
  clientNotFound,
  type OAuthClient,
  type OAuthClientId,
  presentClient,
  secretNotFound,
} from '../domain/oauth-client.ts';
import { findOAuthClient, listOAuthClients } from '../store/oauth-clients.ts';
import { oauthExamples } from './credential-examples.ts';
import {
  AddSecretBody,
  ClientBody,
  ClientListQuery,
  ClientPage,
  ClientPath,
  ClientWithSecret,
  CreateClientBody,
  SecretPath,
} from './oauth-schemas.ts';

const path = '/v1/oauth_clients';
const ofEnterprise = { tag: 'OAuth', tier: 'enterprise' } as const;
const reading = { ...ofEnterprise, scope: 'organization:read' } as const;
const writing = { ...ofEnterprise, scope: 'organization:write' } as const;

const clientIdOf = (params: { readonly oauth_client_id: string }): OAuthClientId => {
  const id = parseId('oac', params.oauth_client_id);
  if (id === undefined) throw clientNotFound();
  return id;
};

/** A later read does not return the secret, so the ETag does not cover it. */
const shownWithSecret = (client: OAuthClient, secret: string, realNow: Date): Answer =>
  asCreated(decorated(presentClient(client, realNow), { secret }), `${path}/${client.id}`);

export function oauthClientRoutes(server: Server, deps: MutationDeps): void {
  createRoute(server, deps);
  readRoutes(server, deps);
  deleteRoute(server, deps);
  secretRoutes(server, deps);
}

function createRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...writing,
      id: 'createOAuthClient',
      action: 'oauth_client.create',
      effect: 'reveals_secret',
      summary: 'Create an OAuth client',
      description:
        'Creates an OAuth client and returns it with its first secret, which is shown once. Exchange the secret for access tokens at `POST /v1/oauth/token`, with the id of the client as `client_id`. An organization has at most 100 clients.',
      method: 'POST',
      path,
      body: CreateClientBody,
      answers: { 201: ClientWithSecret },
      examples: oauthExamples.createOAuthClient,
      problems: ['invalid_state'],
    },
    async (tx, { body, caller }) => {
      const { client, secret } = await createOAuthClient(tx, body, caller.scopes);
      const answer = shownWithSecret(client, secret, tx.realNow);
      return { answer, auditedId: client.id, before: undefined };
    },
  );
}

function readRoutes(server: Server, { db, keyring, clock }: MutationDeps): void {
  read(
    server,
    db,
    {
      ...reading,
      id: 'listOAuthClients',
      summary: 'List OAuth clients',
      description: 'Returns a page of OAuth clients, newest first.',
      method: 'GET',
      path,
      query: ClientListQuery,
      answers: { 200: ClientPage },
      examples: oauthExamples.listOAuthClients,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'oauth_clients', query);
      const page = await ask((tenant) => listOAuthClients(tenant, orgId, list.page));
      const realNow = clock.now();
      return list.answer(page, (client) => presentClient(client, realNow));
    },
  );
  read(
    server,
    db,
    {
      ...reading,
      id: 'getOAuthClient',
      summary: 'Get an OAuth client',
      description: 'Returns the OAuth client with its secrets that work now, without their values.',
      method: 'GET',
      path: `${path}/:oauth_client_id`,
      params: ClientPath,
      answers: { 200: ClientBody },
      examples: oauthExamples.getOAuthClient,
      problems: ['resource_not_found'],
    },
    async (ask, { caller: { orgId }, params }) => {
      const id = clientIdOf(params);
      const client = await ask((tenant) => findOAuthClient(tenant, orgId, id));
      if (client === undefined) throw clientNotFound();
      return resource(presentClient(client, clock.now()));
    },
  );
}

function deleteRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...writing,
      id: 'deleteOAuthClient',
      action: 'oauth_client.delete',
      effect: 'revokes_access',
      summary: 'Delete an OAuth client',
      description:
        'Deletes the client. Its secrets stop working at once, and its access tokens within 5 seconds.',
      method: 'DELETE',
      path: `${path}/:oauth_client_id`,
      params: ClientPath,
      answers: { 204: null },
      problems: ['resource_not_found'],
    },
    async (tx, { params }) => {
      const id = clientIdOf(params);
      const before = presentClient(await removeOAuthClient(tx, id), tx.realNow);
      return { answer: noContent(), auditedId: id, before };
    },
  );
}

function secretRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...writing,
      id: 'addOAuthSecret',
      action: 'oauth_client.add_secret',
      effect: 'reveals_secret',
      summary: 'Add a secret to an OAuth client',
      description:
        'Creates another secret and returns it once. The other secrets keep working, so that you can rotate without downtime: revoke them afterwards, or send `grace_period_seconds`. At most 5 secrets work at once. Your own credential must have every scope of the client.',
      method: 'POST',
      path: `${path}/:oauth_client_id/secrets`,
      params: ClientPath,
      body: AddSecretBody,
      answers: { 201: ClientWithSecret },
      examples: oauthExamples.addOAuthSecret,
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params, body, caller }) => {
      const { client, secret, before } = await addOAuthSecret(tx, {
        id: clientIdOf(params),
        graceSeconds: body.grace_period_seconds,
        maker: caller.scopes,
      });
      return {
        answer: shownWithSecret(client, secret, tx.realNow),
        auditedId: client.id,
        before: presentClient(before, tx.realNow),
      };
    },
  );
  mutation(
    server,
    deps,
    {
      ...writing,
      id: 'revokeOAuthSecret',
      action: 'oauth_client.revoke_secret',
      effect: 'revokes_access',
      summary: 'Revoke a secret of an OAuth client',
      description:
        'Revokes the secret. It stops working at once, and the access tokens that were issued for it within 5 seconds.',
      method: 'DELETE',
      path: `${path}/:oauth_client_id/secrets/:secret_id`,
      params: SecretPath,
      answers: { 204: null },
      problems: ['resource_not_found'],
    },
    async (tx, { params }) => {
      const id = clientIdOf(params);
      const secretId = parseId('ocs', params.secret_id);
      if (secretId === undefined) throw secretNotFound();
      const before = presentClient(await revokeOAuthSecret(tx, id, secretId), tx.realNow);
      return { answer: noContent(), auditedId: id, before };
    },
  );
}

/** API keys: create, read, revoke (contract §4, §5). */

import type { Environment } from '../../kernel/environment.ts';
import { type KeyId, parseId } from '../../kernel/ids.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
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
import { createOwnKey, revokeOwnKey } from '../commands/manage-keys.ts';
import { type IssuedKey, keyNotFound, presentKey } from '../domain/issued-key.ts';
import { findKey, listKeys } from '../store/api-keys.ts';
import {
  CreateKeyBody,
  KeyBody,
  KeyListQuery,
  KeyPage,
  KeyPath,
  KeyWithSecret,
} from './api-key-schemas.ts';
import { apiKeyExamples } from './credential-examples.ts';

export type ApiKeyDeps = MutationDeps & { readonly environment: Environment };

const tag = 'API keys';
const path = '/v1/api_keys';

const keyIdOf = (params: { readonly api_key_id: string }): KeyId => {
  const id = parseId('key', params.api_key_id);
  if (id === undefined) throw keyNotFound();
  return id;
};

export function apiKeyRoutes(server: Server, deps: ApiKeyDeps): void {
  createRoute(server, deps);
  readRoutes(server, deps);
  revokeRoute(server, deps);
}

/** A later read does not return the secret, so the ETag does not cover it. */
const createdWithSecret = (key: IssuedKey, secret: string): Answer =>
  asCreated(decorated(presentKey(key), { secret }), `${path}/${key.id}`);

function createRoute(server: Server, deps: ApiKeyDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createApiKey',
      action: 'api_key.create',
      effect: 'reveals_secret',
      tag,
      summary: 'Create an API key',
      description:
        'Creates an API key and returns it with its secret, which is shown once; a retry with the same `Idempotency-Key` returns it again for 24 hours. A key has at most the scopes of the credential that creates it, and stays valid if that credential is revoked. The number of active keys has a quota: 429 `quota_exceeded`.',
      method: 'POST',
      path,
      scope: 'organization:write',
      body: CreateKeyBody,
      answers: { 201: KeyWithSecret },
      examples: apiKeyExamples.createApiKey,
      problems: ['quota_exceeded'],
    },
    async (tx, { body, caller }) => {
      const { name, expires_at: expiry } = body;
      const request = {
        environment: deps.environment,
        name,
        scopes: [...new Set(body.scopes)],
        expiresAt: parseTimestamp(expiry ?? '') ?? null,
      };
      const { key, secret } = await createOwnKey(tx, request, caller);
      return { answer: createdWithSecret(key, secret), auditedId: key.id, before: undefined };
    },
  );
}

function readRoutes(server: Server, { db, keyring }: ApiKeyDeps): void {
  read(
    server,
    db,
    {
      id: 'listApiKeys',
      tag,
      summary: 'List API keys',
      description:
        'Returns a page of API keys, newest first. Revoked and expired keys are included.',
      method: 'GET',
      path,
      scope: 'organization:read',
      query: KeyListQuery,
      answers: { 200: KeyPage },
      examples: apiKeyExamples.listApiKeys,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'api_keys', query);
      const page = await ask((tenant) => listKeys(tenant, orgId, list.page));
      return list.answer(page, presentKey);
    },
  );
  read(
    server,
    db,
    {
      id: 'getApiKey',
      tag,
      summary: 'Get an API key',
      description: 'Returns the API key without its secret.',
      method: 'GET',
      path: `${path}/:api_key_id`,
      scope: 'organization:read',
      params: KeyPath,
      answers: { 200: KeyBody },
      examples: apiKeyExamples.getApiKey,
      problems: ['resource_not_found'],
    },
    async (ask, { caller: { orgId }, params }) => {
      const id = keyIdOf(params);
      const key = await ask((tenant) => findKey(tenant, orgId, id));
      if (key === undefined) throw keyNotFound();
      return resource(presentKey(key));
    },
  );
}

function revokeRoute(server: Server, deps: ApiKeyDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'revokeApiKey',
      action: 'api_key.revoke',
      effect: 'revokes_access',
      tag,
      summary: 'Revoke an API key',
      description:
        'Revokes the key for good. It is refused everywhere within 5 seconds. A key can revoke itself. Revoking it again changes nothing.',
      method: 'DELETE',
      path: `${path}/:api_key_id`,
      scope: 'organization:write',
      params: KeyPath,
      answers: { 204: null },
      problems: ['resource_not_found'],
    },
    async (tx, { params }) => {
      const id = keyIdOf(params);
      const before = await revokeOwnKey(tx, id);
      return { answer: noContent(), auditedId: id, before: presentKey(before) };
    },
  );
}

/** What was answered to a request whose answer was lost (contract §4, §8). */

import { Type } from 'typebox';
import { Problem } from '../../kernel/problem.ts';
import { findKey } from '../../platform/db/idempotency.ts';
import { resource } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { type MutationDeps, parseKey, sealContext } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { type Redact, redactJson } from '../../platform/http/redact.ts';
import { closed, IdOf, Nullable, RealTime } from '../../platform/http/schema.ts';
import { findRequest } from '../store/requests.ts';
import { idempotencyKeyExamples } from './log-examples.ts';

const KeyPath = Type.Object({
  key: Type.String({
    format: 'uuid',
    description: 'The `Idempotency-Key` that you sent with the request.',
    examples: ['7d1f6a3e-2b4c-4d5e-8f60-718293a4b5c6'],
  }),
});

const InspectedKeyBody = Type.Object(
  {
    key: Type.String({ format: 'uuid', description: 'The key as you sent it, in lowercase.' }),
    request_id: IdOf('req'),
    method: Nullable(
      Type.String({
        description:
          'The method of the request. `null`: the request log does not have the request.',
      }),
    ),
    path: Nullable(
      Type.String({
        description: 'The path of the request. `null`: the request log does not have the request.',
      }),
    ),
    status: Type.Integer({ description: 'The HTTP status of the stored answer.', examples: [201] }),
    made_by_this_credential: Type.Boolean({
      description:
        '`true`: the credential that you send now made the request. `false`: another one did, and `headers` and `body` are not shown.',
    }),
    headers: Type.Record(Type.String(), Type.String(), {
      description:
        'Headers of the stored answer, such as `location`. Empty if another credential made the request.',
    }),
    body: Type.Unknown({
      description:
        'The body of the stored answer, without secrets and with URLs cut to their host. `null`: it had no body, or another credential made the request.',
    }),
    created_at: RealTime('When the request was executed.'),
    expires_at: RealTime('Until this time a retry with the key gets the same answer.'),
  },
  { ...closed, title: 'InspectedIdempotencyKey' },
);

export type IdempotencyKeyDeps = MutationDeps & { readonly redact: Redact };

export function idempotencyKeyRoutes(
  server: Server,
  { db, clock, keyring, redact }: IdempotencyKeyDeps,
): void {
  read(
    server,
    db,
    {
      id: 'getIdempotencyKey',
      tag: 'Requests',
      summary: 'Get the answer that is stored for an idempotency key',
      description:
        'Returns the stored answer of a request whose answer you lost, to the credential that made the request; another credential of your organization sees that the request exists. Secrets and URLs are not shown; to get them, send the request again with the same key. 404 means that no answer is stored: the request did not arrive, is still being executed, was refused without being executed, or is older than 24 hours. Then it is safe to send it again with the same key.',
      method: 'GET',
      path: '/v1/idempotency_keys/:key',
      scope: 'requests:read',
      params: KeyPath,
      answers: { 200: InspectedKeyBody },
      examples: idempotencyKeyExamples.getIdempotencyKey,
      problems: ['resource_not_found'],
    },
    async (_ask, { caller: { orgId, actor }, params }) => {
      const key = parseKey(params.key);
      if (key === undefined) throw keyNotFound();
      const { found, request } = await db.readTogether(orgId, async (tenant) => {
        const inspected = await findKey(tenant, orgId, key, clock.now());
        if (inspected === undefined) throw keyNotFound();
        return {
          found: inspected,
          request: await findRequest(tenant, orgId, inspected.requestId),
        };
      });
      const isOwn = found.actorId === actor.id;
      const body = isOwn
        ? keyring.open(sealContext({ orgId }, key), found.sealedBody)
        : Buffer.alloc(0);
      return resource({
        key,
        request_id: found.requestId,
        method: request?.method ?? null,
        path: request?.path ?? null,
        status: found.status,
        made_by_this_credential: isOwn,
        headers: isOwn ? redactJson(redact, found.headers) : {},
        body: presentBody(redact, body),
        created_at: found.createdAt.toISOString(),
        expires_at: found.expiresAt.toISOString(),
      });
    },
  );
}

const presentBody = (redact: Redact, body: Buffer): unknown =>
  body.length === 0 ? null : redactJson(redact, JSON.parse(body.toString()));

const keyNotFound = () =>
  new Problem(
    'resource_not_found',
    'No answer is stored for this idempotency key. Send the request again with the same key.',
  );

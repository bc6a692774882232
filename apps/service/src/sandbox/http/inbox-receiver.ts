/**
 * The URL of an inbox, where webhooks arrive. The token in the URL is the credential. Its owner is cached, so
 * that a flood of requests to one inbox causes no directory reads, and its rate limit is its own. Whether the owner is
 * suspended is cached for four seconds, so a suspension takes effect everywhere within five.
 */

import { Type } from 'typebox';
import { isSuspended, sandboxPolicy, sandboxQuotas } from '../../identity/face.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import type { Answer } from '../../platform/http/answer.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { receive } from '../../platform/http/receive.ts';
import { createFairQueue } from '../../platform/process/fair-queue.ts';
import { hashOfToken } from '../commands/open-inbox.ts';
import { receiveMessage } from '../commands/receive-message.ts';
import { type InboxAnswer, isReceived } from '../domain/inbox.ts';
import { keptHeaders } from '../domain/kept-headers.ts';
import { findInboxOwner } from '../store/inbox.ts';
import { createAnswerDelay } from './delayed-answers.ts';
import { createBulkhead } from './inbox-bulkhead.ts';
import { Acknowledgement, inboxPath } from './inbox-schemas.ts';
import { inboxExamples, inboxTokenExample } from './sandbox-examples.ts';
import { sandboxTag } from './sandbox-schemas.ts';

export type ReceiverDeps = {
  readonly db: Database;
  readonly directory: Db;
  readonly clock: Clock;
};

/** Database connections. Messages for one inbox wait for its row, and must not occupy the whole pool. */
const writers = { total: 3, perKey: 2 };
/** Each message holds up to 256 KiB; beyond these limits the answer is 503 with Retry-After. */
const waitingMax = { total: 400, perOrganization: 200 };
const cachedTokensMax = 10_000;
const cacheTtlMs = 4_000;

const tokenPattern = '^[A-Za-z0-9_-]{32}$';
const InboxAddress = Type.Object({
  token: Type.String({
    pattern: tokenPattern,
    description:
      'The secret at the end of the URL of the inbox. `GET /v1/sandbox/inbox` returns the URL.',
    examples: [inboxTokenExample],
  }),
});

export async function inboxReceiverRoute(server: Server, deps: ReceiverDeps): Promise<void> {
  const queue = createFairQueue(writers);
  const bulkhead = createBulkhead(waitingMax);
  const delayAnswer = createAnswerDelay(server);
  await receive(
    server,
    {
      id: 'receiveInInbox',
      effect: 'creates',
      tag: sandboxTag,
      summary: 'Send something to an inbox',
      description:
        'Receives a message. Register the URL of the inbox as a webhook, or POST to it yourself: it accepts any body up to 256 KiB. It answers 200, or the status that you set. A status of 300 or more has the body `{"received": false}` and is not an error of this API.',
      method: 'POST',
      path: `${inboxPath}/:token`,
      scope: 'public',
      params: InboxAddress,
      ownerOf: ownersOf(deps),
      answers: { 200: Acknowledgement },
      examples: inboxExamples.receiveInInbox,
      problems: ['resource_not_found', 'organization_suspended'],
    },
    async ({ owner, headers, body, connection }) => {
      if (owner.isSuspended) throw suspended();
      const { orgId, actor } = owner;
      const leaveBulkhead = bulkhead.tryAcquire(orgId);
      if (leaveBulkhead === undefined) throw tooBusy();
      const message = { headers: keptHeaders(headers), body };
      const leaveQueue = await queue.acquire(orgId);
      const answer = await deps.db
        .transact({ orgId, actor }, (tx) => receiveMessage(tx, message))
        .finally(() => {
          leaveQueue();
          leaveBulkhead();
        });
      await delayAnswer(orgId, answer.delaySeconds, connection);
      return toHttpAnswer(answer);
    },
  );
}

type CachedOwner = { readonly untilMs: number; readonly owner: Promise<Caller> };

function ownersOf({ db, directory, clock }: ReceiverDeps): (params: unknown) => Promise<Caller> {
  const cache = new Map<string, CachedOwner>();
  /** A token is never revoked, so it is looked up once; the suspension again after `cacheTtlMs`. */
  const findOwner = async (token: string, known: Promise<Caller> | undefined): Promise<Caller> => {
    const orgId = (await known)?.orgId ?? (await findInboxOwner(directory, hashOfToken(token)));
    if (orgId === undefined) throw inboxNotFound();
    return inboxCaller(orgId, await db.readOnce(orgId, (tenant) => isSuspended(tenant, orgId)));
  };
  return async (params) => {
    const token = parseToken(params);
    const nowMs = clock.now().getTime();
    const cached = cache.get(token);
    if (cached !== undefined && cached.untilMs > nowMs) return cached.owner;
    const owner = findOwner(token, cached?.owner);
    cache.delete(token);
    const [oldest] = cache.keys();
    if (cache.size >= cachedTokensMax && oldest !== undefined) cache.delete(oldest);
    cache.set(token, { untilMs: nowMs + cacheTtlMs, owner });
    try {
      return await owner;
    } catch (error) {
      if (cache.get(token)?.owner === owner) cache.delete(token);
      throw error;
    }
  };
}

const inboxCaller = (orgId: OrgId, isOwnerSuspended: boolean): Caller => ({
  orgId,
  actor: { type: 'workflow', id: 'inbox' },
  scopes: new Set(),
  tier: 'starter',
  isSuspended: isOwnerSuspended,
  ratePolicy: sandboxPolicy,
  quotas: sandboxQuotas,
  rateKey: `inbox:${orgId}`,
});

const tooBusy = () =>
  new Problem(
    'service_unavailable',
    'Too many messages are waiting for this inbox. Send it again in a second.',
    {
      headers: { 'retry-after': '1' },
    },
  );

const suspended = () =>
  new Problem(
    'organization_suspended',
    'The organization of this inbox is suspended: the inbox accepts nothing until it is resumed.',
  );

const inboxNotFound = () =>
  new Problem('resource_not_found', 'No inbox has this URL. GET /v1/sandbox/inbox returns yours.');

function parseToken(params: unknown): string {
  // The route has this parameter.
  const { token } = params as { readonly token: string };
  if (!new RegExp(tokenPattern).test(token)) throw inboxNotFound();
  return token;
}

/** RFC 9110: responses with these statuses have no content. */
const bodiless = new Set([204, 205, 304]);

const toHttpAnswer = ({ status, retryAfterSeconds }: InboxAnswer): Answer => ({
  status,
  headers: retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) },
  body: bodiless.has(status) ? '' : JSON.stringify({ received: isReceived(status) }),
});

/**
 * The URL of an inbox, where webhooks arrive. The token in the URL is the credential. Its owner is cached, so
 * that a flood of requests to one inbox causes no directory reads, and its rate limit is its own.
 */

import { Type } from 'typebox';
import { sandboxPolicy, sandboxQuotas } from '../../identity/face.ts';
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
import { sandboxTag } from './sandbox-schemas.ts';

export type ReceiverDeps = { readonly db: Database; readonly directory: Db };

/** Database connections. Messages for one inbox wait for its row, and must not occupy the whole pool. */
const writers = { total: 3, perKey: 2 };
/** Each message holds up to 256 KiB; beyond these limits the answer is 503 with Retry-After. */
const waitingMax = { total: 400, perOrganization: 200 };
const cachedTokensMax = 10_000;

const tokenPattern = '^[A-Za-z0-9_-]{32}$';
const InboxAddress = Type.Object({ token: Type.String({ pattern: tokenPattern }) });

export async function inboxReceiverRoute(server: Server, deps: ReceiverDeps): Promise<void> {
  const queue = createFairQueue(writers);
  const bulkhead = createBulkhead(waitingMax);
  const delayAnswer = createAnswerDelay(server);
  await receive(
    server,
    {
      id: 'receiveInInbox',
      tag: sandboxTag,
      summary: 'Send something to an inbox',
      description:
        'Register the inbox url as a webhook, or POST to it yourself: it accepts any body up to 256 KiB. It answers 200, or the status you set. A status from 300 on has the body {"received": false} and is not an error of this API.',
      method: 'POST',
      path: `${inboxPath}/:token`,
      scope: 'public',
      params: InboxAddress,
      ownerOf: ownersOf(deps.directory),
      answers: { 200: Acknowledgement },
      problems: ['resource_not_found'],
    },
    async ({ owner: { orgId, actor }, headers, body, connection }) => {
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

/** A token is never revoked, so cached owners do not expire. */
function ownersOf(directory: Db): (params: unknown) => Promise<Caller> {
  const cache = new Map<string, Caller>();
  return async (params) => {
    const token = parseToken(params);
    const cached = cache.get(token);
    if (cached !== undefined) return cached;
    const orgId = await findInboxOwner(directory, hashOfToken(token));
    if (orgId === undefined) throw inboxNotFound();
    const [oldest] = cache.keys();
    if (cache.size >= cachedTokensMax && oldest !== undefined) cache.delete(oldest);
    const owner = inboxCaller(orgId);
    cache.set(token, owner);
    return owner;
  };
}

const inboxCaller = (orgId: OrgId): Caller => ({
  orgId,
  actor: { type: 'workflow', id: 'inbox' },
  scopes: new Set(),
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

const inboxNotFound = () => new Problem('resource_not_found', 'There is no such inbox.');

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

/**
 * Where webhooks arrive. The address is the credential: its token says whose inbox it is, and is remembered,
 * so that a flood on one address neither asks the directory again nor is counted for anybody else.
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

/** Of the pool's connections. Messages for one inbox wait for its row, and must not hold all of them. */
const writers = { total: 3, perKey: 2 };
/** Each holds up to 256 KiB: more than these are told to come back. */
const waitingMax = { total: 400, perOrganization: 200 };
const cachedTokensMax = 10_000;

const tokenPattern = '^[A-Za-z0-9_-]{32}$';
const InboxAddress = Type.Object({ token: Type.String({ pattern: tokenPattern }) });

export async function inboxReceiverRoute(server: Server, deps: ReceiverDeps): Promise<void> {
  const queue = createFairQueue(writers);
  const { tryAcquire: enter } = createBulkhead(waitingMax);
  const answerLate = createAnswerDelay(server);
  await receive(
    server,
    {
      id: 'receiveInInbox',
      tag: sandboxTag,
      summary: 'Send something to an inbox',
      description:
        'What its url is for. Takes anything up to 256 KiB, and answers 200 or as it was told; an answer it was told to give is {"received": false} from 300 on, not an error of this API.',
      method: 'POST',
      path: `${inboxPath}/:token`,
      scope: 'public',
      params: InboxAddress,
      ownerOf: ownersOf(deps.directory),
      answers: { 200: Acknowledgement },
      problems: ['resource_not_found'],
    },
    async ({ owner: { orgId, actor }, headers, body, connection }) => {
      const leave = enter(orgId);
      if (leave === undefined) throw tooBusy();
      const message = { headers: keptHeaders(headers), body };
      const release = await queue.acquire(orgId);
      const told = await deps.db
        .transact({ orgId, actor }, (tx) => receiveMessage(tx, message))
        .finally(() => {
          release();
          leave();
        });
      await answerLate(orgId, told.delaySeconds, connection);
      return toHttpAnswer(told);
    },
  );
}

/** A token is never taken back, so what was found once holds. */
function ownersOf(directory: Db): (params: unknown) => Promise<Caller> {
  const remembered = new Map<string, Caller>();
  return async (params) => {
    const token = tokenIn(params);
    const known = remembered.get(token);
    if (known !== undefined) return known;
    const orgId = await findInboxOwner(directory, hashOfToken(token));
    if (orgId === undefined) throw inboxNotFound();
    const [oldest] = remembered.keys();
    if (remembered.size >= cachedTokensMax && oldest !== undefined) remembered.delete(oldest);
    const owner = ownerNamed(orgId);
    remembered.set(token, owner);
    return owner;
  };
}

const ownerNamed = (orgId: OrgId): Caller => ({
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

function tokenIn(params: unknown): string {
  // The router has found one.
  const { token } = params as { readonly token: string };
  if (!new RegExp(tokenPattern).test(token)) throw inboxNotFound();
  return token;
}

/** RFC 9110: an answer of these has no content. */
const bodiless = new Set([204, 205, 304]);

const toHttpAnswer = ({ status, retryAfterSeconds }: InboxAnswer): Answer => ({
  status,
  headers: retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) },
  body: bodiless.has(status) ? '' : JSON.stringify({ received: isReceived(status) }),
});

/** The routes of an inbox's owner (contract §4). */

import type { OrgId } from '../../kernel/ids.ts';
import { noContent, ok } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { openInbox, tokenOf } from '../commands/open-inbox.ts';
import { setInboxAnswer } from '../commands/set-inbox-answer.ts';
import type { Inbox } from '../domain/inbox.ts';
import { listInboxMessages } from '../store/inbox-messages.ts';
import { findInbox, resetInbox } from '../store/inbox.ts';
import {
  InboxBody,
  InboxListQuery,
  InboxPage,
  inboxPath,
  presentAnswer,
  presentMessage,
  TellInboxBody,
  toAnswer,
} from './inbox-schemas.ts';
import { sandboxTag } from './sandbox-schemas.ts';

export type InboxDeps = MutationDeps & {
  /** The URL of this service for partners, without a trailing slash. */
  readonly publicUrl: () => string;
};

export function inboxRoutes(server: Server, deps: InboxDeps): void {
  readRoute(server, deps);
  setAnswerRoute(server, deps);
  emptyRoute(server, deps);
}

const presentInbox = ({ keyring, publicUrl }: InboxDeps, orgId: OrgId, inbox: Inbox) => ({
  url: `${publicUrl()}${inboxPath}/${tokenOf(keyring, orgId, inbox)}`,
  answer: presentAnswer(inbox.answer),
});

function readRoute(server: Server, deps: InboxDeps): void {
  const { db, keyring } = deps;
  read(
    server,
    db,
    {
      id: 'getInbox',
      tag: sandboxTag,
      summary: 'Read the inbox',
      description:
        'A receiver for your webhooks when you have no public URL. Returns the last 1,000 messages, newest first, with the exact bytes of each. Large messages can make a page shorter than its limit: check has_more.',
      method: 'GET',
      path: inboxPath,
      scope: 'sandbox:write',
      query: InboxListQuery,
      answers: { 200: InboxPage },
      problems: ['invalid_cursor'],
    },
    async (_ask, { caller: { orgId, actor }, query }) => {
      const list = openList(keyring, orgId, 'inbox', query);
      const [existing, page] = await db.readTogether(orgId, (tenant) =>
        Promise.all([findInbox(tenant, orgId), listInboxMessages(tenant, orgId, list.page)]),
      );
      const inbox =
        existing ?? (await db.transact({ orgId, actor }, (tx) => openInbox(tx, keyring)));
      return list.answer(page, presentMessage, presentInbox(deps, orgId, inbox));
    },
  );
}

function setAnswerRoute(server: Server, deps: InboxDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'tellInbox',
      action: 'sandbox_inbox.tell',
      tag: sandboxTag,
      summary: 'Set how the inbox answers',
      description:
        'The next `times` requests get this status, after `delay`, with this Retry-After; then 200 again. Replaces the previous setting.',
      method: 'POST',
      path: inboxPath,
      scope: 'sandbox:write',
      body: TellInboxBody,
      answers: { 200: InboxBody },
      problems: [],
    },
    async (tx, { body }) => {
      const inbox = await setInboxAnswer(tx, deps.keyring, toAnswer(body));
      return { answer: ok(presentInbox(deps, tx.orgId, inbox)), auditedId: tx.orgId };
    },
  );
}

function emptyRoute(server: Server, deps: InboxDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'emptyInbox',
      action: 'sandbox_inbox.empty',
      tag: sandboxTag,
      summary: 'Empty the inbox',
      description: 'Deletes its messages, and lets it answer 200 again. Its URL stays.',
      method: 'DELETE',
      path: inboxPath,
      scope: 'sandbox:write',
      answers: { 204: null },
      problems: [],
    },
    async (tx) => {
      resetInbox(tx);
      return { answer: noContent(), auditedId: tx.orgId };
    },
  );
}

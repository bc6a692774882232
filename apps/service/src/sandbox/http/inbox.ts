/** The routes of an inbox's owner (contract §4). */

import type { OrgId } from '../../kernel/ids.ts';
import { noContent, ok } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { openInbox, tokenOf } from '../commands/open-inbox.ts';
import { setInboxAnswer } from '../commands/set-inbox-answer.ts';
import { type Inbox, usualAnswer } from '../domain/inbox.ts';
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
import { inboxExamples } from './sandbox-examples.ts';
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

/** Without its URL, which is a secret: a client that knows it can post to the inbox. */
const auditedInbox = ({ answer }: Inbox) => ({ answer: presentAnswer(answer) });

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
        'Returns the messages that your inbox received, newest first, with the exact bytes of each. The inbox is a receiver for your webhooks when you have no public URL; it keeps the last 1,000 messages. Large messages can make a page shorter than its limit: check `has_more`.',
      method: 'GET',
      path: inboxPath,
      scope: 'sandbox:write',
      query: InboxListQuery,
      answers: { 200: InboxPage },
      examples: inboxExamples.getInbox,
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
      effect: 'changes',
      tag: sandboxTag,
      summary: 'Set how the inbox answers',
      description:
        'Sets the answer of the inbox to its next `times` requests: this status, after `delay`, with this `Retry-After`. After them it answers 200 again. Replaces the previous setting.',
      method: 'POST',
      path: inboxPath,
      scope: 'sandbox:write',
      body: TellInboxBody,
      answers: { 200: InboxBody },
      examples: inboxExamples.tellInbox,
      problems: [],
    },
    async (tx, { body }) => {
      const { before, after } = await setInboxAnswer(tx, deps.keyring, toAnswer(body));
      return {
        answer: ok(presentInbox(deps, tx.orgId, after)),
        auditedId: tx.orgId,
        before: auditedInbox(before),
        after: auditedInbox(after),
      };
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
      effect: 'deletes',
      tag: sandboxTag,
      summary: 'Empty the inbox',
      description:
        'Deletes the messages of the inbox, and makes it answer 200 again. Its URL stays.',
      method: 'DELETE',
      path: inboxPath,
      scope: 'sandbox:write',
      answers: { 204: null },
      problems: [],
    },
    async (tx) => {
      const inbox = await findInbox(tx, tx.orgId);
      resetInbox(tx);
      return {
        answer: noContent(),
        auditedId: tx.orgId,
        before: inbox && auditedInbox(inbox),
        ...(inbox && { after: auditedInbox({ ...inbox, answer: usualAnswer }) }),
      };
    },
  );
}

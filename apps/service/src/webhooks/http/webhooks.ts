/** Webhook endpoints: register, read, change, delete, ping (contract §4, §6). */

import { eventTypes } from '../../kernel/event-type.ts';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import type { TxOwner } from '../../platform/db/database.ts';
import { type Answer, stillMatches } from '../../platform/http/answer.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { changedResource, removedResource } from '../../platform/http/mutation-result.ts';
import { type FollowUp, mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { enforcePingQuota } from '../commands/enforce-ping-quota.ts';
import { pingWebhook, type PingDeps } from '../commands/ping.ts';
import {
  editWebhook,
  recordPing,
  registerWebhook,
  removeWebhook,
} from '../commands/register-webhook.ts';
import { presentWebhook } from '../domain/present-webhook.ts';
import {
  eventTypesOf,
  refuseEnterpriseTypes,
  refuseEventTypes,
  type RequestedEventTypes,
  type Webhook,
  type WebhookId,
  webhookNotFound,
} from '../domain/webhook.ts';
import { findWebhook, listWebhooks } from '../store/webhooks.ts';
import { webhookActionRoutes } from './webhook-actions.ts';
import { registered, shown, webhookIdOf, webhooksPath } from './webhook-answers.ts';
import { webhookExamples } from './webhook-examples.ts';
import {
  EditBody,
  RegisterBody,
  WebhookBody,
  WebhookListQuery,
  WebhookPage,
  WebhookPath,
  WebhookWithSecret,
} from './webhook-schemas.ts';

export type WebhookDeps = MutationDeps &
  PingDeps & {
    /** Why this URL is refused; undefined: it is allowed. */
    readonly examineUrl: (url: string) => Promise<string | undefined>;
  };

const tag = 'Webhooks';
const path = webhooksPath;
const writing = { tag, scope: 'webhooks:write', params: WebhookPath } as const;

export function webhookRoutes(server: Server, deps: WebhookDeps): void {
  registerRoute(server, deps);
  readRoutes(server, deps);
  editRoute(server, deps);
  deleteRoute(server, deps);
  pingRoute(server, deps);
  webhookActionRoutes(server, deps);
}

/** Before the transaction: it asks name servers. */
async function refuseUrl({ examineUrl }: WebhookDeps, url: string): Promise<Refusal | undefined> {
  const issue = await examineUrl(url);
  if (issue === undefined) return undefined;
  return {
    code: 'webhook_url_not_allowed',
    message: `This webhook URL is not allowed. ${issue}`,
    details: [{ field: 'url', issue }],
  };
}

const knownTypes: ReadonlySet<string> = new Set(eventTypes);

const enforceEventTypes = (requested: RequestedEventTypes, { tier }: Caller): void =>
  enforce(refuseEventTypes(requested, knownTypes) ?? refuseEnterpriseTypes(requested, tier));

type Pinged = { readonly id: WebhookId; readonly url: string };

/** After the change has committed; the outcome of the ping becomes part of the answer (contract §8). */
async function pingAndRecord(
  deps: WebhookDeps,
  { orgId, actor }: TxOwner,
  answer: Answer,
  present: (webhook: Webhook) => Answer,
): Promise<FollowUp> {
  const { id, url } = JSON.parse(answer.body) as Pinged;
  const ping = await pingWebhook(deps, { orgId, actor }, { id, url });
  return async (tx) => {
    const webhook = ping && (await recordPing(tx, id, url, ping));
    // Deleted during the ping: the answer is the one of the change.
    return webhook === undefined ? answer : present(webhook);
  };
}

function registerRoute(server: Server, deps: WebhookDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createWebhook',
      action: 'webhook.create',
      effect: 'reveals_secret',
      tag,
      summary: 'Register a webhook',
      description:
        'Registers a webhook, pings it at once and returns it. If it answers 200 within 10 seconds, it is `verified` and receives the events that you subscribed it to. Otherwise it stays `unverified`, and receives no events, until a ping succeeds.',
      method: 'POST',
      path,
      scope: 'webhooks:write',
      body: RegisterBody,
      answers: { 201: WebhookWithSecret },
      examples: webhookExamples.createWebhook,
      problems: ['webhook_url_not_allowed', 'invalid_state', 'tier_not_allowed'],
    },
    async (tx, { body, caller }, refusal: Refusal | undefined) => {
      enforce(refusal);
      enforceEventTypes(body.event_type, caller);
      const { webhook, secret } = await registerWebhook(tx, deps.keyring, {
        url: body.url,
        eventTypes: eventTypesOf(body.event_type),
        description: body.description ?? null,
        secret: body.secret,
      });
      return { answer: registered(webhook, secret), auditedId: webhook.id, before: undefined };
    },
    {
      prepare: ({ body }) => refuseUrl(deps, body.url),
      followUp: (answer, { caller }) => {
        const { secret } = JSON.parse(answer.body) as { readonly secret: string };
        return pingAndRecord(deps, caller, answer, (webhook) => registered(webhook, secret));
      },
    },
  );
}

function readRoutes(server: Server, { db, keyring }: WebhookDeps): void {
  read(
    server,
    db,
    {
      id: 'listWebhooks',
      tag,
      summary: 'List webhooks',
      description: 'Returns a page of webhooks, newest first.',
      method: 'GET',
      path,
      scope: 'webhooks:read',
      query: WebhookListQuery,
      answers: { 200: WebhookPage },
      examples: webhookExamples.listWebhooks,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'webhooks', query);
      const page = await ask((tenant) => listWebhooks(tenant, orgId, list.page));
      return list.answer(page, presentWebhook);
    },
  );
  read(
    server,
    db,
    {
      id: 'getWebhook',
      tag,
      summary: 'Get a webhook',
      description: 'Returns the webhook without its secret.',
      method: 'GET',
      path: `${path}/:webhook_id`,
      scope: 'webhooks:read',
      params: WebhookPath,
      answers: { 200: WebhookBody },
      examples: webhookExamples.getWebhook,
      problems: ['resource_not_found'],
    },
    async (ask, { caller: { orgId }, params }) => {
      const id = webhookIdOf(params);
      const webhook = await ask((tenant) => findWebhook(tenant, orgId, id));
      if (webhook === undefined) throw webhookNotFound();
      return shown(webhook);
    },
  );
}

/** A PATCH with a url pings an unverified webhook: the url is new, or no ping has succeeded yet. */
const isPinged = (body: { readonly url?: string }, { status }: Pick<Webhook, 'status'>): boolean =>
  body.url !== undefined && status === 'unverified';

function editRoute(server: Server, deps: WebhookDeps): void {
  mutation(
    server,
    deps,
    {
      ...writing,
      id: 'updateWebhook',
      action: 'webhook.update',
      effect: 'redirects',
      summary: 'Change a webhook',
      description:
        'Changes only the fields that you send, and returns the webhook. A new `url` makes the webhook `unverified` and pings it. At most 10 pings a minute are allowed.',
      method: 'PATCH',
      path: `${path}/:webhook_id`,
      body: EditBody,
      answers: { 200: WebhookBody },
      examples: webhookExamples.updateWebhook,
      problems: [
        'resource_not_found',
        'precondition_failed',
        'webhook_url_not_allowed',
        'quota_exceeded',
        'tier_not_allowed',
      ],
    },
    async (tx, { params, body, ifMatch, caller }, refusal: Refusal | undefined) => {
      const { url, event_type: eventType, description } = body;
      enforce(refusal);
      if (eventType !== undefined) enforceEventTypes(eventType, caller);
      const edited = await editWebhook(tx, {
        id: webhookIdOf(params),
        edit: {
          ...(url !== undefined && { url }),
          ...(eventType !== undefined && { eventTypes: eventTypesOf(eventType) }),
          ...(description !== undefined && { description }),
        },
        isExpected: (current) =>
          ifMatch === undefined || stillMatches(ifMatch, presentWebhook(current)),
      });
      const { after } = edited;
      if (isPinged(body, after)) await enforcePingQuota(tx, after.id, caller.quotas);
      return changedResource(edited, presentWebhook);
    },
    {
      prepare: async ({ body }) => (body.url === undefined ? undefined : refuseUrl(deps, body.url)),
      followUp: async (answer, { caller, body }) => {
        const changed = JSON.parse(answer.body) as Pick<Webhook, 'status'>;
        return isPinged(body, changed) ? pingAndRecord(deps, caller, answer, shown) : undefined;
      },
    },
  );
}

function deleteRoute(server: Server, deps: WebhookDeps): void {
  mutation(
    server,
    deps,
    {
      ...writing,
      id: 'deleteWebhook',
      action: 'webhook.delete',
      effect: 'deletes',
      summary: 'Delete a webhook',
      description:
        'Deletes the webhook. No more events are sent to it. Its attempts stay in the history of their events.',
      method: 'DELETE',
      path: `${path}/:webhook_id`,
      answers: { 204: null },
      problems: ['resource_not_found'],
    },
    async (tx, { params }) => {
      return removedResource(await removeWebhook(tx, webhookIdOf(params)), presentWebhook);
    },
  );
}

function pingRoute(server: Server, deps: WebhookDeps): void {
  mutation(
    server,
    deps,
    {
      ...writing,
      id: 'pingWebhook',
      action: 'webhook.ping',
      effect: 'changes',
      summary: 'Ping a webhook',
      description:
        'Sends a ping and returns the webhook. If it answers 200 within 10 seconds, it becomes `verified`, even if it was disabled. At most 10 pings a minute are allowed.',
      method: 'POST',
      path: `${path}/:webhook_id/ping`,
      answers: { 200: WebhookBody },
      examples: webhookExamples.pingWebhook,
      problems: ['resource_not_found', 'quota_exceeded'],
    },
    async (tx, { params, caller }) => {
      const id = webhookIdOf(params);
      await enforcePingQuota(tx, id, caller.quotas);
      const webhook = await findWebhook(tx, tx.orgId, id);
      if (webhook === undefined) throw webhookNotFound();
      return changedResource({ before: webhook, after: webhook }, presentWebhook);
    },
    { followUp: (answer, { caller }) => pingAndRecord(deps, caller, answer, shown) },
  );
}

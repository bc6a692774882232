/** The event history (spec §6, contract §4, §6). */

import type { Environment } from '../../kernel/environment.ts';
import { parseId } from '../../kernel/ids.ts';
import { accepted, resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { eventNotFound, redeliverEvent, unknownWebhook } from '../commands/redeliver.ts';
import type { EventId } from '../domain/attempt.ts';
import { presentEvent } from '../domain/event.ts';
import type { WebhookId } from '../domain/webhook.ts';
import { listAttempts } from '../store/attempts.ts';
import { findEvent, listEvents } from '../store/events.ts';
import { listWebhookDeliveries, listWebhookDeliveriesOfAll } from '../store/webhook-deliveries.ts';
import { presentAttempt, presentWebhookDelivery } from './event-answers.ts';
import { eventExamples } from './event-examples.ts';
import { EventListQuery, EventPath, type EventSchemas, RedeliverBody } from './event-schemas.ts';
import { Count } from './webhook-schemas.ts';

export type EventDeps = MutationDeps & {
  readonly environment: Environment;
  readonly schemas: EventSchemas;
};

export function eventRoutes(server: Server, deps: EventDeps): void {
  listRoute(server, deps);
  getRoute(server, deps);
  redeliverRoute(server, deps);
}

function listRoute(server: Server, { db, keyring, environment, schemas }: EventDeps): void {
  read(
    server,
    db,
    {
      id: 'listEvents',
      tag: 'Events',
      summary: 'List events',
      description:
        'Returns a page of events, newest first; with `after`, oldest first from there. Each event lists the webhooks that it is sent to. Events are kept for 30 days.',
      method: 'GET',
      path: '/v1/events',
      scope: 'events:read',
      query: EventListQuery,
      answers: { 200: schemas.page },
      examples: eventExamples(schemas).listEvents,
      problems: ['invalid_cursor'],
    },
    async (_ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'events', query);
      const { type, after, delivery_status: deliveryStatus } = query;
      const filters = { type, after, deliveryStatus };
      const { page, deliveries } = await db.readTogether(orgId, async (tenant) => {
        const found = await listEvents(tenant, orgId, filters, list.page);
        const ids = found.items.map(({ id }) => id);
        return { page: found, deliveries: await listWebhookDeliveriesOfAll(tenant, orgId, ids) };
      });
      return list.answer(page, (event) => ({
        ...presentEvent(environment, event),
        webhooks: (deliveries.get(event.id) ?? []).map(presentWebhookDelivery),
      }));
    },
  );
}

const eventIdOf = (params: { readonly event_id: string }): EventId => {
  const id = parseId('evt', params.event_id);
  if (id === undefined) throw eventNotFound();
  return id;
};

function getRoute(server: Server, { db, environment, schemas }: EventDeps): void {
  read(
    server,
    db,
    {
      id: 'getEvent',
      tag: 'Events',
      summary: 'Get an event',
      description:
        'Returns the event with the webhooks that it is sent to, and every attempt to send it.',
      method: 'GET',
      path: '/v1/events/:event_id',
      scope: 'events:read',
      params: EventPath,
      answers: { 200: schemas.withAttempts },
      examples: eventExamples(schemas).getEvent,
      problems: ['resource_not_found'],
    },
    async (_ask, { caller: { orgId }, params }) => {
      const id = eventIdOf(params);
      const [event, deliveries, attempts] = await db.readTogether(orgId, (tenant) =>
        Promise.all([
          findEvent(tenant, orgId, id),
          listWebhookDeliveries(tenant, orgId, id),
          listAttempts(tenant, orgId, id),
        ]),
      );
      if (event === undefined) throw eventNotFound();
      return resource({
        ...presentEvent(environment, event),
        webhooks: deliveries.map(presentWebhookDelivery),
        attempts: attempts.map(presentAttempt),
      });
    },
  );
}

function redeliverRoute(server: Server, deps: EventDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'redeliverEvent',
      action: 'event.redeliver',
      effect: 'changes',
      tag: 'Events',
      summary: 'Send an event again',
      description:
        'Sends the event again to every webhook that it was sent to, even if the webhook received it or waits for a retry. With `webhook_id`, only that webhook gets the event, even if it is not subscribed. Webhooks that are not verified are left out. Each webhook gets up to six more attempts, the first at once; their numbers continue those of the earlier attempts.',
      method: 'POST',
      path: '/v1/events/:event_id/redeliver',
      scope: 'webhooks:write',
      params: EventPath,
      body: RedeliverBody,
      answers: { 202: Count },
      examples: eventExamples(deps.schemas).redeliverEvent,
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params, body }) => {
      const id = eventIdOf(params);
      const webhookId = body.webhook_id === undefined ? undefined : parseWebhookId(body.webhook_id);
      // `hasMore` is not needed: an event has at most 100 webhooks, fewer than one redelivery takes.
      const { count } = await redeliverEvent(tx, id, webhookId);
      return { answer: accepted({ count }), auditedId: id, before: undefined };
    },
  );
}

function parseWebhookId(text: string): WebhookId {
  const id = parseId('wh', text);
  if (id === undefined) throw unknownWebhook();
  return id;
}

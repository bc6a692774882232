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
import { type RecordedAttempt, listAttempts } from '../store/attempts.ts';
import { findEvent, listEvents } from '../store/events.ts';
import {
  listWebhookDeliveries,
  listWebhookDeliveriesOfAll,
  type WebhookDelivery,
} from '../store/webhook-deliveries.ts';
import {
  eventListQuery,
  EventPage,
  EventPath,
  EventWithAttempts,
  RedeliverBody,
} from './event-schemas.ts';
import { Count } from './webhook-schemas.ts';

export type EventDeps = MutationDeps & {
  readonly environment: Environment;
  /** Of the events that are stored. */
  readonly eventTypes: ReadonlySet<string>;
};

export function eventRoutes(server: Server, deps: EventDeps): void {
  listRoute(server, deps);
  getRoute(server, deps);
  redeliverRoute(server, deps);
}

function listRoute(server: Server, { db, keyring, environment, eventTypes }: EventDeps): void {
  read(
    server,
    db,
    {
      id: 'listEvents',
      tag: 'Events',
      summary: 'List events',
      description:
        'Newest first; with `after`, oldest first from there. Each with the webhooks it is sent to. Kept for 30 days.',
      method: 'GET',
      path: '/v1/events',
      scope: 'events:read',
      query: eventListQuery([...eventTypes]),
      answers: { 200: EventPage },
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

const presentWebhookDelivery = ({
  webhookId,
  status,
  attempts,
  nextAttemptAt,
}: WebhookDelivery) => ({
  webhook_id: webhookId,
  delivery_status: status,
  attempts,
  next_attempt_at: nextAttemptAt?.toISOString() ?? null,
});

const presentAttempt = (attempt: RecordedAttempt) => ({
  id: attempt.id,
  webhook_id: attempt.webhookId,
  number: attempt.earlierAttempts + attempt.number,
  redelivery: attempt.redeliveries > 0,
  status_code: attempt.statusCode,
  failure: attempt.failure,
  response: attempt.response,
  duration_ms: attempt.durationMs,
  next_retry_at: attempt.retryAt?.toISOString() ?? null,
  created_at: attempt.createdAt.toISOString(),
});

function getRoute(server: Server, { db, environment }: EventDeps): void {
  read(
    server,
    db,
    {
      id: 'getEvent',
      tag: 'Events',
      summary: 'Get an event',
      description: 'With the webhooks it is sent to, and every attempt.',
      method: 'GET',
      path: '/v1/events/:event_id',
      scope: 'events:read',
      params: EventPath,
      answers: { 200: EventWithAttempts },
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
      tag: 'Events',
      summary: 'Send an event again',
      description:
        'Sends the event again to every webhook it was sent to, even if it received the event or waits for a retry; or, with `webhook_id`, to that webhook alone, subscribed or not. Webhooks that are not verified are left out. Each gets up to six more attempts, the first at once; they are numbered on from those before.',
      method: 'POST',
      path: '/v1/events/:event_id/redeliver',
      scope: 'webhooks:write',
      params: EventPath,
      body: RedeliverBody,
      answers: { 202: Count },
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params, body }) => {
      const id = eventIdOf(params);
      const webhookId = body.webhook_id === undefined ? undefined : parseWebhookId(body.webhook_id);
      // `hasMore` is not needed: an event has at most 100 webhooks, fewer than one redelivery takes.
      const { count } = await redeliverEvent(tx, id, webhookId);
      return { answer: accepted({ count }), auditedId: id };
    },
  );
}

function parseWebhookId(text: string): WebhookId {
  const id = parseId('wh', text);
  if (id === undefined) throw unknownWebhook();
  return id;
}

/** The event history (spec §6, contract §4, §6). */

import { Type } from 'typebox';
import type { Environment } from '../../kernel/environment.ts';
import { parseId } from '../../kernel/ids.ts';
import { accepted, resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import {
  closed,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Reference,
  Timestamp,
} from '../../platform/http/schema.ts';
import { eventNotFound, redeliverEvent, unknownWebhook } from '../commands/redeliver.ts';
import { webhookDeliveryStatuses, type EventId } from '../domain/attempt.ts';
import { presentEvent } from '../domain/event.ts';
import type { WebhookId } from '../domain/webhook.ts';
import { type RecordedAttempt, listAttempts } from '../store/attempts.ts';
import { findEvent, listEvents } from '../store/events.ts';
import { type WebhookDelivery, listWebhookDeliveries } from '../store/webhook-deliveries.ts';
import { Count } from './webhook-schemas.ts';

const sequenceMax = Number.MAX_SAFE_INTEGER;

const envelope = {
  id: IdOf('evt'),
  type: Type.String({ examples: ['release.created'] }),
  created_at: Timestamp('When it happened.'),
  api_version: Type.Literal('v1'),
  environment: Type.Union([Type.Literal('live'), Type.Literal('sandbox')]),
  sequence: Type.Integer({ description: 'Per organization, without gaps; 0 for a ping.' }),
  data: Type.Object({}, { additionalProperties: true, description: 'By type: /v1/event_types.' }),
};

const EventBody = Type.Object(envelope, { title: 'Event', ...closed });

const AttemptBody = Type.Object(
  {
    id: IdOf('att'),
    webhook_id: IdOf('wh'),
    number: Type.Integer({ description: '1 is the first, 6 the last.' }),
    status_code: Nullable(Type.Integer({ description: 'null: the receiver did not answer.' })),
    failure: Nullable(Type.String({ description: 'Why there is no status code.' })),
    response: Nullable(Type.String({ description: 'The first 4 KiB of the body of the answer.' })),
    duration_ms: Type.Integer(),
    next_retry_at: Nullable(Timestamp('When the next attempt is due.')),
    created_at: Timestamp('When the attempt ended.'),
  },
  { title: 'WebhookAttempt', ...closed },
);

const EventWithAttempts = Type.Object(
  {
    ...envelope,
    webhooks: Type.Array(
      Type.Object(
        {
          webhook_id: IdOf('wh'),
          delivery_status: OneOf(webhookDeliveryStatuses),
          attempts: Type.Integer({
            description: 'Made since the event was created, or since the last redelivery.',
          }),
          next_attempt_at: Nullable(Timestamp('When the next is due.')),
        },
        { title: 'EventWebhook', ...closed },
      ),
      { description: 'The webhooks that this event is sent to.' },
    ),
    attempts: Type.Array(AttemptBody, {
      description: 'Every attempt, oldest first; the last 1,000 if there are more.',
    }),
  },
  { title: 'EventWithAttempts', ...closed },
);

const EventListQuery = Type.Object(
  {
    delivery_status: Type.Optional(
      OneOf(webhookDeliveryStatuses, {
        description:
          '`pending`: an attempt is due. `delivered`: every subscribed webhook answered 2xx. `undelivered`: retries are exhausted for at least one, or it is disabled.',
      }),
    ),
    type: Type.Optional(Type.String({ pattern: '^[a-z_.]{1,64}$', examples: ['release.created'] })),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: sequenceMax,
        description: 'Only events with a greater sequence, oldest first. Use it to catch up.',
      }),
    ),
    ...pageQuery,
  },
  { additionalProperties: false },
);

export type EventDeps = MutationDeps & { readonly environment: Environment };

export function eventRoutes(server: Server, deps: EventDeps): void {
  listRoute(server, deps);
  getRoute(server, deps);
  redeliverRoute(server, deps);
}

function listRoute(server: Server, { db, keyring, environment }: EventDeps): void {
  read(
    server,
    db,
    {
      id: 'listEvents',
      tag: 'Events',
      summary: 'List events',
      description: 'Newest first; with `after`, oldest first from there. Kept for 30 days.',
      method: 'GET',
      path: '/v1/events',
      scope: 'events:read',
      query: EventListQuery,
      answers: { 200: PageOf('EventPage', EventBody) },
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'events', query);
      const { type, after, delivery_status: deliveryStatus } = query;
      const filters = { type, after, deliveryStatus };
      const page = await ask((tenant) => listEvents(tenant, orgId, filters, list.page));
      return list.answer(page, (event) => presentEvent(environment, event));
    },
  );
}

const EventPath = Type.Object({ event_id: IdOf('evt') });

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
  number: attempt.number,
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

const RedeliverBody = Type.Object(
  {
    webhook_id: Type.Optional(
      Reference(
        'wh',
        'Only to this webhook. When omitted: to every webhook that the event was sent to before.',
      ),
    ),
  },
  { ...closed, title: 'RedeliverEvent' },
);

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
        'Sends the event again to every webhook it was sent to, even if it received the event or waits for a retry; or, with `webhook_id`, to that webhook alone, subscribed or not. Webhooks that are not verified are left out. Each gets up to six attempts.',
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

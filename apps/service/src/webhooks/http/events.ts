/** The event history (spec §6, contract §4, §6). */
import { Type } from 'typebox';
import { openList } from '../../platform/http/cursor.ts';
import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import type { MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { IdOf, PageOf, pageQuery, Timestamp } from '../../platform/http/schema.ts';
import { listEvents, type StoredEvent } from '../store/events.ts';

const sequenceMax = Number.MAX_SAFE_INTEGER;

const EventBody = Type.Object(
  {
    id: IdOf('evt'),
    type: Type.String({ examples: ['release.created'] }),
    created_at: Timestamp('When it happened.'),
    api_version: Type.Literal('v1'),
    environment: Type.Union([Type.Literal('live'), Type.Literal('sandbox')]),
    sequence: Type.Integer({ description: 'Per organization, without gaps.' }),
    data: Type.Object({}, { additionalProperties: true, description: 'By type: /v1/event_types.' }),
  },
  { title: 'Event', additionalProperties: false },
);

const EventListQuery = Type.Object(
  {
    type: Type.Optional(Type.String({ pattern: '^[a-z_.]{1,64}$', examples: ['release.created'] })),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: sequenceMax,
        description: 'Only events with a greater sequence, oldest first: how to catch up.',
      }),
    ),
    ...pageQuery,
  },
  { additionalProperties: false },
);

export type EventDeps = MutationDeps & { readonly environment: 'live' | 'sandbox' };

export function eventRoutes(server: Server, { db, keyring, environment }: EventDeps): void {
  const present = (event: StoredEvent) => ({
    id: event.id,
    type: event.type,
    created_at: event.createdAt.toISOString(),
    api_version: 'v1',
    environment,
    sequence: event.sequence,
    data: event.data,
  });
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
      const { type, after } = query;
      const page = await ask((tenant) => listEvents(tenant, orgId, { type, after }, list.page));
      return ok(list.present(page, present));
    },
  );
}

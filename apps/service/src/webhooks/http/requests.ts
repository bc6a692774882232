/**
 * The requests of an organization, with the events they caused and the attempts to send those (contract §4). The rows
 * are identity's; this slice adds the events, which identity may not import.
 */

import { findRequest, listRequests, type StatusFilter } from '../../identity/face.ts';
import { parseId, type RequestId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { read } from '../../platform/http/read.ts';
import { listAttemptsOfAll } from '../store/attempts.ts';
import { listEventsOfRequest } from '../store/events.ts';
import { listWebhookDeliveriesOfAll } from '../store/webhook-deliveries.ts';
import { presentAttempt, presentWebhookDelivery } from './event-answers.ts';
import { requestExamples } from './request-examples.ts';
import {
  presentRequest,
  presentSummary,
  RequestBody,
  RequestListQuery,
  RequestPage,
  RequestPath,
} from './request-schemas.ts';

export type RequestDeps = { readonly db: Database; readonly keyring: Keyring };

export function requestRoutes(server: Server, deps: RequestDeps): void {
  listRoute(server, deps);
  getRoute(server, deps);
}

const kept =
  'Requests with a valid credential, accepted or refused, appear within a second and are kept for 30 days.';

function listRoute(server: Server, { db, keyring }: RequestDeps): void {
  read(
    server,
    db,
    {
      id: 'listRequests',
      tag: 'Requests',
      summary: 'List requests',
      description: `Returns a page of your requests, newest first. ${kept} With a filter other than \`since\` and \`until\`, a page searches at most 5,000 requests, so it can have fewer items than its limit, or none: check \`has_more\`.`,
      method: 'GET',
      path: '/v1/requests',
      scope: 'requests:read',
      query: RequestListQuery,
      answers: { 200: RequestPage },
      examples: requestExamples.listRequests,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'requests', query);
      const { status, code, method, path, actor, since, until } = query;
      const filters = {
        status: status === undefined ? undefined : toStatusFilter(status),
        code,
        method,
        path,
        actorId: actor,
        since: toDate(since),
        until: toDate(until),
      };
      const page = await ask((tenant) => listRequests(tenant, orgId, filters, list.page));
      return list.answer(page, presentSummary);
    },
  );
}

/** Not before 1970, where the times of ids begin. */
function toDate(text: string | undefined): Date | undefined {
  const date = parseTimestamp(text ?? '');
  return date && new Date(Math.max(0, date.getTime()));
}

/** `422`, or `4xx`: 400 to 499. */
const toStatusFilter = (text: string): StatusFilter => ({
  from: Number(text.replace('xx', '00')),
  to: Number(text.replace('xx', '99')),
});

const eventsMax = 100;

function getRoute(server: Server, { db }: RequestDeps): void {
  read(
    server,
    db,
    {
      id: 'getRequest',
      tag: 'Requests',
      summary: 'Get a request',
      description: `Returns a request and its answer without secrets, the events that it caused, and every attempt to send them to your webhooks. ${kept}`,
      method: 'GET',
      path: '/v1/requests/:request_id',
      scope: 'requests:read',
      params: RequestPath,
      answers: { 200: RequestBody },
      examples: requestExamples.getRequest,
      problems: ['resource_not_found'],
    },
    async (_ask, { caller: { orgId, actor }, params }) => {
      const id = requestIdIn(params);
      const { entry, events, deliveries, attempts } = await db.readTogether(
        orgId,
        async (tenant) => {
          const found = await findRequest(tenant, orgId, id);
          if (found === undefined) throw requestNotFound();
          const caused = await listEventsOfRequest(tenant, orgId, found, eventsMax + 1);
          const ids = caused.slice(0, eventsMax).map((event) => event.id);
          const [ofWebhooks, made] = await Promise.all([
            listWebhookDeliveriesOfAll(tenant, orgId, ids),
            listAttemptsOfAll(tenant, orgId, ids),
          ]);
          return { entry: found, events: caused, deliveries: ofWebhooks, attempts: made };
        },
      );
      return resource({
        ...presentRequest(entry, actor),
        events: events.slice(0, eventsMax).map((event) => ({
          id: event.id,
          type: event.type,
          created_at: event.createdAt.toISOString(),
          sequence: event.sequence,
          webhooks: (deliveries.get(event.id) ?? []).map(presentWebhookDelivery),
          attempts: (attempts.get(event.id) ?? []).map(presentAttempt),
        })),
        events_have_more: events.length > eventsMax,
      });
    },
  );
}

function requestIdIn(params: { readonly request_id: string }): RequestId {
  const id = parseId('req', params.request_id);
  if (id === undefined) throw requestNotFound();
  return id;
}

const requestNotFound = () =>
  new Problem(
    'resource_not_found',
    'No request of your organization has this id. Requests with a valid credential appear within a second and are kept for 30 days.',
  );

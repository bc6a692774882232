/** What the service says about itself, to anybody: its event types and its error codes (contract §4). */
import { Type } from 'typebox';
import { problems } from '../kernel/problem.ts';
import { ok } from '../platform/http/answer.ts';
import type { Server } from '../platform/http/fastify-types.ts';
import { publicRead } from '../platform/http/public.ts';
import { eventTypes } from './event-catalogue.ts';

const list = (title: string, item: Parameters<typeof Type.Object>[0]) =>
  Type.Object({ data: Type.Array(Type.Object(item)) }, { title });

export function referenceRoutes(server: Server): void {
  publicRead(
    server,
    {
      id: 'listEventTypes',
      tag: 'Reference',
      summary: 'List event types',
      description: 'Each with the JSON Schema of its data.',
      method: 'GET',
      path: '/v1/event_types',
      scope: 'public',
      answers: {
        200: list('EventTypeList', {
          type: Type.String(),
          description: Type.String(),
          schema: Type.Object({}, { additionalProperties: true }),
        }),
      },
      problems: [],
    },
    () =>
      ok({
        data: eventTypes.map(({ type, description, data }) => ({
          type,
          description,
          schema: data,
        })),
      }),
  );
  publicRead(
    server,
    {
      id: 'listErrorCodes',
      tag: 'Reference',
      summary: 'List error codes',
      description: 'Each with its status, its cause and its cure.',
      method: 'GET',
      path: '/v1/error_codes',
      scope: 'public',
      answers: {
        200: list('ErrorCodeList', {
          code: Type.String(),
          status: Type.Integer(),
          cause: Type.String(),
          cure: Type.String(),
        }),
      },
      problems: [],
    },
    () =>
      ok({
        data: Object.entries(problems).map(([code, { status, cause, cure }]) => ({
          code,
          status,
          cause,
          cure,
        })),
      }),
  );
}

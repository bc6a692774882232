/** Public reference: event types, error codes and the changelog (contract §4). */

import { Type } from 'typebox';
import { problems } from '../kernel/problem.ts';
import { ok } from '../platform/http/answer.ts';
import type { Server } from '../platform/http/fastify-types.ts';
import { publicRead } from '../platform/http/public.ts';
import { changelog, presentEntry } from '../webhooks/domain/changelog.ts';
import { ChangelogBody } from '../webhooks/http/changelog-schema.ts';
import { eventTypes, pingType } from './event-catalogue.ts';
import { exampleOf } from './example-of.ts';

const list = (title: string, item: Parameters<typeof Type.Object>[0]) =>
  Type.Object({ data: Type.Array(Type.Object(item)) }, { title });

export function referenceRoutes(server: Server): void {
  publicRead(
    server,
    {
      id: 'listEventTypes',
      tag: 'Reference',
      summary: 'List event types',
      description: 'Each with the JSON Schema of its data, and an example.',
      method: 'GET',
      path: '/v1/event_types',
      scope: 'public',
      answers: {
        200: list('EventTypeList', {
          type: Type.String(),
          description: Type.String(),
          schema: Type.Object({}, { additionalProperties: true }),
          example: Type.Object({}, { additionalProperties: true }),
        }),
      },
      problems: [],
    },
    () =>
      ok({
        data: [pingType, ...eventTypes].map(({ type, description, data }) => ({
          type,
          description,
          schema: data,
          example: exampleOf(data),
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
  publicRead(
    server,
    {
      id: 'listChangelog',
      tag: 'Reference',
      summary: 'Read the changelog',
      description: 'Every entry, the newest first. What is deprecated says when it stops working.',
      method: 'GET',
      path: '/v1/changelog',
      scope: 'public',
      answers: { 200: Type.Object({ data: Type.Array(ChangelogBody) }, { title: 'Changelog' }) },
      problems: [],
    },
    () => ok({ data: changelog.map(presentEntry).toReversed() }),
  );
}

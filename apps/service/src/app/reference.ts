/** Public reference: event types, error codes and the changelog (contract §4). */

import { Type } from 'typebox';
import type { Clock } from '../kernel/clock.ts';
import { datedExample } from '../kernel/example-story.ts';
import { problems } from '../kernel/problem.ts';
import { ok } from '../platform/http/answer.ts';
import type { Server } from '../platform/http/fastify-types.ts';
import { ownCacheControl } from '../platform/http/guides.ts';
import { SentEventTypeName } from '../platform/http/named-enums.ts';
import { wholeSchema } from '../platform/http/openapi-components.ts';
import { publicRead } from '../platform/http/public.ts';
import { ErrorCode } from '../platform/http/schema.ts';
import { changelog, presentEntry } from '../webhooks/domain/changelog.ts';
import { ChangelogBody } from '../webhooks/http/changelog-schema.ts';
import { receivedTypes } from './event-catalogue.ts';
import { referenceExamples } from './reference-examples.ts';

const list = (title: string, description: string, item: Parameters<typeof Type.Object>[0]) =>
  Type.Object({ data: Type.Array(Type.Object(item), { description }) }, { title });

const shownTypes = receivedTypes.map(({ type, description, data, example }) => ({
  type,
  description,
  schema: wholeSchema(data),
  example,
}));

export function referenceRoutes(server: Server, { now }: Clock): void {
  publicRead(
    server,
    {
      id: 'listEventTypes',
      tag: 'Reference',
      summary: 'List event types',
      description: 'Returns every event type with the JSON Schema of its `data` and an example.',
      method: 'GET',
      path: '/v1/event_types',
      scope: 'public',
      answers: {
        200: list('EventTypeList', 'What a webhook can receive: the ping and every event type.', {
          type: SentEventTypeName,
          description: Type.String({ description: 'When an event of this type is sent.' }),
          schema: Type.Object(
            {},
            { additionalProperties: true, description: 'The JSON Schema of `data` of the event.' },
          ),
          example: Type.Object(
            {},
            { additionalProperties: true, description: 'An example of `data` of the event.' },
          ),
        }),
      },
      examples: referenceExamples.listEventTypes,
      problems: [],
    },
    () =>
      ok({
        data: shownTypes.map((shown) => ({
          ...shown,
          example: datedExample(shown.example, now()),
        })),
      }),
  );
  publicRead(
    server,
    {
      id: 'listErrorCodes',
      tag: 'Reference',
      summary: 'List error codes',
      description:
        'Returns every error code with its HTTP status, its cause and how to correct it.',
      method: 'GET',
      path: '/v1/error_codes',
      scope: 'public',
      answers: {
        200: list('ErrorCodeList', 'Every error code.', {
          code: ErrorCode,
          status: Type.Integer({ description: 'The HTTP status of answers with this code.' }),
          cause: Type.String({ description: 'What causes the error.' }),
          cure: Type.String({ description: 'What to do about it.' }),
        }),
      },
      examples: referenceExamples.listErrorCodes,
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
      description:
        'Returns every entry of the changelog, newest first. A deprecated feature has the date on which it stops working.',
      method: 'GET',
      path: '/v1/changelog',
      scope: 'public',
      answers: {
        200: Type.Object(
          {
            data: Type.Array(ChangelogBody, {
              description: 'Every entry of the changelog, newest first.',
            }),
          },
          { title: 'ChangelogEntryList' },
        ),
      },
      examples: referenceExamples.listChangelog,
      problems: [],
    },
    (request) => {
      const origin = server.publicOriginOf(request);
      const data = changelog.map((entry) => presentEntry(entry, origin)).toReversed();
      return { ...ok({ data }), headers: { 'cache-control': ownCacheControl } };
    },
  );
}

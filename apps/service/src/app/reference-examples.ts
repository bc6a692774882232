/** Examples of the public lists: an entry of each. */

import { exampleOrigin } from '../kernel/example-story.ts';
import { problems } from '../kernel/problem.ts';
import { wholeSchema } from '../platform/http/openapi-components.ts';
import type { OperationExamples } from '../platform/http/operation.ts';
import { changelog, presentEntry } from '../webhooks/domain/changelog.ts';
import { pingType } from './event-catalogue.ts';

const { status, cause, cure } = problems.resource_not_found;

export const referenceExamples = {
  listEventTypes: {
    answer: {
      data: [
        {
          type: pingType.type,
          description: pingType.description,
          schema: wholeSchema(pingType.data),
          example: pingType.example,
        },
      ],
    },
  },
  listErrorCodes: { answer: { data: [{ code: 'resource_not_found', status, cause, cure }] } },
  listChangelog: {
    answer: { data: changelog.slice(0, 1).map((entry) => presentEntry(entry, exampleOrigin)) },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

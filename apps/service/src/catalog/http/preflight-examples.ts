/** Preflight of the release of the story (`kernel/example-story.ts`), when its title was still in capitals. */

import { exampleIds, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import { completeReleaseExample } from './release-examples.ts';

export const preflightExamples = {
  validateRelease: {
    body: {},
    answer: {
      release_id: exampleIds.rel,
      revision: 4,
      rules_version: '2026-11-17',
      findings: [
        {
          id: 'title_casing:release:title',
          rule: 'title_casing',
          severity: 'warning',
          applies_to: 'all',
          pointer: '/title',
          message: 'The title is written in capitals only.',
          measured: 'NIGHT DRIVE',
          limit: 'title case',
          unit: null,
          source: 'modeled on the style guides of distributors',
          prevents: 'release_violates_terms_of_service',
          patch: [{ op: 'replace', path: '/title', value: 'Night Drive' }],
        },
      ],
      stores: [
        {
          store_id: 'aurora',
          errors: 0,
          warnings: 1,
          latest_safe_submit_at: exampleTime(60, '23:59:59.999'),
        },
        {
          store_id: 'beatlane',
          errors: 0,
          warnings: 1,
          latest_safe_submit_at: exampleTime(58, '23:59:59.999'),
        },
      ],
    },
  },
  applyFixes: {
    body: { finding_ids: ['title_casing:release:title'] },
    answer: {
      ...completeReleaseExample,
      revision: 5,
      updated_at: exampleTime(-5, '12:00:00.000'),
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

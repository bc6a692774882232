/** Examples of the public lists of the catalog: the first entries of each. */

import type { OperationExamples } from '../../platform/http/operation.ts';

export const catalogReferenceExamples = {
  listContributorRoles: {
    answer: {
      data: [
        { role: 'vocalist', name: 'Vocalist', group: 'performer', ddex_role: 'Vocalist' },
        { role: 'composer', name: 'Composer', group: 'writer', ddex_role: 'Composer' },
      ],
      instruments: [
        {
          instrument: 'electric_guitar',
          name: 'Electric Guitar',
          ddex_instrument: 'ElectricGuitar',
        },
      ],
    },
  },
  listGenres: {
    answer: {
      data: [
        {
          genre: 'Electronic',
          subgenres: ['Ambient', 'Synthwave'],
          stores: [
            { store_id: 'aurora', genre: 'Electronic' },
            { store_id: 'beatlane', genre: 'electronic' },
          ],
        },
      ],
    },
  },
  listPreflightRules: {
    answer: {
      rules_version: '2026-11-17',
      data: [
        {
          id: 'title_casing',
          severity: { base: 'warning', a: 'warning', b: 'warning' },
          scope: ['release', 'track'],
          fields: ['title', 'version'],
          description: 'A title must not be written in capitals only.',
          unit: null,
          source: 'modeled on the style guides of distributors',
          prevents: 'release_violates_terms_of_service',
        },
      ],
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

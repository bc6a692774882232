/** The artist and the labels of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import {
  exampleIds,
  examplePage,
  exampleTime,
  otherArtistExampleId,
} from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { ArtistBody } from './artist-schemas.ts';
import type { LabelBody } from './label-schemas.ts';

const artistExample: Static<typeof ArtistBody> = {
  id: exampleIds.art,
  reference: 'A-17',
  metadata: {},
  name: 'Aurora Díaz',
  isni: '0000000121032683',
  ipi: null,
  localized_names: {},
  store_profiles: { aurora: 'new', beatlane: 'new' },
  merged_into: null,
  created_at: exampleTime(-5, '09:10:00.000'),
  updated_at: exampleTime(-5, '09:10:00.000'),
};

export const artistExamples = {
  createArtist: {
    body: {
      name: 'Aurora Díaz',
      reference: 'A-17',
      isni: '0000000121032683',
      store_profiles: { aurora: 'new', beatlane: 'new' },
    },
    answer: artistExample,
  },
  listArtists: { query: { name: 'Aurora Díaz' }, answer: examplePage(artistExample) },
  getArtist: { answer: artistExample },
  /** The store made a page for the artist. */
  updateArtist: {
    body: { store_profiles: { aurora: 'ar-20417', beatlane: 'new' } },
    answer: {
      ...artistExample,
      store_profiles: { aurora: 'ar-20417', beatlane: 'new' },
      updated_at: exampleTime(-3, '17:00:00.000'),
    },
  },
  mergeArtist: {
    body: { into: otherArtistExampleId },
    answer: {
      ...artistExample,
      id: otherArtistExampleId,
      reference: null,
      name: 'Aurora Diaz',
      updated_at: exampleTime(-5, '09:20:00.000'),
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

const labelExample: Static<typeof LabelBody> = {
  id: exampleIds.lbl,
  reference: 'L-2',
  metadata: {},
  name: 'Northern Lights Club',
  p_line_owner: 'Northern Lights',
  c_line_owner: 'Northern Lights',
  default_territories: ['WORLD'],
  is_default: false,
  created_at: exampleTime(-30),
  updated_at: exampleTime(-30),
};

const defaultLabelExample: Static<typeof LabelBody> = {
  ...labelExample,
  reference: null,
  name: 'Northern Lights',
  p_line_owner: null,
  c_line_owner: null,
  default_territories: null,
  is_default: true,
  created_at: exampleTime(-76, '08:00:00.000'),
  updated_at: exampleTime(-76, '08:00:00.000'),
};

export const labelExamples = {
  createLabel: {
    body: {
      name: 'Northern Lights Club',
      reference: 'L-2',
      p_line_owner: 'Northern Lights',
      c_line_owner: 'Northern Lights',
      default_territories: ['WORLD'],
    },
    answer: labelExample,
  },
  listLabels: { query: { name: 'Northern Lights' }, answer: examplePage(defaultLabelExample) },
  getLabel: { answer: defaultLabelExample },
  updateLabel: {
    body: { c_line_owner: 'Northern Lights ApS' },
    answer: {
      ...labelExample,
      c_line_owner: 'Northern Lights ApS',
      updated_at: exampleTime(-5, '09:00:00.000'),
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

/** The release of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import {
  artworkExampleId,
  exampleDay,
  exampleIds,
  examplePage,
  exampleTime,
  exampleYear,
} from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { CreateReleaseRequest, ReleaseBody, SubmissionBody } from './release-schemas.ts';

const releasedIn = 60;
/** Moved by a week when the cover was late. */
const releasedAfterAll = 67;
const line = `${exampleYear(releasedIn)} Northern Lights`;

const createReleaseExample: CreateReleaseRequest = {
  title: 'Night Drive',
  artists: [
    {
      artist_id: exampleIds.art,
      role: 'main',
      store_profiles: { aurora: 'new', beatlane: 'new' },
    },
  ],
  release_date: exampleDay(releasedIn),
  reference: 'NL-0042',
  type: 'single',
  genre: 'Electronic',
  subgenre: 'Synthwave',
  language: 'en',
  p_line: line,
  c_line: line,
  catalog_number: 'NL042',
  explicit: 'none',
  ai_use: { artwork: 'none' },
  metadata: { campaign: 'winter' },
};

/** As it was created. */
export const draftReleaseExample: Static<typeof ReleaseBody> = {
  id: exampleIds.rel,
  reference: 'NL-0042',
  metadata: { campaign: 'winter' },
  title: 'Night Drive',
  version: null,
  artists: [
    {
      artist_id: exampleIds.art,
      name: 'Aurora Díaz',
      role: 'main',
      store_profiles: { aurora: 'new', beatlane: 'new' },
    },
  ],
  release_date: exampleDay(releasedIn),
  release_at: null,
  pre_order_date: null,
  original_release_date: null,
  label: 'Northern Lights',
  label_id: exampleIds.lbl,
  metadata_language: 'en',
  upc: '860001000009',
  territories: ['WORLD'],
  excluded_territories: null,
  use_types: null,
  status: 'draft',
  genre: 'Electronic',
  language: 'en',
  p_line: line,
  explicit: 'none',
  type: 'single',
  c_line: line,
  catalog_number: 'NL042',
  ai_use: { artwork: 'none' },
  ean: null,
  price_tier: null,
  localized_titles: null,
  subgenre: 'Synthwave',
  artwork_asset_id: null,
  track_count: 0,
  submission: null,
  revision: 1,
  created_at: exampleTime(-5),
  updated_at: exampleTime(-5),
};

const submissionExample: Static<typeof SubmissionBody> = {
  submission_id: exampleIds.sub,
  release_id: exampleIds.rel,
  revision: 3,
  submitted_at: exampleTime(-4, '08:00:00.000'),
  review_status: 'pending',
  findings: [],
};

const actor = { type: 'api_key', id: exampleIds.key };

/** With its artwork and two tracks. */
export const completeReleaseExample: Static<typeof ReleaseBody> = {
  ...draftReleaseExample,
  release_date: exampleDay(releasedAfterAll),
  artwork_asset_id: artworkExampleId,
  track_count: 2,
  revision: 3,
  updated_at: exampleTime(-5, '10:30:00.000'),
};

export const submittedReleaseExample: Static<typeof ReleaseBody> = {
  ...completeReleaseExample,
  status: 'submitted',
  submission: submissionExample,
  updated_at: exampleTime(-4, '08:00:00.000'),
};

const deliveredReleaseExample: Static<typeof ReleaseBody> = {
  ...submittedReleaseExample,
  status: 'delivered',
  submission: { ...submissionExample, review_status: 'approved' },
  updated_at: exampleTime(-3, '16:20:00.000'),
};

export const releaseExamples = {
  createRelease: { body: createReleaseExample, answer: draftReleaseExample },
  listReleases: { query: { status: 'delivered' }, answer: examplePage(deliveredReleaseExample) },
  getRelease: { answer: deliveredReleaseExample },
  updateRelease: {
    body: { artwork_asset_id: artworkExampleId, release_date: exampleDay(releasedAfterAll) },
    answer: completeReleaseExample,
  },
  listReleaseRevisions: {
    answer: examplePage(
      {
        release_id: exampleIds.rel,
        revision: 3,
        changed_fields: ['release_date', 'artwork_asset_id'],
        actor,
        created_at: exampleTime(-5, '10:30:00.000'),
      },
      {
        release_id: exampleIds.rel,
        revision: 2,
        changed_fields: ['tracks'],
        actor,
        created_at: exampleTime(-5, '10:00:00.000'),
      },
      {
        release_id: exampleIds.rel,
        revision: 1,
        changed_fields: [],
        actor,
        created_at: exampleTime(-5),
      },
    ),
  },
  getReleaseRevision: {
    answer: {
      release_id: exampleIds.rel,
      revision: 1,
      changed_fields: [],
      actor,
      created_at: exampleTime(-5),
      release: draftReleaseExample,
    },
  },
  submitRelease: { body: {}, answer: submissionExample },
} satisfies Readonly<Record<string, OperationExamples>>;

/** The tracks of the story that examples tell (`kernel/example-story.ts`): a song and its instrumental. */

import type { Static } from 'typebox';
import {
  exampleIds,
  examplePage,
  exampleTime,
  otherAudioExampleId,
  otherTrackExampleId,
} from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { TrackBody } from './track-schemas.ts';

type TrackExample = Static<typeof TrackBody>;

const aiUse = { recording: 'none', composition: 'none' } as const;

const createSong = {
  release_id: exampleIds.rel,
  title: 'Night Drive',
  isrc: 'QZ-NLR-26-00001',
  audio_asset_id: exampleIds.ast,
  contributors: [
    { artist_id: exampleIds.art, roles: ['vocalist', 'composer', 'lyricist'] },
    { name: 'Mette Krogh', roles: ['producer', 'mixing_engineer'] },
  ],
  explicit: 'none',
  lyrics_language: 'en',
  composition: 'original',
  ai_use: aiUse,
};

const createInstrumental = {
  release_id: exampleIds.rel,
  title: 'Night Drive',
  version: 'Instrumental',
  isrc: 'QZ-NLR-26-00002',
  audio_asset_id: otherAudioExampleId,
  contributors: [
    {
      artist_id: exampleIds.art,
      roles: ['musician', 'composer'],
      instruments: ['electric_guitar'],
    },
    { name: 'Mette Krogh', roles: ['producer', 'mixing_engineer'] },
  ],
  explicit: 'none',
  language: 'zxx',
  composition: 'original',
  ai_use: aiUse,
};

const songExample: TrackExample = {
  id: exampleIds.trk,
  reference: null,
  metadata: {},
  release_id: exampleIds.rel,
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
  contributors: [
    {
      artist_id: exampleIds.art,
      name: 'Aurora Díaz',
      roles: ['vocalist', 'composer', 'lyricist'],
    },
    { name: 'Mette Krogh', roles: ['producer', 'mixing_engineer'] },
  ],
  isrc: 'QZ-NLR-26-00001',
  audio_asset_id: exampleIds.ast,
  territory: ['WORLD'],
  excluded_territories: null,
  use_types: null,
  disc: 1,
  position: 1,
  duration_ms: 210_000,
  preview_start_ms: null,
  genre: null,
  language: null,
  p_line: null,
  explicit: 'none',
  ai_use: aiUse,
  original_release_date: null,
  iswc: null,
  recording_country: null,
  composition: 'original',
  samples: null,
  mechanical_licence: null,
  lyrics_language: 'en',
  ugc_policy: null,
  localized_titles: null,
  instant_gratification: null,
  subgenre: null,
  created_at: exampleTime(-5, '10:00:00.000'),
  updated_at: exampleTime(-5, '10:00:00.000'),
};

const instrumentalExample: TrackExample = {
  ...songExample,
  id: otherTrackExampleId,
  version: 'Instrumental',
  contributors: [
    {
      artist_id: exampleIds.art,
      name: 'Aurora Díaz',
      roles: ['musician', 'composer'],
      instruments: ['electric_guitar'],
    },
    { name: 'Mette Krogh', roles: ['producer', 'mixing_engineer'] },
  ],
  isrc: 'QZ-NLR-26-00002',
  audio_asset_id: otherAudioExampleId,
  position: 2,
  language: 'zxx',
  lyrics_language: null,
};

const previewed = (track: TrackExample, preview_start_ms: number): TrackExample => ({
  ...track,
  preview_start_ms,
  updated_at: exampleTime(-5, '11:15:00.000'),
});

export const trackExamples = {
  createTrack: { body: createSong, answer: songExample },
  listTracks: {
    query: { release_id: exampleIds.rel },
    answer: examplePage(instrumentalExample, songExample),
  },
  getTrack: { answer: songExample },
  updateTrack: { body: { preview_start_ms: 45_000 }, answer: previewed(songExample, 45_000) },
  listReleaseTracks: { answer: examplePage(songExample, instrumentalExample) },
  createTracks: {
    body: { tracks: [createSong, createInstrumental] },
    answer: { data: [songExample, instrumentalExample] },
  },
  updateTracks: {
    body: {
      tracks: [
        { id: exampleIds.trk, preview_start_ms: 45_000 },
        { id: otherTrackExampleId, preview_start_ms: 30_000 },
      ],
    },
    answer: { data: [previewed(songExample, 45_000), previewed(instrumentalExample, 30_000)] },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

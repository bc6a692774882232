/** The track on the wire (contract §2). */

import { type Static, Type } from 'typebox';
import { useTypes } from '../../kernel/use-type.ts';
import {
  closed,
  DateText,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Reference,
  Text,
  Timestamp,
} from '../../platform/http/schema.ts';
import {
  bulkTracksMax,
  compositions,
  discMax,
  positionMax,
  previewStartMsMax,
  sampleUses,
  ugcPolicies,
} from '../domain/track.ts';
import {
  aiUse,
  aiUseDescription,
  artistEntries,
  artists,
  exclusionList,
  inAnswers,
  inRequests,
  Language,
  localizedTitles,
  metadata,
  nameMax,
  sharedFields,
  subgenre,
  territoryList,
  title,
} from './content-schemas.ts';
import { contributorEntries, contributors } from './contributor-schemas.ts';

const isrc = Type.String({
  maxLength: 32,
  description:
    'ISO 3901, with or without hyphens. Assigned from your registrant code when omitted.',
  examples: ['QZ-ABC-26-00001'],
});
const disc = Type.Integer({ minimum: 1, maximum: discMax, default: 1 });
const position = Type.Integer({
  minimum: 1,
  maximum: positionMax,
  description: 'Unique on its disc. Behind the last one, when omitted.',
});

const territory = territoryList(
  'ISO 3166-1 alpha-2 codes, or WORLD alone. Wherever the release is, when omitted. A PATCH without excluded_territories clears those.',
);

/** Null until they are sent; a request may clear them with null. A new field takes one line here. */
const optional = {
  ...sharedFields,
  excluded_territories: exclusionList(
    'ISO 3166-1 alpha-2 codes. They narrow a territory of WORLD; for a track without territory, the territories of the release, and an answer has both.',
  ),
  use_types: Type.Array(OneOf(useTypes), {
    maxItems: useTypes.length,
    uniqueItems: true,
    description:
      'Narrow those of the release. Null: the same as the release. Empty: the track is withdrawn, sent to no store, and removed by the next update where it is live.',
    examples: [['subscription_stream']],
  }),
  preview_start_ms: Type.Integer({
    minimum: 0,
    maximum: previewStartMsMax,
    description: 'Where the preview begins, in ms; less than duration_ms.',
  }),
  ai_use: Type.Object(
    { recording: aiUse, composition: aiUse },
    { ...closed, title: 'TrackAiUse', description: aiUseDescription },
  ),
  original_release_date: DateText(
    'When the recording first came out, not later than the release_date of the release.',
    '2019-05-10',
  ),
  iswc: Type.String({
    format: 'iswc',
    description:
      'The code of the musical work (ISO 15707), with or without separators; shown as T-034.524.680-1.',
    examples: ['T-034.524.680-1'],
  }),
  recording_country: Type.String({
    format: 'territory-code',
    description: 'ISO 3166-1 alpha-2: where the recording was made.',
    examples: ['SE'],
  }),
  composition: OneOf(compositions, {
    description:
      'original: a work of your own. cover: a work that was published before, in a new recording. public_domain: a work without copyright.',
  }),
  samples: OneOf(sampleUses, {
    description:
      'none: no part of another recording. cleared: parts of other recordings, whose owners agreed.',
  }),
  mechanical_licence: Text(nameMax, {
    description:
      'For a cover: the licence to sell the work as a download. Stores refuse a cover for download in the US without it.',
    examples: ['HFA licence 123456789'],
  }),
  lyrics_language: Language(
    'The language that is sung, BCP 47; zxx for an instrumental. Null: language, of the track or of its release.',
  ),
  ugc_policy: OneOf(ugcPolicies, {
    description:
      'What stores with the use type ugc do with videos of users: monetize (advertise, and pay you), track (only count) or block. Null: each store decides. Not monetize for a track with samples, or of a work in the public domain: others may use these too.',
  }),
  localized_titles: localizedTitles,
  subgenre,
};
const optionalInRequests = {
  metadata: Type.Optional(Nullable(metadata)),
  isrc: Type.Optional(isrc),
  artists: Type.Optional(artistEntries),
  contributors: Type.Optional(contributorEntries),
  audio_asset_id: Type.Optional(
    Nullable(Reference('ast', 'An audio asset. It must be ready before the release is submitted.')),
  ),
  territory: Type.Optional(Nullable(territory)),
  disc: Type.Optional(disc),
  position: Type.Optional(position),
  ...inRequests(optional),
};

const readOnlyFields = ['id', 'duration_ms', 'created_at', 'updated_at'];

export const CreateTrackBody = Type.Object(
  { release_id: Reference('rel', 'The release it belongs to.'), title, ...optionalInRequests },
  { ...closed, title: 'CreateTrack', 'x-read-only': readOnlyFields },
);

export const BulkTracksBody = Type.Object(
  { tracks: Type.Array(CreateTrackBody, { minItems: 1, maxItems: bulkTracksMax }) },
  { ...closed, title: 'CreateTracks', 'x-read-only': readOnlyFields },
);

const patchFields = { title: Type.Optional(title), ...optionalInRequests };
const readOnlyInPatch = [...readOnlyFields, 'release_id'];

export const PatchTrackBody = Type.Object(patchFields, {
  ...closed,
  title: 'PatchTrack',
  'x-read-only': readOnlyInPatch,
});

export const BulkPatchTracksBody = Type.Object(
  {
    tracks: Type.Array(
      Type.Object(
        { id: Reference('trk', 'The track to change; each track once.'), ...patchFields },
        { ...closed, title: 'PatchTrackItem' },
      ),
      { minItems: 1, maxItems: bulkTracksMax },
    ),
  },
  { ...closed, title: 'PatchTracks', 'x-read-only': readOnlyInPatch },
);

/** Those with a place of their own in an answer, and all others. */
const { reference, version, excluded_territories, use_types, preview_start_ms, ...others } =
  inAnswers(optional);

export const TrackBody = Type.Object(
  {
    id: IdOf('trk'),
    reference,
    metadata,
    release_id: IdOf('rel'),
    title,
    version,
    artists,
    contributors,
    isrc: Type.String({ pattern: '^[A-Z]{2}-[A-Z0-9]{3}-\\d{2}-\\d{5}$' }),
    audio_asset_id: Nullable(IdOf('ast')),
    territory: Type.Array(Type.String(), {
      description: 'Those of the release, when the track has none of its own.',
    }),
    excluded_territories,
    use_types,
    disc: Type.Integer(),
    position: Type.Integer(),
    duration_ms: Nullable(Type.Integer({ description: 'Of the audio, once it is ready.' })),
    preview_start_ms,
    ...others,
    created_at: Timestamp('When the track was created.'),
    updated_at: Timestamp('When the track was last changed.'),
  },
  { ...closed, title: 'Track' },
);

export const TrackList = Type.Object(
  { data: Type.Array(TrackBody) },
  { ...closed, title: 'TrackList' },
);
export const TrackPage = PageOf('TrackPage', TrackBody);

export const TrackListQuery = Type.Object(
  {
    release_id: Type.Optional(IdOf('rel')),
    isrc: Type.Optional(
      Type.String({
        format: 'isrc',
        description: 'With or without hyphens.',
        examples: ['QZ-ABC-26-00001', 'QZABC2600001'],
      }),
    ),
    ...pageQuery,
  },
  closed,
);

export const TrackPath = Type.Object({ track_id: IdOf('trk') });

export type CreateTrackRequest = Static<typeof CreateTrackBody>;
export type PatchTrackRequest = Static<typeof PatchTrackBody>;

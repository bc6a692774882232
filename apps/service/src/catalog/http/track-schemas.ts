/** The track on the wire (contract §2). */

import { type Static, Type } from 'typebox';
import { useTypes } from '../../kernel/use-type.ts';
import { withRule } from '../../platform/http/body-rules.ts';
import { described } from '../../platform/http/named-enums.ts';
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
  Verbatim,
} from '../../platform/http/schema.ts';
import {
  bulkTracksMax,
  compositions,
  discMax,
  positionMax,
  previewStartMsMax,
  sampleUses,
  ugcPolicies,
  refuseIsrc,
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

const isrc = Verbatim(32, {
  ...withRule(refuseIsrc),
  description:
    'The ISRC (ISO 3901), with or without hyphens. If you omit it, one is assigned from your registrant code.',
  examples: ['QZ-ABC-26-00001'],
});
const disc = Type.Integer({
  minimum: 1,
  maximum: discMax,
  default: 1,
  description: 'The number of the disc. If you omit it, 1.',
});
const position = Type.Integer({
  minimum: 1,
  maximum: positionMax,
  description:
    'The number of the track on its disc. It must be unique on the disc. If you omit it, the track is added after the last one.',
});

const territory = territoryList(
  'ISO 3166-1 alpha-2 codes, or `WORLD` alone. If you omit it, the territories of the release. A PATCH without `excluded_territories` clears those.',
);

/** Null until they are sent; a request may clear them with null. A new field takes one line here. */
const optional = {
  ...sharedFields,
  excluded_territories: exclusionList(
    'ISO 3166-1 alpha-2 codes of the territories to leave out of a `territory` of `WORLD`. For a track without `territory` they are left out of the territories of the release, and an answer lists both exclusions.',
  ),
  use_types: Type.Array(OneOf(useTypes), {
    maxItems: useTypes.length,
    uniqueItems: true,
    description:
      'How stores may offer the track, within the use types of the release. `null`: the same as the release. An empty list withdraws the track: it is sent to no store, and the next update removes it where it is live.',
    examples: [['subscription_stream']],
  }),
  preview_start_ms: Type.Integer({
    minimum: 0,
    maximum: previewStartMsMax,
    description: 'Where the preview begins, in milliseconds. It must be less than `duration_ms`.',
  }),
  ai_use: described(
    Type.Object(
      { recording: aiUse('recording'), composition: aiUse('composition') },
      { ...closed, title: 'TrackAiUse', description: aiUseDescription },
    ),
    aiUseDescription,
  ),
  original_release_date: DateText(
    'The day on which the recording was first released. It must not be later than the `release_date` of the release.',
    '2019-05-10',
  ),
  iswc: Type.String({
    format: 'iswc',
    description:
      'The ISWC of the musical work (ISO 15707), with or without separators. Answers have the form `T-034.524.680-1`.',
    examples: ['T-034.524.680-1'],
  }),
  recording_country: Type.String({
    format: 'territory-code',
    description: 'The ISO 3166-1 alpha-2 code of the country where the recording was made.',
    examples: ['SE'],
  }),
  composition: OneOf(compositions, {
    description:
      '`original`: a work of your own. `cover`: a new recording of a work that was published before. `public_domain`: a work without copyright.',
  }),
  samples: OneOf(sampleUses, {
    description:
      '`none`: the recording has no part of another recording. `cleared`: it has parts of other recordings, whose owners agreed.',
  }),
  mechanical_licence: Text(nameMax, {
    description:
      'For a cover: the license to sell the work as a download. Stores refuse a cover for download in the US without it.',
    examples: ['HFA license 123456789'],
  }),
  lyrics_language: Language(
    'The BCP 47 tag of the language that is sung; `zxx` for an instrumental. `null`: `language` of the track or of its release.',
  ),
  ugc_policy: OneOf(ugcPolicies, {
    description:
      'What stores with the use type `ugc` do with videos of users: `monetize` (show ads and pay you), `track` (only count) or `block`. `null`: each store decides. `monetize` is not allowed for a track with samples, or of a work in the public domain, because others may use these too.',
  }),
  localized_titles: localizedTitles,
  subgenre,
  instant_gratification: Type.Boolean({
    description:
      'Whether buyers of a pre-order get the track at once. It has an effect only with a `pre_order_date`, at stores that take pre-orders.',
  }),
};
const optionalInRequests = {
  metadata: Type.Optional(Nullable(metadata)),
  isrc: Type.Optional(isrc),
  artists: Type.Optional(artistEntries),
  contributors: Type.Optional(contributorEntries),
  audio_asset_id: Type.Optional(
    Nullable(
      Reference(
        'ast',
        'The id of an audio asset. It must be `ready` before you submit the release.',
      ),
    ),
  ),
  territory: Type.Optional(Nullable(territory)),
  disc: Type.Optional(disc),
  position: Type.Optional(position),
  ...inRequests(optional),
};

const readOnlyFields = ['id', 'duration_ms', 'created_at', 'updated_at'];

export const CreateTrackBody = Type.Object(
  {
    release_id: Reference('rel', 'The id of the release that the track belongs to.'),
    title,
    ...optionalInRequests,
  },
  { ...closed, title: 'CreateTrack', 'x-read-only': readOnlyFields },
);

export const BulkTracksBody = Type.Object(
  {
    tracks: Type.Array(CreateTrackBody, {
      minItems: 1,
      maxItems: bulkTracksMax,
      description: 'The tracks to create, from 1 to 100.',
    }),
  },
  { ...closed, title: 'CreateTracks', 'x-read-only': readOnlyFields },
);

const patchFields = { title: Type.Optional(title), ...optionalInRequests };
const readOnlyInPatch = [...readOnlyFields, 'release_id'];

export const PatchTrackBody = Type.Object(patchFields, {
  ...closed,
  title: 'UpdateTrack',
  'x-read-only': readOnlyInPatch,
});

/** The fields with which a PATCH narrows or withdraws a track. */
export const withdrawingTrackFields = {
  territory: 'any',
  excluded_territories: 'any',
  use_types: 'any',
} as const;

export const BulkPatchTracksBody = Type.Object(
  {
    tracks: Type.Array(
      Type.Object(
        {
          id: Reference('trk', 'The id of the track to change. List each track once.'),
          ...patchFields,
        },
        { ...closed, title: 'UpdateTrackItem' },
      ),
      { minItems: 1, maxItems: bulkTracksMax, description: 'The tracks to change, from 1 to 100.' },
    ),
  },
  { ...closed, title: 'UpdateTracks', 'x-read-only': readOnlyInPatch },
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
    isrc: Type.String({
      description: 'The ISRC with hyphens.',
      pattern: '^[A-Z]{2}-[A-Z0-9]{3}-\\d{2}-\\d{5}$',
    }),
    audio_asset_id: Nullable(IdOf('ast')),
    territory: Type.Array(Type.String(), {
      description:
        'The territories of the track; those of the release if the track has none of its own.',
    }),
    excluded_territories,
    use_types,
    disc: Type.Integer({ description: 'The number of the disc.' }),
    position: Type.Integer({ description: 'The number of the track on its disc.' }),
    duration_ms: Nullable(
      Type.Integer({
        description: 'The duration of the audio in milliseconds. `null`: the audio is not ready.',
      }),
    ),
    preview_start_ms,
    ...others,
    created_at: Timestamp('When the track was created.'),
    updated_at: Timestamp('When the track was last changed.'),
  },
  { ...closed, title: 'Track' },
);

export const TrackList = Type.Object(
  { data: Type.Array(TrackBody, { description: 'The tracks, in the order of the request.' }) },
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

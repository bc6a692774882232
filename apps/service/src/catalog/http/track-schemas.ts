/** The track on the wire (contract §2). */

import { type Static, Type } from 'typebox';
import { useTypes } from '../../kernel/use-type.ts';
import {
  closed,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Reference,
  Timestamp,
} from '../../platform/http/schema.ts';
import { bulkTracksMax, discMax, positionMax, previewStartMsMax } from '../domain/track.ts';
import {
  artists,
  exclusionList,
  inAnswers,
  inRequests,
  metadata,
  sharedFields,
  territoryList,
  title,
} from './content-schemas.ts';

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
};
const optionalInRequests = {
  metadata: Type.Optional(Nullable(metadata)),
  isrc: Type.Optional(isrc),
  artists: Type.Optional(artists),
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

export const TrackBody = Type.Object(
  {
    id: IdOf('trk'),
    metadata,
    release_id: IdOf('rel'),
    title,
    artists,
    isrc: Type.String({ pattern: '^[A-Z]{2}-[A-Z0-9]{3}-\\d{2}-\\d{5}$' }),
    audio_asset_id: Nullable(IdOf('ast')),
    territory: Type.Array(Type.String(), {
      description: 'Those of the release, when the track has none of its own.',
    }),
    disc: Type.Integer(),
    position: Type.Integer(),
    duration_ms: Nullable(Type.Integer({ description: 'Of the audio, once it is ready.' })),
    ...inAnswers(optional),
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

/** The release on the wire (spec §2.1, contract §2). */
import { type Static, Type } from 'typebox';
import { territoryListMax } from '../../kernel/territory.ts';
import {
  DateText,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Text,
  Timestamp,
} from '../../platform/http/schema.ts';
import { artistRoles, explicitMarks, releaseStatuses, releaseTypes } from '../domain/release.ts';

const titleMax = 500; // spec §8
const nameMax = 500;
const artistsMax = 100;
const referenceMax = 200;
const metadataPairsMax = 20; // contract §2
const storeProfilesMax = 50;
const closed = { additionalProperties: false };

const Artist = Type.Object(
  {
    name: Text(nameMax),
    role: OneOf(artistRoles),
    isni: Type.Optional(
      Type.String({ pattern: '^\\d{15}[\\dX]$', examples: ['0000000121032683'] }),
    ),
    store_profiles: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z0-9_-]{1,50}$' }), Text(200), {
        ...closed,
        maxProperties: storeProfilesMax,
        description: "The artist's id at a store, by store_id.",
      }),
    ),
  },
  { ...closed, title: 'Artist' },
);

const title = Text(titleMax, {
  description: 'Commercial title as shown in stores.',
  examples: ['Night Drive'],
});
const label = Text(nameMax, {
  description: 'Label shown on storefronts.',
  examples: ['Northern Lights'],
});
const artists = Type.Array(Artist, { minItems: 1, maxItems: artistsMax });
const territories = Type.Array(Type.String({ maxLength: 9 }), {
  minItems: 1,
  maxItems: territoryListMax,
  description: 'ISO 3166-1 alpha-2 codes, or WORLD alone. Replaces the whole list.',
  examples: [['WORLD']],
});
const releaseDate = DateText('Must be in the future when the release is submitted.');
const metadata = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9_.-]{1,40}$' }),
  Type.String({ maxLength: 500 }),
  {
    ...closed,
    maxProperties: metadataPairsMax,
    description: 'Your own key-value pairs; never shown to stores.',
  },
);
const upc = Type.String({
  description: '12 digits with a GS1 check digit.',
  examples: ['860001000009'],
  maxLength: 64,
});

/** Optional on creation and in PATCH; null says it is not known. */
const optional = {
  reference: Type.Optional(
    Nullable(Text(referenceMax, { description: 'Your own id, unique among your releases.' })),
  ),
  metadata: Type.Optional(Nullable(metadata)),
  version: Type.Optional(Nullable(Text(nameMax, { examples: ['Deluxe Edition'] }))),
  original_release_date: Type.Optional(Nullable(DateText('When the recording first came out.'))),
  type: Type.Optional(Nullable(OneOf(releaseTypes))),
  genre: Type.Optional(Nullable(Text(100, { examples: ['Electronic'] }))),
  language: Type.Optional(
    Nullable(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', examples: ['en'] })),
  ),
  p_line: Type.Optional(Nullable(Text(nameMax, { examples: ['2027 Northern Lights'] }))),
  c_line: Type.Optional(Nullable(Text(nameMax, { examples: ['2027 Northern Lights'] }))),
  catalog_number: Type.Optional(Nullable(Text(100))),
  explicit: Type.Optional(Nullable(OneOf(explicitMarks))),
};

const madeByService = [
  'id',
  'status',
  'track_count',
  'submission',
  'revision',
  'created_at',
  'updated_at',
];

export const CreateReleaseBody = Type.Object(
  {
    title,
    artists,
    release_date: releaseDate,
    label: Type.Optional(label),
    territories: Type.Optional(territories),
    upc: Type.Optional(upc),
    ...optional,
  },
  { ...closed, title: 'CreateRelease', 'x-read-only': [...madeByService, 'artwork_asset_id'] },
);

export const PatchReleaseBody = Type.Object(
  {
    title: Type.Optional(title),
    artists: Type.Optional(artists),
    release_date: Type.Optional(releaseDate),
    label: Type.Optional(label),
    territories: Type.Optional(territories),
    artwork_asset_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'A ready artwork asset.' }),
    ),
    status: Type.Optional(
      OneOf(releaseStatuses, { deprecated: true, description: 'Removed on 2024-09-01.' }),
    ),
    ...optional,
  },
  {
    ...closed,
    title: 'PatchRelease',
    'x-read-only': [...madeByService.filter((name) => name !== 'status'), 'upc'],
  },
);

export const ReleaseBody = Type.Object(
  {
    id: IdOf('rel'),
    reference: Nullable(Type.String()),
    metadata,
    title,
    version: Nullable(Type.String()),
    artists,
    release_date: releaseDate,
    original_release_date: Nullable(DateText('When the recording first came out.')),
    label,
    upc,
    territories,
    status: OneOf(releaseStatuses),
    type: Nullable(OneOf(releaseTypes)),
    genre: Nullable(Type.String()),
    language: Nullable(Type.String()),
    p_line: Nullable(Type.String()),
    c_line: Nullable(Type.String()),
    catalog_number: Nullable(Type.String()),
    explicit: Nullable(OneOf(explicitMarks)),
    artwork_asset_id: Nullable(IdOf('ast')),
    track_count: Type.Integer(),
    revision: Type.Integer({ description: 'Counts every change of the release or its tracks.' }),
    created_at: Timestamp('When the release was created.'),
    updated_at: Timestamp('When the release was last changed.'),
  },
  { ...closed, title: 'Release' },
);

const revisionFields = {
  release_id: IdOf('rel'),
  revision: Type.Integer(),
  changed_fields: Type.Array(Type.String(), { description: 'Empty for the first revision.' }),
  actor: Type.Object({ type: Type.String(), id: Type.String() }, { ...closed, title: 'Actor' }),
  created_at: Timestamp('When the change was made.'),
};

const RevisionSummary = Type.Object(revisionFields, { ...closed, title: 'RevisionSummary' });
export const RevisionBody = Type.Object(
  { ...revisionFields, release: ReleaseBody },
  { ...closed, title: 'Revision' },
);

export const ReleasePage = PageOf('ReleasePage', ReleaseBody);
export const RevisionPage = PageOf('RevisionPage', RevisionSummary);

export const PageQuery = Type.Object(pageQuery, closed);
export const ReleaseListQuery = Type.Object(
  {
    status: Type.Optional(OneOf(releaseStatuses)),
    upc: Type.Optional(Type.String({ pattern: '^\\d{12}$' })),
    reference: Type.Optional(Text(referenceMax)),
    label: Type.Optional(Text(nameMax)),
    updated_since: Type.Optional(Timestamp('Only releases changed at or after this time.')),
    ...pageQuery,
  },
  closed,
);

export const ReleasePath = Type.Object({ release_id: IdOf('rel') });
export const RevisionPath = Type.Object({
  release_id: IdOf('rel'),
  revision: Type.String({ pattern: '^\\d+$' }),
});

export type CreateReleaseRequest = Static<typeof CreateReleaseBody>;
export type PatchReleaseRequest = Static<typeof PatchReleaseBody>;

/** The artist on the wire (catalogue §3). */

import { type Static, Type } from 'typebox';
import {
  closed,
  IdOf,
  Nullable,
  PageOf,
  pageQuery,
  Reference,
  referenceMax,
  Text,
  Timestamp,
} from '../../platform/http/schema.ts';
import {
  inAnswers,
  inRequests,
  isni,
  languageTag,
  metadata,
  nameMax,
  storeProfiles,
  ipiNumber,
  languageKeys,
} from './content-schemas.ts';

const localizedNamesMax = 50;

const name = Text(nameMax, {
  description: 'The name of the artist. If you change it, existing credits keep their own names.',
  examples: ['Aurora Díaz'],
});

/** Null until they are sent; a request may clear them with null. */
const optional = {
  reference: Text(referenceMax, {
    description: 'Your own id of the artist. It must be unique among your artists.',
  }),
  isni: {
    ...isni,
    description: 'The ISNI of the artist without spaces. It must be unique among your artists.',
  },
  ipi: Type.String({
    ...ipiNumber,
    description: 'The IPI name number of the artist: 9 to 11 digits.',
    examples: ['00052210040'],
  }),
};

/** Empty until they are sent; a request may clear them with null. They replace the stored ones in full. */
const maps = {
  metadata,
  localized_names: Type.Record(Type.String({ pattern: languageTag }), Text(nameMax), {
    ...closed,
    ...languageKeys,
    maxProperties: localizedNamesMax,
    description: 'The name in other languages, by BCP 47 language tag.',
  }),
  store_profiles: storeProfiles,
};

const readOnlyFields = ['id', 'merged_into', 'created_at', 'updated_at'];

export const CreateArtistBody = Type.Object(
  { name, ...inRequests({ ...optional, ...maps }) },
  { ...closed, title: 'CreateArtist', 'x-read-only': readOnlyFields },
);

export const PatchArtistBody = Type.Object(
  { name: Type.Optional(name), ...inRequests({ ...optional, ...maps }) },
  { ...closed, title: 'UpdateArtist', 'x-read-only': readOnlyFields },
);

export const MergeArtistBody = Type.Object(
  { into: Reference('art', 'The id of the artist that remains.') },
  { ...closed, title: 'MergeArtist' },
);

export const ArtistBody = Type.Object(
  {
    id: IdOf('art'),
    name,
    ...inAnswers(optional),
    ...maps,
    merged_into: Nullable({
      ...IdOf('art'),
      description:
        'The artist that this one was merged into. Releases and tracks show that artist. `null`: it was not merged.',
    }),
    created_at: Timestamp('When the artist was created.'),
    updated_at: Timestamp('When the artist was last changed.'),
  },
  { ...closed, title: 'Artist' },
);

export const ArtistPage = PageOf('ArtistPage', ArtistBody);

export const ArtistListQuery = Type.Object(
  {
    name: Type.Optional(
      Text(nameMax, {
        description: 'Only artists whose name begins with this text, in upper or lower case.',
        examples: ['aurora'],
      }),
    ),
    isni: Type.Optional(isni),
    reference: Type.Optional(
      Text(referenceMax, { description: 'Only the artist with this reference.' }),
    ),
    ...pageQuery,
  },
  closed,
);

export const ArtistPath = Type.Object({ artist_id: IdOf('art') });

export type PatchArtistRequest = Static<typeof PatchArtistBody>;

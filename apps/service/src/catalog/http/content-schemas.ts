/** The fields that releases and tracks share (contract §2). */

import { type TNull, type TOptional, type TSchema, type TUnion, Type } from 'typebox';
import { territoryListMax } from '../../kernel/territory.ts';
import {
  closed,
  IdOf,
  Nullable,
  OneOf,
  Pairs,
  Reference,
  referenceMax,
  Text,
} from '../../platform/http/schema.ts';
import { aiUses } from '../domain/ai-use.ts';
import { artistRoles, explicitMarks } from '../domain/release.ts';

const titleMax = 500; // spec §8
export const nameMax = 500;
const artistsMax = 100;
const storeProfilesMax = 50;

export const isni = Type.String({ pattern: '^\\d{15}[\\dX]$', examples: ['0000000121032683'] });

export const storeProfiles = Type.Record(
  Type.String({ pattern: '^[a-z0-9_-]{1,50}$' }),
  Text(200),
  {
    ...closed,
    maxProperties: storeProfilesMax,
    description:
      'The id of the artist at a store, by store_id; "new" if the store has to create a page.',
  },
);

/** BCP 47. */
export const languageTag = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$';

const artistFields = {
  role: OneOf(artistRoles, {
    description: 'How the artist is displayed. Other credits are contributors of the tracks.',
    'x-cure': 'send other credits in contributors of the track',
  }),
  isni: Type.Optional(isni),
  store_profiles: Type.Optional(storeProfiles),
};
const creditName = Text(nameMax, { description: 'The credit as stores show it.' });

/** In a request: the artist, or the name of a credit, or both. */
export const namesArtist = {
  artist_id: Type.Optional(
    Reference('art', 'The artist behind the credit. Without name, the credit has its name.'),
  ),
  name: Type.Optional(creditName),
};
export const namesArtistOptions = {
  ...closed,
  anyOf: [{ required: ['name'] }, { required: ['artist_id'] }],
  description: 'artist_id, or name, or both.',
};
/** In an answer. */
export const creditedName = { artist_id: Type.Optional(IdOf('art')), name: creditName };

const ArtistEntry = Type.Object(
  { ...namesArtist, ...artistFields },
  { ...namesArtistOptions, title: 'ArtistEntry' },
);

const ArtistCredit = Type.Object(
  { ...creditedName, ...artistFields },
  { ...closed, title: 'ArtistCredit' },
);

export const title = Text(titleMax, {
  description: 'Commercial title as shown in stores.',
  examples: ['Night Drive'],
});
export const artistEntries = Type.Array(ArtistEntry, { minItems: 1, maxItems: artistsMax });
export const artists = Type.Array(ArtistCredit, { minItems: 1, maxItems: artistsMax });

export const territoryList = (description: string) =>
  Type.Array(Type.String({ maxLength: 9 }), {
    minItems: 1,
    maxItems: territoryListMax,
    description,
    examples: [['WORLD']],
  });

export const exclusionList = (description: string) =>
  // As long as in a list of territories, so that WORLD is refused as a code and not for its length.
  Type.Array(Type.String({ maxLength: 9 }), {
    minItems: 1,
    maxItems: territoryListMax,
    description,
    examples: [['RU', 'BY']],
  });

/** One part of `ai_use`. */
export const aiUse = Type.Optional(Nullable(OneOf(aiUses)));
export const aiUseDescription =
  'How much was made by generative AI. Replaced in full. Null, or a part that is null or left out: not declared.';

/** Answers have its canonical spelling. */
export const Language = (description: string, example = 'en') =>
  Type.String({ format: 'language', description, examples: [example] });

const localizedTitlesMax = 20;

/** The keys are checked, and written in canonical spelling, by `canonicalize`. */
export const localizedTitles = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9-]{1,35}$' }),
  Type.Object(
    { title: Text(titleMax), version: Type.Optional(Nullable(Text(nameMax))) },
    { ...closed, title: 'LocalizedTitle' },
  ),
  {
    ...closed,
    maxProperties: localizedTitlesMax,
    description:
      'The title, and version if there is one, in other languages than metadata_language, by BCP 47 language tag. Replaced in full.',
    examples: [{ de: { title: 'Nachtfahrt' }, 'pt-BR': { title: 'Viagem noturna' } }],
  },
);

export const subgenre = Text(100, {
  description: 'A subgenre of the genre, as listed by GET /v1/genres.',
  examples: ['Synthwave'],
});

export const metadata = Pairs('Your own key-value pairs; never shown to stores.');

type Fields = Readonly<Record<string, TSchema>>;
type InRequests<F extends Fields> = { [Name in keyof F]: TOptional<TUnion<[F[Name], TNull]>> };
type InAnswers<F extends Fields> = { [Name in keyof F]: TUnion<[F[Name], TNull]> };

/** Fields that a request may leave out, and clear with null. */
export const inRequests = <F extends Fields>(fields: F): InRequests<F> =>
  mapSchemas(fields, (schema) => Type.Optional(Nullable(schema))) as InRequests<F>;

/** The same fields in answers, which always have them. */
export const inAnswers = <F extends Fields>(fields: F): InAnswers<F> =>
  mapSchemas(fields, Nullable) as InAnswers<F>;

const mapSchemas = (fields: Fields, toSchema: (schema: TSchema) => TSchema): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, toSchema(schema)]));

/** Null until they are sent; a request may clear them with null. */
export const sharedFields = {
  reference: Text(referenceMax, { description: 'Your own id, unique among its kind.' }),
  version: Text(nameMax, { examples: ['Deluxe Edition'] }),
  genre: Text(100, {
    description: 'A genre of GET /v1/genres. A track without one has that of its release.',
    examples: ['Electronic'],
  }),
  language: Type.String({
    pattern: languageTag,
    description:
      'By whose rules titles are written, and what is sung where a track has no lyrics_language; zxx for an instrumental. A track without one has that of its release. The language of the metadata is metadata_language.',
    examples: ['en'],
  }),
  p_line: Text(nameMax, { examples: ['2027 Northern Lights'] }),
  explicit: OneOf(explicitMarks),
};

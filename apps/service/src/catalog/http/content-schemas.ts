/** The fields that releases and tracks share (contract §2). */

import { type TNull, type TOptional, type TSchema, type TUnion, Type } from 'typebox';
import { territoryListMax } from '../../kernel/territory.ts';
import { refuseTerritoryForm, refuseExcludedForm } from '../../network/face.ts';
import { withRule } from '../../platform/http/body-rules.ts';
import {
  closed,
  documentedAs,
  IdOf,
  Nullable,
  OneOf,
  Pairs,
  Reference,
  referenceMax,
  Text,
  patterned,
  keysAre,
} from '../../platform/http/schema.ts';
import { aiUses } from '../domain/ai-use.ts';
import { refuseLocalizedTitles } from '../domain/localized-titles.ts';
import { artistRoles, explicitMarks, refuseArtists } from '../domain/release.ts';

const titleMax = 500; // spec §8
export const nameMax = 500;
const artistsMax = 100;
const storeProfilesMax = 50;

export const isni = Type.String({
  ...patterned('^\\d{15}[\\dX]$', 'an ISNI without spaces: 15 digits and a digit or X,'),
  description: 'The ISNI of the artist without spaces.',
  examples: ['0000000121032683'],
});
export const ipiNumber = patterned('^\\d{9,11}$', 'an IPI name number of 9 to 11 digits');

export const storeProfiles = Type.Record(
  Type.String({ pattern: '^[a-z0-9_-]{1,50}$' }),
  Text(200),
  {
    ...closed,
    ...keysAre('a store_id such as "aurora"'),
    maxProperties: storeProfilesMax,
    description:
      'The id of the artist at a store, by `store_id`; `new` if the store must create a page for the artist.',
  },
);

/** BCP 47. */
export const languageTag = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$';
export const languageKeys = keysAre('a BCP 47 language tag such as "en" or "pt-BR"');

const artistFields = {
  role: OneOf(artistRoles, {
    description:
      'How stores display the artist. Send other credits as `contributors` of the tracks.',
    'x-cure': 'send other credits in contributors of the track',
  }),
  isni: Type.Optional(isni),
  store_profiles: Type.Optional(storeProfiles),
};
const creditName = Text(nameMax, { description: 'The name as stores show it.' });

const creditArtistId = Reference(
  'art',
  'The id of an artist of yours. If you omit `name`, the credit has the name of the artist.',
);

/** In a request: the artist, or the name of a credit, or both. Generators make a union of the documented alternatives. */
export function creditEntry<Own extends Record<string, TSchema>>(title: string, fields: Own) {
  const [artistId, name] = [Type.Optional(creditArtistId), Type.Optional(creditName)];
  const description = 'Send `artist_id`, `name`, or both.';
  return Type.Object(
    { artist_id: artistId, name, ...fields },
    {
      ...closed,
      anyOf: [{ required: ['name'] }, { required: ['artist_id'] }],
      ...documentedAs({
        title,
        description,
        anyOf: [
          Type.Object(
            { artist_id: artistId, name: creditName, ...fields },
            { ...closed, title: `${title}ByName` },
          ),
          Type.Object(
            { artist_id: creditArtistId, name, ...fields },
            { ...closed, title: `${title}ByArtist` },
          ),
        ],
      }),
    },
  );
}

/** In an answer. */
export const creditedName = { artist_id: Type.Optional(IdOf('art')), name: creditName };

const ArtistEntry = creditEntry('ArtistEntry', artistFields);

const ArtistCredit = Type.Object(
  { ...creditedName, ...artistFields },
  { ...closed, title: 'ArtistCredit' },
);

export const title = Text(titleMax, {
  description: 'The title as stores show it, at most 500 characters.',
  examples: ['Night Drive'],
});
export const artistEntries = Type.Array(ArtistEntry, {
  minItems: 1,
  maxItems: artistsMax,
  ...withRule(refuseArtists),
  description:
    'The artists as stores show them, at least one with the role `main`. Replaces the whole list.',
});
export const artists = Type.Array(ArtistCredit, {
  minItems: 1,
  maxItems: artistsMax,
  description: 'The artists as stores show them.',
});

export const territoryList = (description: string) =>
  Type.Array(Type.String({ maxLength: 9 }), {
    minItems: 1,
    maxItems: territoryListMax,
    ...withRule(refuseTerritoryForm),
    description,
    examples: [['WORLD']],
  });

export const exclusionList = (description: string) =>
  // As long as in a list of territories, so that WORLD is refused as a code and not for its length.
  Type.Array(Type.String({ maxLength: 9 }), {
    minItems: 1,
    maxItems: territoryListMax,
    ...withRule(refuseExcludedForm),
    description,
    examples: [['RU', 'BY']],
  });

/** One part of `ai_use`. */
export const aiUse = (what: string) =>
  Type.Optional(
    Nullable(
      OneOf(aiUses, {
        description: `How much of the ${what} was made by generative AI. \`null\`: not declared.`,
      }),
    ),
  );
export const aiUseDescription =
  'How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared.';

/** Answers have its canonical spelling. */
export const Language = (description: string, example = 'en') =>
  Type.String({ format: 'language', description, examples: [example] });

const localizedTitlesMax = 20;

/** The keys are checked, and written in canonical spelling, by `canonicalize`. */
export const localizedTitles = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9-]{1,35}$' }),
  Type.Object(
    {
      title: Text(titleMax, {
        description: 'The title in this language, at most 500 characters.',
      }),
      version: Type.Optional(
        Nullable(
          Text(nameMax, {
            description:
              'The version in this language, at most 500 characters. `null`: the title has none in this language.',
          }),
        ),
      ),
    },
    { ...closed, title: 'LocalizedTitle' },
  ),
  {
    ...closed,
    ...languageKeys,
    ...withRule(refuseLocalizedTitles),
    maxProperties: localizedTitlesMax,
    description:
      'The title and the version in other languages than `metadata_language`, by BCP 47 language tag. Replaces the whole map.',
    examples: [{ de: { title: 'Nachtfahrt' }, 'pt-BR': { title: 'Viagem noturna' } }],
  },
);

export const subgenre = Text(100, {
  description: 'A subgenre of the genre. `GET /v1/genres` lists the subgenres.',
  examples: ['Synthwave'],
});

export const metadata = Pairs(
  'Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores.',
);

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
  reference: Text(referenceMax, {
    description:
      'Your own id of the resource. It must be unique among your resources of the same kind.',
  }),
  version: Text(nameMax, {
    description:
      'The version, for example of a remix or an edition. Stores show it beside the title.',
    examples: ['Deluxe Edition'],
  }),
  genre: Text(100, {
    description:
      'The genre. `GET /v1/genres` lists the genres. A track without a genre has that of its release.',
    examples: ['Electronic'],
  }),
  language: Type.String({
    ...patterned(languageTag, 'a BCP 47 language tag'),
    description:
      'The BCP 47 tag of the language whose capitalization rules apply to titles, and of the lyrics if a track has no `lyrics_language`; `zxx` for an instrumental. A track without a language has that of its release. The language of the metadata is `metadata_language`.',
    examples: ['en'],
  }),
  p_line: Text(nameMax, {
    description: 'The year and the owner of the recording, without the sign.',
    examples: ['2027 Northern Lights'],
  }),
  explicit: OneOf(explicitMarks, {
    description:
      '`explicit`: explicit content. `clean`: a cleaned version of explicit content. `none`: neither.',
  }),
};

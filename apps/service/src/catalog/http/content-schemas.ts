/** The fields that releases and tracks share (contract §2). */

import { Type } from 'typebox';
import { territoryListMax } from '../../kernel/territory.ts';
import { closed, Nullable, OneOf, Pairs, referenceMax, Text } from '../../platform/http/schema.ts';
import { artistRoles, explicitMarks } from '../domain/release.ts';

const titleMax = 500; // spec §8
export const nameMax = 500;
const artistsMax = 100;
const storeProfilesMax = 50;
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

export const title = Text(titleMax, {
  description: 'Commercial title as shown in stores.',
  examples: ['Night Drive'],
});
export const artists = Type.Array(Artist, { minItems: 1, maxItems: artistsMax });

export const territoryList = (description: string) =>
  Type.Array(Type.String({ maxLength: 9 }), {
    minItems: 1,
    maxItems: territoryListMax,
    description,
    examples: [['WORLD']],
  });

export const exclusionList = (description: string) =>
  Nullable(
    // As long as in a list of territories, so that WORLD is refused as a code and not for its length.
    Type.Array(Type.String({ maxLength: 9 }), {
      minItems: 1,
      maxItems: territoryListMax,
      description,
      examples: [['RU', 'BY']],
    }),
  );

export const metadata = Pairs('Your own key-value pairs; never shown to stores.');

type Texts<Name extends string> = Readonly<Record<Name, ReturnType<typeof Text>>>;

/** Texts that a request may leave out, and clear with null. */
export const textsInRequests = <Name extends string>(texts: Texts<Name>) =>
  mapTexts(texts, (text) => Type.Optional(Nullable(text)));

/** The same texts in answers, which always have them. */
export const textsInAnswers = <Name extends string>(texts: Texts<Name>) =>
  mapTexts(texts, () => Nullable(Type.String()));

const mapTexts = <Name extends string, Schema>(
  texts: Texts<Name>,
  toSchema: (text: ReturnType<typeof Text>) => Schema,
): Record<Name, Schema> => {
  const schemas = Object.entries<ReturnType<typeof Text>>(texts).map(
    ([name, text]) => [name, toSchema(text)] as const,
  );
  // Object.fromEntries forgets the names.
  return Object.fromEntries(schemas) as Record<Name, Schema>;
};

/** Optional on creation and in PATCH; null clears it. */
export const sharedFields = {
  reference: Type.Optional(
    Nullable(Text(referenceMax, { description: 'Your own id, unique among its kind.' })),
  ),
  metadata: Type.Optional(Nullable(metadata)),
  version: Type.Optional(Nullable(Text(nameMax, { examples: ['Deluxe Edition'] }))),
  genre: Type.Optional(Nullable(Text(100, { examples: ['Electronic'] }))),
  language: Type.Optional(
    Nullable(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', examples: ['en'] })),
  ),
  p_line: Type.Optional(Nullable(Text(nameMax, { examples: ['2027 Northern Lights'] }))),
  explicit: Type.Optional(Nullable(OneOf(explicitMarks))),
};

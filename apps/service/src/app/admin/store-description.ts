/** The files that describe a store (`stores create`, `stores genres`), read and checked. */

import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { genres } from '../../catalog/face.ts';
import {
  meansWorld,
  type TerritoryCode,
  territoryCodes,
  territoryListMax,
} from '../../kernel/territory.ts';
import { forbiddenCharacterIn, hasVisibleCharacter, toNfc } from '../../kernel/text.ts';
import { useTypes } from '../../kernel/use-type.ts';
import {
  audioFormats,
  confirmations,
  ernVersions,
  refuseTerritoryForm,
  rulePacks,
  type Store,
  takedownMethods,
} from '../../network/face.ts';
import { UsageError } from './flag.ts';

const word = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });
const words = <const Values extends readonly string[]>(values: Values) =>
  Type.Array(word(values), { minItems: 1, maxItems: values.length, uniqueItems: true });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

const genreNameMax = 100;

/** By our name of the genre. */
const GenreNames = Type.Unsafe<Store['genres']>(
  Type.Object(
    Object.fromEntries(
      genres.map((genre) => [
        genre,
        optional(Type.String({ minLength: 1, maxLength: genreNameMax })),
      ]),
    ),
    { additionalProperties: false },
  ),
);

const Description = Type.Object(
  {
    store_id: Type.String({ pattern: '^[a-z][a-z0-9_-]{1,49}$' }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    territory_codes: Type.Array(Type.String({ maxLength: 10 }), {
      minItems: 1,
      maxItems: territoryListMax,
    }),
    audio_formats: words(audioFormats),
    use_types: words(useTypes),
    confirmation: word(confirmations),
    lead_time_business_days: Type.Integer({ minimum: 0, maximum: 60 }),
    pre_order: optional(Type.Boolean()),
    takedown: optional(Type.Boolean()),
    takedown_method: optional(word(takedownMethods)),
    update: optional(Type.Boolean()),
    ern_version: optional(word(ernVersions)),
    rule_pack: optional(word(rulePacks)),
    genres: optional(GenreNames),
    max_concurrent_sends: optional(Type.Integer({ minimum: 1, maximum: 64 })),
  },
  { additionalProperties: false },
);

const [descriptions, genreNames] = [Compile(Description), Compile(GenreNames)];

const defaultMaxConcurrentSends = 4;

/** Throws a `UsageError` that names the field. A new store is paused until the operator resumes it. */
export function readDescription(text: string, connector: Store['connector']): Store {
  const description = parse(descriptions, text);
  return {
    storeId: description.store_id,
    name: nameOf(description.name),
    territoryCodes: codesOf(description.territory_codes),
    capabilities: {
      audioFormats: description.audio_formats,
      useTypes: description.use_types,
      preOrder: description.pre_order ?? false,
      takedown: description.takedown ?? true,
      takedownMethod: description.takedown_method ?? 'omit_deal',
      update: description.update ?? true,
      confirmation: description.confirmation,
      ernVersion: description.ern_version ?? '4.3.2',
      leadTimeBusinessDays: description.lead_time_business_days,
    },
    rulePack: description.rule_pack ?? 'base',
    genres: description.genres ?? {},
    maxConcurrentSends: description.max_concurrent_sends ?? defaultMaxConcurrentSends,
    connector,
    status: 'paused',
  };
}

export const readGenreNames = (text: string): Store['genres'] => parse(genreNames, text);

type Checker<T> = {
  readonly Check: (value: unknown) => value is T;
  readonly Errors: (value: unknown) => readonly {
    readonly instancePath: string;
    readonly keyword: string;
    readonly message: string;
  }[];
};

function parse<T>(checker: Checker<T>, text: string): T {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--file: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  if (checker.Check(parsed)) return parsed;
  const [first] = checker.Errors(parsed);
  const where = first === undefined || first.instancePath === '' ? 'The file' : first.instancePath;
  const isUnknown = first?.keyword === 'boolean';
  const issue = isUnknown ? 'is not a name that the file may have' : first?.message;
  throw new UsageError(`--file: ${where} ${issue ?? 'is not valid'}.`);
}

function nameOf(name: string): string {
  const character = forbiddenCharacterIn(name);
  if (character !== undefined) throw new UsageError(`--file: /name must not contain ${character}.`);
  if (!hasVisibleCharacter(name))
    throw new UsageError('--file: /name must contain a visible character.');
  return toNfc(name);
}

function codesOf(codes: readonly string[]): readonly TerritoryCode[] {
  const refusal = refuseTerritoryForm(codes, 'territory_codes');
  if (refusal !== undefined) throw new UsageError(`--file: ${refusal.message}`);
  return codes.some(meansWorld) ? territoryCodes.toSorted() : codes.toSorted();
}

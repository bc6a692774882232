/** The settings of a store's connection (`connection.ts`), as the operator sends them. */

import { deliveryTypes } from '@tonearm/ern';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { hashAlgorithms } from './dialect.ts';

const text = (maxLength: number, pattern?: string) =>
  Type.String({ minLength: 1, maxLength, ...(pattern !== undefined && { pattern }) });
const object = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const word = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });

const party = object({
  dpid: text(18, '^PADPIDA[0-9]{10}[0-9A-Z]$'),
  name: Type.Optional(text(200)),
});
/** Relative, without a way out of it. Empty: where a session starts, or the whole bucket. */
const folder = Type.String({
  maxLength: 200,
  pattern: '^([A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?$',
});
const deliveryType = word(deliveryTypes);
const optionalText = Type.Optional(text(100));

const Settings = object({
  sender: party,
  recipients: Type.Array(party, { minItems: 1, maxItems: 5 }),
  is_test: Type.Optional(Type.Boolean()),
  release_types: Type.Optional(
    object({
      single: optionalText,
      ep: optionalText,
      album: optionalText,
      compilation: optionalText,
    }),
  ),
  artist_id_namespace: optionalText,
  offline_streams: Type.Optional(Type.Boolean()),
  hash_algorithm: Type.Optional(word(hashAlgorithms)),
  price_codes: Type.Optional(
    object({ budget: text(50), mid: text(50), front: text(50), premium: text(50) }),
  ),
  delivery_types: Type.Optional(
    object({
      deliver: Type.Optional(deliveryType),
      redeliver: Type.Optional(deliveryType),
      update: Type.Optional(deliveryType),
      takedown: Type.Optional(deliveryType),
    }),
  ),
  batch_prefix: Type.Optional(word(['N', 'P', 'M'])),
  acknowledgement_folder: Type.Optional(folder),
  acknowledgement_timeout_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 720 })),
  transport: Type.Union([
    object({
      kind: Type.Literal('sftp'),
      host: text(253, '^[A-Za-z0-9.:-]+$'),
      port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
      user: text(100),
      host_key: text(50, '^SHA256:[A-Za-z0-9+/]{43}$'),
      folder: Type.Optional(folder),
    }),
    object({
      kind: Type.Literal('s3'),
      bucket: text(63),
      region: text(50),
      endpoint: Type.Optional(text(300, '^https?://')),
      access_key_id: text(128),
      folder: Type.Optional(folder),
    }),
  ]),
});

export type ConnectionSettings = Static<typeof Settings>;

const checker = Compile(Settings);

/** What is wrong with the settings, for the operator; undefined if nothing. */
export function settingsProblem(settings: unknown): string | undefined {
  if (checker.Check(settings)) return undefined;
  const [first] = checker.Errors(settings);
  return first === undefined
    ? 'The settings are not valid.'
    : `${first.instancePath === '' ? 'The file' : first.instancePath} ${first.message}.`;
}

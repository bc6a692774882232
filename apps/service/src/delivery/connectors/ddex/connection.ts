/**
 * How a store is reached and wants its batches: what the operator sets for each store (`stores connect`), as JSON.
 * Transport and layout are apart: any store may have either transport.
 */

import { deliveryTypes, type DeliveryType } from '@tonearm/ern';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { hourMs } from '../../../kernel/duration.ts';
import type { Store } from '../../../network/face.ts';
import type { Keyring } from '../../../platform/crypto/keyring.ts';
import type { TransportSettings } from '../../../platform/transport/open-transport.ts';
import type { BatchPurpose } from '../../domain/batch.ts';
import { type Dialect, usualReleaseTypes } from './dialect.ts';

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

type ConnectionSettings = Static<typeof Settings>;

const checker = Compile(Settings);

/** What is wrong with the settings, for the operator; undefined if nothing. */
export function settingsProblem(settings: unknown): string | undefined {
  if (checker.Check(settings)) return undefined;
  const [first] = checker.Errors(settings);
  return first === undefined
    ? 'The settings are not valid.'
    : `${first.instancePath === '' ? 'The file' : first.instancePath} ${first.message}.`;
}

export type Connection = {
  readonly dialect: Dialect;
  readonly deliveryTypes: Readonly<Record<BatchPurpose, DeliveryType>>;
  readonly batchPrefix: string;
  readonly acknowledgementFolder: string;
  readonly acknowledgementTimeoutMs: number;
  readonly transport: TransportSettings;
};

const usualDeliveryTypes: Connection['deliveryTypes'] = {
  deliver: 'NewReleaseDelivery',
  redeliver: 'ReDelivery',
  update: 'NewReleaseDelivery',
  takedown: 'TakeDown',
};

const defaultTimeoutHours = 24;

/** As stored, with the sealed secret. */
type StoredConnection = { readonly settings: unknown; readonly secret: Buffer };

/** A sealed secret opens only for its store. */
const secretContext = (storeId: string): string => `store-connection:${storeId}`;

export const sealSecret = (keyring: Keyring, storeId: string, secret: Buffer): Buffer =>
  keyring.seal(secretContext(storeId), secret);

export function openConnection(
  keyring: Keyring,
  { storeId, capabilities }: Pick<Store, 'storeId' | 'capabilities'>,
  { settings, secret }: StoredConnection,
): Connection {
  requireSettings(storeId, settings);
  const opened = keyring.open(secretContext(storeId), secret).toString();
  return {
    dialect: toDialect(capabilities, settings),
    deliveryTypes: { ...usualDeliveryTypes, ...settings.delivery_types },
    batchPrefix: settings.batch_prefix ?? 'N',
    acknowledgementFolder: settings.acknowledgement_folder ?? 'acknowledgements',
    acknowledgementTimeoutMs:
      (settings.acknowledgement_timeout_hours ?? defaultTimeoutHours) * hourMs,
    transport: toTransport(settings.transport, opened),
  };
}

/** The part of a connection that says how messages look: it needs no secret. */
export function dialectOf(
  { storeId, capabilities }: Pick<Store, 'storeId' | 'capabilities'>,
  settings: unknown,
): Dialect {
  requireSettings(storeId, settings);
  return toDialect(capabilities, settings);
}

function requireSettings(
  storeId: string,
  settings: unknown,
): asserts settings is ConnectionSettings {
  if (checker.Check(settings)) return;
  throw new Error(`the connection of ${storeId} is not valid: ${settingsProblem(settings)}`);
}

const toDialect = (
  { ernVersion }: Store['capabilities'],
  settings: ConnectionSettings,
): Dialect => ({
  ernVersion,
  sender: settings.sender,
  recipients: settings.recipients,
  isTest: settings.is_test ?? false,
  releaseTypes: { ...usualReleaseTypes, ...settings.release_types },
  artistIdNamespace: settings.artist_id_namespace ?? null,
  priceCodes: settings.price_codes ?? null,
});

const sftpPort = 22;

function toTransport(
  transport: ConnectionSettings['transport'],
  secret: string,
): TransportSettings {
  if (transport.kind === 'sftp') {
    const { kind, host, port = sftpPort, user, host_key: hostKey } = transport;
    return { kind, host, port, user, hostKey, privateKey: secret, folder: transport.folder ?? '' };
  }
  const { kind, bucket, region, endpoint, access_key_id: accessKeyId } = transport;
  const credentials = { accessKeyId, secretAccessKey: secret };
  return { kind, bucket, region, endpoint, credentials, folder: transport.folder ?? '' };
}

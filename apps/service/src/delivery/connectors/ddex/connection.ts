/**
 * How a store is reached and wants its batches: what the operator sets for each store (`stores connect`), as JSON.
 * Transport and layout are apart: any store may have either transport.
 */

import type { DeliveryType } from '@tonearm/ern';
import { hourMs } from '../../../kernel/duration.ts';
import type { Store } from '../../../network/face.ts';
import type { Keyring } from '../../../platform/crypto/keyring.ts';
import type { TransportSettings } from '../../../platform/transport/open-transport.ts';
import type { BatchPurpose } from '../../domain/batch.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { type Dialect, usualReleaseTypes } from './dialect.ts';

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

export async function openConnection(
  keyring: Keyring,
  { storeId, capabilities }: Pick<Store, 'storeId' | 'capabilities'>,
  stored: StoredConnection,
): Promise<Connection> {
  const settings = await requireSettings(storeId, stored.settings);
  const opened = keyring.open(secretContext(storeId), stored.secret).toString();
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
export async function dialectOf(
  { storeId, capabilities }: Pick<Store, 'storeId' | 'capabilities'>,
  settings: unknown,
): Promise<Dialect> {
  return toDialect(capabilities, await requireSettings(storeId, settings));
}

/** The schema is loaded for the first connection: TypeBox takes a fifth of the time in which a worker starts. */
async function requireSettings(storeId: string, settings: unknown): Promise<ConnectionSettings> {
  const { settingsProblem } = await import('./connection-settings.ts');
  const problem = settingsProblem(settings);
  if (problem !== undefined) {
    throw new Error(`the connection of ${storeId} is not valid: ${problem}`);
  }
  // `settingsProblem` has checked it.
  return settings as ConnectionSettings;
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
  takesOfflineStreams: settings.offline_streams ?? true,
  hashAlgorithm: settings.hash_algorithm ?? 'SHA-256',
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

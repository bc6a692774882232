import { tmpdir } from 'node:os';
import type { Environment } from '../../kernel/environment.ts';
import type { Policy } from '../../platform/outbound/policy.ts';
import type { StorageConfig } from '../../platform/storage/open-storage.ts';
import { rowsPerBucketMax } from '../../royalties/domain/calculation.ts';
import { readOutbound } from './outbound.ts';
import {
  absolutePath,
  environmentName,
  httpUrl,
  keys,
  type Keys,
  logLevel,
  notEmpty,
  optionally,
  postgresUrl,
  wholeNumber,
} from './parsers.ts';
import { complain, type Env, openSettings, type Parse } from './settings.ts';
import { readStorage } from './storage.ts';

export type WorkerConfig = {
  readonly environment: Environment;
  /** Where events may be sent. */
  readonly outbound: Policy;
  readonly workerDatabaseUrl: string;
  readonly keys: Keys;
  readonly storage: StorageConfig;
  readonly engineIngressUrl: string;
  readonly engineAdminUrl: string;
  /** Public keys of the engines whose calls the worker accepts. Empty (only in the sandbox): it accepts any call. */
  readonly identityKeys: readonly string[];
  readonly host: string;
  readonly port: number;
  /** The worker creates its own folder in here, for the files that it examines. */
  readonly scratchFolder: string;
  /** The schemas of DDEX, which its licence forbids to ship. Undefined: messages to stores are not checked with them. */
  readonly ddexSchemaFolder: string | undefined;
  /** The address that the engine uses. Undefined: the address on which the worker listens. */
  readonly publicUrl: string | undefined;
  /** Part of the deployment's address: each release is its own deployment. */
  readonly version: string;
  /** A run is calculated in pieces of at most so many rows. */
  readonly bucketRowsMax: number;
  /** Where payments are sent: in the sandbox the scripted rail. */
  readonly payoutRailUrl: string;
  readonly logLevel: string;
};

const version: Parse<string> = (text) =>
  /^[A-Za-z0-9._-]{1,64}$/.test(text) ? text : complain('must be the name of this release');

const identityKeys =
  (isRequired: boolean): Parse<readonly string[]> =>
  (text) => {
    const publicKeys = text.split(',').filter((key) => key !== '');
    if (isRequired && publicKeys.length === 0) return complain('is required in live');
    const isValid = publicKeys.every((key) => /^publickeyv1_[1-9A-HJ-NP-Za-km-z]+$/.test(key));
    return isValid ? publicKeys : complain('must read publickeyv1_…[,publickeyv1_…]');
  };

/** Account numbers are sent there. */
const railUrl =
  (environment: Environment | undefined): Parse<string> =>
  (text) => {
    if (text === '') return complain('is required in live: payouts are sent there');
    const url = httpUrl(text);
    return environment !== 'live' || url.startsWith('https:')
      ? url
      : complain('must read https://host:port in live');
  };

export function readWorkerConfig(env: Env = process.env): WorkerConfig {
  const { read, finish } = openSettings(env);
  const environment = read('TONEARM_ENVIRONMENT', environmentName);
  return finish<WorkerConfig>({
    environment,
    outbound: readOutbound(read, environment),
    workerDatabaseUrl: read('TONEARM_WORKER_DATABASE_URL', postgresUrl),
    keys: read('TONEARM_KEYS', keys),
    storage: readStorage(read, environment),
    engineIngressUrl: read('TONEARM_ENGINE_INGRESS_URL', httpUrl),
    engineAdminUrl: read('TONEARM_ENGINE_ADMIN_URL', httpUrl),
    identityKeys: read('TONEARM_ENGINE_IDENTITY_KEYS', identityKeys(environment === 'live'), ''),
    host: read('TONEARM_WORKER_HOST', notEmpty, '127.0.0.1'),
    port: read('TONEARM_WORKER_PORT', wholeNumber(0, 65_535), '9080'),
    publicUrl: read('TONEARM_WORKER_URL', optionally(httpUrl), ''),
    scratchFolder: read('TONEARM_SCRATCH_FOLDER', absolutePath, tmpdir()),
    ddexSchemaFolder: read('DDEX_SCHEMA_DIR', optionally(absolutePath), ''),
    version: read('TONEARM_VERSION', version),
    bucketRowsMax: read('TONEARM_BUCKET_ROWS', wholeNumber(1, 5_000_000), String(rowsPerBucketMax)),
    payoutRailUrl: read(
      'TONEARM_PAYOUT_RAIL_URL',
      railUrl(environment),
      environment === 'live' ? '' : 'http://127.0.0.1:9480',
    ),
    logLevel: read('TONEARM_LOG_LEVEL', logLevel, 'info'),
  });
}

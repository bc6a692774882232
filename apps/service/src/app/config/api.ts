import type { Environment } from '../../kernel/environment.ts';
import type { Policy } from '../../platform/outbound/policy.ts';
import type { StorageConfig } from '../../platform/storage/open-storage.ts';
import { readOutbound } from './outbound.ts';
import {
  environmentName,
  httpUrl,
  keys,
  type Keys,
  logLevel,
  notEmpty,
  onOrOff,
  optionally,
  postgresUrl,
  redisUrl,
  wholeNumber,
} from './parsers.ts';
import { type Env, openSettings } from './settings.ts';
import { readStorage } from './storage.ts';

export type ApiConfig = {
  readonly environment: Environment;
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly directoryDatabaseUrl: string;
  readonly databaseConnections: number;
  readonly keys: Keys;
  readonly logLevel: string;
  readonly drainMs: number;
  /** Undefined: each api process counts its own requests. */
  readonly redisUrl: string | undefined;
  readonly instances: number;
  readonly proxyHops: number;
  /** Where test pings may be sent. */
  readonly outbound: Policy;
  /** The address that partners use. Undefined: the address on which the api listens. */
  readonly publicUrl: string | undefined;
  readonly storage: StorageConfig;
  readonly isRequestLogOn: boolean;
};

export function readApiConfig(env: Env = process.env): ApiConfig {
  const { read, finish } = openSettings(env);
  const drainSeconds = read('TONEARM_DRAIN_SECONDS', wholeNumber(0, 60), '5');
  const environment = read('TONEARM_ENVIRONMENT', environmentName);
  return finish<ApiConfig>({
    environment,
    host: read('TONEARM_HOST', notEmpty, '127.0.0.1'),
    port: read('TONEARM_PORT', wholeNumber(0, 65_535), '8420'),
    databaseUrl: read('TONEARM_DATABASE_URL', postgresUrl),
    directoryDatabaseUrl: read('TONEARM_DIRECTORY_DATABASE_URL', postgresUrl),
    databaseConnections: read('TONEARM_DATABASE_CONNECTIONS', wholeNumber(1, 200), '10'),
    keys: read('TONEARM_KEYS', keys),
    logLevel: read('TONEARM_LOG_LEVEL', logLevel, 'info'),
    drainMs: drainSeconds === undefined ? undefined : drainSeconds * 1000,
    redisUrl: read('TONEARM_REDIS_URL', optionally(redisUrl), ''),
    instances: read('TONEARM_INSTANCES', wholeNumber(1, 10_000), '1'),
    proxyHops: read('TONEARM_PROXY_HOPS', wholeNumber(0, 10), '0'),
    outbound: readOutbound(read, environment),
    publicUrl: read('TONEARM_PUBLIC_URL', optionally(httpUrl), ''),
    storage: readStorage(read, environment),
    isRequestLogOn: read('TONEARM_REQUEST_LOG', onOrOff, 'on'),
  });
}

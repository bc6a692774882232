/**
 * The environment, read in one place and checked as a whole: a misconfigured process says everything
 * that is wrong with it at once, and does not start. A value is never part of a complaint, for it
 * may be a secret.
 */

import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { type Environment, environments } from '../kernel/environment.ts';
import type { Key } from '../platform/crypto/keyring.ts';
import type { Policy } from '../platform/outbound/policy.ts';
import type { StorageConfig } from '../platform/storage/open-storage.ts';
import type { TelemetryConfig } from '../platform/telemetry/telemetry.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Keys = readonly [Key, ...Key[]];

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
  /** Undefined: limits are counted in this process alone. */
  readonly redisUrl: string | undefined;
  readonly instances: number;
  readonly proxyHops: number;
  /** Where events may be sent. */
  readonly outbound: Policy;
  /** How partners reach the api; undefined: as it listens. */
  readonly publicUrl: string | undefined;
  readonly storage: StorageConfig;
};

export type WorkerConfig = {
  readonly environment: Environment;
  /** Where events may be sent. */
  readonly outbound: Policy;
  readonly workerDatabaseUrl: string;
  readonly keys: Keys;
  readonly storage: StorageConfig;
  readonly engineIngressUrl: string;
  readonly engineAdminUrl: string;
  /** Public keys of the engines whose calls are accepted; none: any call, in the sandbox only. */
  readonly identityKeys: readonly string[];
  readonly host: string;
  readonly port: number;
  /** Where it makes a folder of its own for files it examines. */
  readonly scratchFolder: string;
  /** How the engine reaches this worker; undefined: as it listens. */
  readonly publicUrl: string | undefined;
  /** Part of the deployment's address: another release is another deployment. */
  readonly version: string;
  readonly logLevel: string;
};

export type RelayConfig = {
  readonly environment: Environment;
  readonly relayDatabaseUrl: string;
  readonly engineIngressUrl: string;
  readonly logLevel: string;
};

export type AdminConfig = {
  readonly environment: Environment;
  readonly operatorDatabaseUrl: string;
};
export type MigrateConfig = {
  readonly environment: Environment;
  readonly ownerDatabaseUrl: string;
  /** Undefined: `migrate` does not set the bucket's lifecycle rule. */
  readonly storage: StorageConfig | undefined;
};

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const keySecretBytes = 32;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Throws what is wrong with a value, without the value. */
type Parse<T> = (text: string) => T;

const complain = (issue: string): never => {
  throw new ConfigError(issue);
};

const oneOf =
  <const Values extends readonly string[]>(values: Values): Parse<Values[number]> =>
  (text) =>
    values.find((value) => value === text) ?? complain(`must be one of ${values.join(', ')}`);

const wholeNumber =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max
      ? value
      : complain(`must be a whole number, ${min} to ${max}`);
  };

const notEmpty: Parse<string> = (text) => (text === '' ? complain('is empty') : text);

const absolutePath: Parse<string> = (text) =>
  isAbsolute(text) ? text : complain('must be an absolute path');

const postgresUrl: Parse<string> = (text) =>
  URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
    ? text
    : complain('must read postgres://user:password@host:port/database');

const optionally =
  <T>(parse: Parse<T>): Parse<T | undefined> =>
  (text) =>
    text === '' ? undefined : parse(text);

const redisUrl: Parse<string> = (text) =>
  URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol)
    ? text
    : complain('must read redis://user:password@host:port');

const httpUrl: Parse<string> = (text) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? text.replace(/\/$/, '')
    : complain('must read http://host:port');

const version: Parse<string> = (text) =>
  /^[A-Za-z0-9._-]{1,64}$/.test(text) ? text : complain('must be the name of this release');

const identityKeys =
  (isRequired: boolean): Parse<readonly string[]> =>
  (text) => {
    const keysOfEngine = text.split(',').filter((key) => key !== '');
    if (isRequired && keysOfEngine.length === 0) return complain('is required in live');
    const isGood = keysOfEngine.every((key) => /^publickeyv1_[1-9A-HJ-NP-Za-km-z]+$/.test(key));
    return isGood ? keysOfEngine : complain('must read publickeyv1_…[,publickeyv1_…]');
  };

/** `id:base64,id:base64`, the first of which seals; 32 bytes each (`openssl rand -base64 32`). */
const keys: Parse<Keys> = (text) => {
  const parsed = text.split(',').map((entry): Key => {
    const [, id, base64] = /^([a-z0-9]{1,16}):([A-Za-z0-9+/]+=*)$/.exec(entry.trim()) ?? [];
    const secret = Buffer.from(base64 ?? '', 'base64');
    if (id === undefined || secret.length !== keySecretBytes) {
      return complain('must read id:base64[,id:base64…], each secret 32 bytes');
    }
    return { id, secret };
  });
  const [first, ...rest] = parsed;
  return first === undefined ? complain('is empty') : [first, ...rest];
};

function readerOf(env: Env) {
  const complaints: string[] = [];
  return {
    read: <T>(name: string, parse: Parse<T>, fallback?: string): T | undefined => {
      const text = env[name] ?? fallback;
      try {
        return text === undefined ? complain('is not set') : parse(text);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        complaints.push(`  ${name} ${error.message}`);
        return undefined;
      }
    },
    /** Every value is there once nothing was complained about. */
    finish: <T>(config: { [Name in keyof T]: T[Name] | undefined }): T => {
      if (complaints.length > 0) {
        throw new ConfigError(`The environment is not complete:\n${complaints.join('\n')}`);
      }
      return config as T;
    },
  };
}

/**
 * `s3://BUCKET?region=…[&endpoint=https://…]`, with keys of its own or the machine's role; in the sandbox
 * also `file:///FOLDER?port=…`, whose files the api serves itself.
 */
const storageUrl =
  (environment: Environment | undefined): Parse<StorageConfig> =>
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol === 's3:' && url.host !== '') {
      const endpoint = optionally(httpUrl)(url.searchParams.get('endpoint') ?? '');
      const region = url.searchParams.get('region') ?? 'us-east-1';
      return { kind: 's3', bucket: url.host, region, endpoint, credentials: undefined };
    }
    if (url?.protocol === 'file:' && environment === 'sandbox') {
      const port = wholeNumber(1, 65_535)(url.searchParams.get('port') ?? '');
      return { kind: 'disk', folder: decodeURIComponent(url.pathname), port };
    }
    return complain('must read s3://bucket?region=…[&endpoint=…]');
  };

type Read = ReturnType<typeof readerOf>['read'];

/** Contract §6: http only in the sandbox, which may also allow loopback. */
function readOutbound(read: Read, environment: Environment | undefined): Policy {
  const isSandbox = environment === 'sandbox';
  const loopback = read('TONEARM_WEBHOOK_LOOPBACK', loopbackIn(isSandbox), 'refuse');
  return { allowHttp: isSandbox, allowLoopback: loopback === 'allow' };
}

const loopbackIn =
  (isSandbox: boolean): Parse<'allow' | 'refuse'> =>
  (text) => {
    const value = oneOf(['allow', 'refuse'])(text);
    return value === 'refuse' || isSandbox ? value : complain('can be allowed in the sandbox only');
  };

function readStorage(read: Read, environment: Environment | undefined): StorageConfig | undefined {
  const storage = read('TONEARM_STORAGE_URL', storageUrl(environment));
  const accessKeyId = read('TONEARM_S3_ACCESS_KEY_ID', optionally(notEmpty), '');
  const secretAccessKey = read('TONEARM_S3_SECRET_ACCESS_KEY', optionally(notEmpty), '');
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    read(
      'TONEARM_S3_SECRET_ACCESS_KEY',
      () => complain('and TONEARM_S3_ACCESS_KEY_ID come together'),
      '',
    );
  }
  const isWhole = accessKeyId !== undefined && secretAccessKey !== undefined;
  if (storage?.kind !== 's3' || !isWhole) return storage;
  return { ...storage, credentials: { accessKeyId, secretAccessKey } };
}

export function readApiConfig(env: Env = process.env): ApiConfig {
  const { read, finish } = readerOf(env);
  const drainSeconds = read('TONEARM_DRAIN_SECONDS', wholeNumber(0, 60), '5');
  const environment = read('TONEARM_ENVIRONMENT', oneOf(environments));
  return finish<ApiConfig>({
    environment,
    host: read('TONEARM_HOST', notEmpty, '127.0.0.1'),
    port: read('TONEARM_PORT', wholeNumber(0, 65_535), '8420'),
    databaseUrl: read('TONEARM_DATABASE_URL', postgresUrl),
    directoryDatabaseUrl: read('TONEARM_DIRECTORY_DATABASE_URL', postgresUrl),
    databaseConnections: read('TONEARM_DATABASE_CONNECTIONS', wholeNumber(1, 200), '10'),
    keys: read('TONEARM_KEYS', keys),
    logLevel: read('TONEARM_LOG_LEVEL', oneOf(logLevels), 'info'),
    drainMs: drainSeconds === undefined ? undefined : drainSeconds * 1000,
    redisUrl: read('TONEARM_REDIS_URL', optionally(redisUrl), ''),
    instances: read('TONEARM_INSTANCES', wholeNumber(1, 10_000), '1'),
    proxyHops: read('TONEARM_PROXY_HOPS', wholeNumber(0, 10), '0'),
    outbound: readOutbound(read, environment),
    publicUrl: read('TONEARM_PUBLIC_URL', optionally(httpUrl), ''),
    storage: readStorage(read, environment),
  });
}

export function readRelayConfig(env: Env = process.env): RelayConfig {
  const { read, finish } = readerOf(env);
  return finish<RelayConfig>({
    environment: read('TONEARM_ENVIRONMENT', oneOf(environments)),
    relayDatabaseUrl: read('TONEARM_RELAY_DATABASE_URL', postgresUrl),
    engineIngressUrl: read('TONEARM_ENGINE_INGRESS_URL', httpUrl),
    logLevel: read('TONEARM_LOG_LEVEL', oneOf(logLevels), 'info'),
  });
}

export function readTelemetryConfig(env: Env = process.env): TelemetryConfig {
  const { read, finish } = readerOf(env);
  return finish<TelemetryConfig>({
    metricsHost: read('TONEARM_METRICS_HOST', notEmpty, '127.0.0.1'),
    metricsPort: read('TONEARM_METRICS_PORT', optionally(wholeNumber(1, 65_535)), ''),
    tracesUrl: read('TONEARM_TRACES_URL', optionally(httpUrl), ''),
  });
}

export function readWorkerConfig(env: Env = process.env): WorkerConfig {
  const { read, finish } = readerOf(env);
  const environment = read('TONEARM_ENVIRONMENT', oneOf(environments));
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
    version: read('TONEARM_VERSION', version),
    logLevel: read('TONEARM_LOG_LEVEL', oneOf(logLevels), 'info'),
  });
}

export function readAdminConfig(env: Env = process.env): AdminConfig {
  const { read, finish } = readerOf(env);
  return finish<AdminConfig>({
    environment: read('TONEARM_ENVIRONMENT', oneOf(environments)),
    operatorDatabaseUrl: read('TONEARM_OPERATOR_DATABASE_URL', postgresUrl),
  });
}

export function readMigrateConfig(env: Env = process.env): MigrateConfig {
  const { read, finish } = readerOf(env);
  const environment = read('TONEARM_ENVIRONMENT', oneOf(environments));
  const hasStorage = (env['TONEARM_STORAGE_URL'] ?? '') !== '';
  return finish<MigrateConfig>({
    environment,
    ownerDatabaseUrl: read('TONEARM_OWNER_DATABASE_URL', postgresUrl),
    storage: hasStorage ? readStorage(read, environment) : undefined,
  });
}

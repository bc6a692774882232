/**
 * The environment, read in one place and checked as a whole: a misconfigured process says everything
 * that is wrong with it at once, and does not start. A value is never part of a complaint, for it
 * may be a secret.
 */
import type { Environment } from '../identity/domain/api-key.ts';
import type { Key } from '../platform/crypto/keyring.ts';

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
};

export type RelayConfig = {
  readonly relayDatabaseUrl: string;
  readonly logLevel: string;
};

export type AdminConfig = {
  readonly environment: Environment;
  readonly operatorDatabaseUrl: string;
};
export type MigrateConfig = { readonly ownerDatabaseUrl: string };

const environments = ['live', 'sandbox'] as const;
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

const postgresUrl: Parse<string> = (text) =>
  URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
    ? text
    : complain('must read postgres://user:password@host:port/database');

const redisUrl: Parse<string | undefined> = (text) => {
  if (text === '') return undefined;
  return URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol)
    ? text
    : complain('must read redis://user:password@host:port');
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

export function readApiConfig(env: Env = process.env): ApiConfig {
  const { read, finish } = readerOf(env);
  const drainSeconds = read('TONEARM_DRAIN_SECONDS', wholeNumber(0, 60), '5');
  return finish<ApiConfig>({
    environment: read('TONEARM_ENVIRONMENT', oneOf(environments)),
    host: read('TONEARM_HOST', notEmpty, '127.0.0.1'),
    port: read('TONEARM_PORT', wholeNumber(0, 65_535), '8420'),
    databaseUrl: read('TONEARM_DATABASE_URL', postgresUrl),
    directoryDatabaseUrl: read('TONEARM_DIRECTORY_DATABASE_URL', postgresUrl),
    databaseConnections: read('TONEARM_DATABASE_CONNECTIONS', wholeNumber(1, 200), '10'),
    keys: read('TONEARM_KEYS', keys),
    logLevel: read('TONEARM_LOG_LEVEL', oneOf(logLevels), 'info'),
    drainMs: drainSeconds === undefined ? undefined : drainSeconds * 1000,
    redisUrl: read('TONEARM_REDIS_URL', redisUrl, ''),
    instances: read('TONEARM_INSTANCES', wholeNumber(1, 10_000), '1'),
    proxyHops: read('TONEARM_PROXY_HOPS', wholeNumber(0, 10), '0'),
  });
}

export function readRelayConfig(env: Env = process.env): RelayConfig {
  const { read, finish } = readerOf(env);
  return finish<RelayConfig>({
    relayDatabaseUrl: read('TONEARM_RELAY_DATABASE_URL', postgresUrl),
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
  return finish<MigrateConfig>({
    ownerDatabaseUrl: read('TONEARM_OWNER_DATABASE_URL', postgresUrl),
  });
}

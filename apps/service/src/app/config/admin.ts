import type { Environment } from '../../kernel/environment.ts';
import type { StorageConfig } from '../../platform/storage/open-storage.ts';
import { environmentName, httpUrl, keys, type Keys, optionally, postgresUrl } from './parsers.ts';
import { type Env, openSettings } from './settings.ts';
import { readStorage, storageUrlSetting } from './storage.ts';

export type AdminConfig = {
  readonly environment: Environment;
  readonly operatorDatabaseUrl: string;
  /** Of the api, for URLs in events. */
  readonly publicUrl: string | undefined;
  /** Undefined: commands that upload files are refused. */
  readonly storage: StorageConfig | undefined;
  /** For a storage on this disk, whose URLs they sign, and for the secrets of stores, which they seal. */
  readonly keys: Keys | undefined;
};

export function readAdminConfig(env: Env = process.env): AdminConfig {
  const { read, finish } = openSettings(env);
  const environment = read('TONEARM_ENVIRONMENT', environmentName);
  const hasStorage = (env[storageUrlSetting] ?? '') !== '';
  const storage = hasStorage ? readStorage(read, environment) : undefined;
  const hasKeys = (env['TONEARM_KEYS'] ?? '') !== '';
  return finish<AdminConfig>({
    environment,
    storage,
    keys: storage?.kind === 'disk' || hasKeys ? read('TONEARM_KEYS', keys) : undefined,
    operatorDatabaseUrl: read('TONEARM_OPERATOR_DATABASE_URL', postgresUrl),
    publicUrl: read('TONEARM_PUBLIC_URL', optionally(httpUrl), ''),
  });
}

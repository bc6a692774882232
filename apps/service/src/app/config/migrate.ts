import type { Environment } from '../../kernel/environment.ts';
import type { StorageConfig } from '../../platform/storage/open-storage.ts';
import { environmentName, postgresUrl } from './parsers.ts';
import { type Env, openSettings } from './settings.ts';
import { readStorage, storageUrlSetting } from './storage.ts';

export type MigrateConfig = {
  readonly environment: Environment;
  readonly ownerDatabaseUrl: string;
  /** Undefined: `migrate` does not set the bucket's lifecycle rule. */
  readonly storage: StorageConfig | undefined;
};

export function readMigrateConfig(env: Env = process.env): MigrateConfig {
  const { read, finish } = openSettings(env);
  const environment = read('TONEARM_ENVIRONMENT', environmentName);
  const hasStorage = (env[storageUrlSetting] ?? '') !== '';
  return finish<MigrateConfig>({
    environment,
    ownerDatabaseUrl: read('TONEARM_OWNER_DATABASE_URL', postgresUrl),
    storage: hasStorage ? readStorage(read, environment) : undefined,
  });
}

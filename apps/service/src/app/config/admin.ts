import type { Environment } from '../../kernel/environment.ts';
import { environmentName, postgresUrl } from './parsers.ts';
import { type Env, openSettings } from './settings.ts';

export type AdminConfig = {
  readonly environment: Environment;
  readonly operatorDatabaseUrl: string;
};

export function readAdminConfig(env: Env = process.env): AdminConfig {
  const { read, finish } = openSettings(env);
  return finish<AdminConfig>({
    environment: read('TONEARM_ENVIRONMENT', environmentName),
    operatorDatabaseUrl: read('TONEARM_OPERATOR_DATABASE_URL', postgresUrl),
  });
}

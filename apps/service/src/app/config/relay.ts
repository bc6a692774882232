import type { Environment } from '../../kernel/environment.ts';
import { environmentName, httpUrl, logLevel, postgresUrl } from './parsers.ts';
import { type Env, openSettings } from './settings.ts';

export type RelayConfig = {
  readonly environment: Environment;
  readonly relayDatabaseUrl: string;
  readonly engineIngressUrl: string;
  readonly logLevel: string;
};

export function readRelayConfig(env: Env = process.env): RelayConfig {
  const { read, finish } = openSettings(env);
  return finish<RelayConfig>({
    environment: read('TONEARM_ENVIRONMENT', environmentName),
    relayDatabaseUrl: read('TONEARM_RELAY_DATABASE_URL', postgresUrl),
    engineIngressUrl: read('TONEARM_ENGINE_INGRESS_URL', httpUrl),
    logLevel: read('TONEARM_LOG_LEVEL', logLevel, 'info'),
  });
}

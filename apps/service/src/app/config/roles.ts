/**
 * The reader of each role's settings. Only files of this folder read the environment; `walls.ts` checks that. A role
 * reads only the settings that it uses, so it has no credentials for anything else.
 */

export { readAdminConfig } from './admin.ts';
export { readApiConfig } from './api.ts';
export { readMigrateConfig } from './migrate.ts';
export { readRailConfig } from './rail.ts';
export { readRelayConfig } from './relay.ts';
export { ConfigError } from './settings.ts';
export { readSftpStoreConfig } from './sftp-store.ts';
export { readTelemetryConfig } from './telemetry.ts';
export { readWorkerConfig } from './worker.ts';

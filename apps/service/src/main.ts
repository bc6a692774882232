/** Starts the role that the command line names. Each role loads only what it needs. */

import {
  ConfigError,
  readAdminConfig,
  readApiConfig,
  readMigrateConfig,
  readRailConfig,
  readRelayConfig,
  readSftpStoreConfig,
  readTelemetryConfig,
  readWorkerConfig,
} from './app/config/roles.ts';
import { handleSignals } from './app/shutdown.ts';
import { Problem } from './kernel/problem.ts';

const usage = `Usage: node src/main.ts ROLE

  api               serve the REST API
  relay             number committed events, hand work to the engine
  worker            serve the engine's handlers
  rail              a scripted bank for payouts, in the sandbox only
  all               all of these in one process, for development
  sftp-store        a fictional store that takes batches over SFTP, in the sandbox only
  migrate           bring the database up to date
  admin COMMAND     provision organizations, keys and UPC ranges
  openapi [FILE]    write the OpenAPI document`;

const [role = '', ...argv] = process.argv.slice(2);

const api = async () => (await import('./app/api.ts')).runApi(readApiConfig());
const relay = async () => (await import('./app/relay.ts')).runRelay(readRelayConfig());
const rail = async () => (await import('./app/rail.ts')).runRail(readRailConfig());
const sftpStore = async () =>
  (await import('./app/sftp-store.ts')).runSftpStore(readSftpStoreConfig());
const worker = async () => (await import('./app/worker.ts')).runWorker(readWorkerConfig());

/** Live has no scripted bank. */
const scriptedRail = () => (readWorkerConfig().environment === 'sandbox' ? [rail()] : []);

/** A role that keeps running is measured and traced. */
const serving = (start: () => Promise<unknown>) => async () => {
  let hasStarted = false;
  handleSignals(() => hasStarted);
  const { startTelemetry } = await import('./platform/telemetry/telemetry.ts');
  await startTelemetry(role, readTelemetryConfig());
  await start();
  hasStarted = true;
};

const roles: Readonly<Record<string, () => Promise<void>>> = {
  api: serving(api),
  relay: serving(relay),
  worker: serving(worker),
  rail: serving(rail),
  // Not part of `all`: a store is another company's process.
  'sftp-store': serving(sftpStore),
  all: serving(() => Promise.all([api(), relay(), worker(), ...scriptedRail()])),
  migrate: async () => (await import('./app/migrate.ts')).runMigrate(readMigrateConfig()),
  admin: async () => {
    const { adminHelp, runAdmin } = await import('./app/admin.ts');
    const help = adminHelp(argv);
    if (help === undefined) await runAdmin(readAdminConfig(), argv);
    else process.stdout.write(`${help}\n`);
  },
  openapi: async () => (await import('./app/openapi.ts')).runOpenApi(argv[0]),
};

const run = Object.hasOwn(roles, role) ? roles[role] : undefined;
if (run === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  try {
    await run();
  } catch (error) {
    // An error that the operator can fix is one line; any other error keeps its stack.
    if (!(error instanceof ConfigError || error instanceof Problem)) throw error;
    process.stderr.write(`${error.message}\n`);
    // At once: open connections, or the other roles of `all`, would keep the process running.
    process.exit(1);
  }
}

/**
 * `npm run dev`: starts the servers and the service in the sandbox environment on this machine, with a test account.
 * Its data stays under .data/dev; `npm run dev -- --reset` deletes it first.
 */

import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openProcesses, tailOf } from './dev-processes.ts';
import { fleetOf, startFleet, stopFleet, wipeFleet } from './servers/fleet.ts';
import { root, until } from './servers/server.ts';

const main = join(root, 'apps', 'service', 'src', 'main.ts');
const fleet = fleetOf('dev');
const apiPort = fleet.ports.api;
const apiUrl = `http://127.0.0.1:${apiPort}`;
const storeFolder = join(fleet.folder, 'sftp-store');
/** The book of the store that takes batches over SFTP. */
const bookUrl = `http://127.0.0.1:${apiPort + 6}`;
const processes = openProcesses();
const seedTimeoutMs = 180_000;
const seedPollMs = 500;
/** UPCs that begin with 4 are for use inside one company: no real product has such a code (GS1). */
const newUpcPrefix = () => `4${randomInt(10_000, 100_000)}`;

type Sandbox = {
  readonly keys: string;
  readonly orgId: string;
  readonly apiKey: string;
  /**
   * The demo catalogue was requested. It is requested only once, because the reset that creates it deletes the
   * developer's own releases. Undefined in files of versions without a catalogue: those do not request it either.
   */
  readonly hasCatalogue?: boolean;
  /** How the store over SFTP was connected. It is connected again when that changes: a port, or its key. */
  readonly storeConnection?: string;
};

/** Aborted by Ctrl-C or SIGTERM: the step that runs ends, then everything that was started is stopped. */
const leaving = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    leaving.abort();
    processes.stop();
  });
}

const say = (text: string) => process.stdout.write(`${text}\n`);

async function step<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  const begun = performance.now();
  process.stdout.write(`  ${what.padEnd(34, '.')} `);
  const result = await work();
  leaving.signal.throwIfAborted();
  say(`${Math.round(performance.now() - begun)} ms`);
  return result;
}

/** A deployment never changes: the same code is the same version, and changed code is another. */
function versionOf(folder: string): string {
  const hash = createHash('sha256');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (path.endsWith('.ts')) hash.update(path).update(readFileSync(join(folder, path)));
  }
  return `dev-${hash.digest('hex').slice(0, 12)}`;
}

function environmentOf(keys: string): Record<string, string> {
  const url = (role: string) =>
    `postgres://${role}@127.0.0.1:${fleet.ports.postgres}/tonearm_sandbox`;
  return {
    TONEARM_ENVIRONMENT: 'sandbox',
    TONEARM_PORT: String(apiPort),
    TONEARM_PUBLIC_URL: apiUrl,
    TONEARM_KEYS: keys,
    TONEARM_DRAIN_SECONDS: '0',
    // Empty where Redis is not installed: limits are then counted in the process.
    TONEARM_REDIS_URL: fleet.redis === undefined ? '' : `redis://127.0.0.1:${fleet.ports.redis}`,
    TONEARM_OWNER_DATABASE_URL: url('postgres'),
    TONEARM_OPERATOR_DATABASE_URL: url('tonearm_operator'),
    TONEARM_DATABASE_URL: url('tonearm_app'),
    TONEARM_DIRECTORY_DATABASE_URL: url('tonearm_directory'),
    TONEARM_RELAY_DATABASE_URL: url('tonearm_relay'),
    TONEARM_WORKER_DATABASE_URL: url('tonearm_worker'),
    TONEARM_ENGINE_INGRESS_URL: `http://127.0.0.1:${fleet.ports.restateIngress}`,
    TONEARM_ENGINE_ADMIN_URL: `http://127.0.0.1:${fleet.ports.restateAdmin}`,
    // Always the same port, so that a restarted worker continues the invocations of the worker before it.
    TONEARM_WORKER_PORT: String(apiPort + 3),
    // The scripted bank that payouts are sent to.
    TONEARM_RAIL_PORT: String(apiPort + 4),
    TONEARM_RAIL_JOURNAL: join(fleet.folder, 'rail.jsonl'),
    TONEARM_PAYOUT_RAIL_URL: `http://127.0.0.1:${apiPort + 4}`,
    // The fictional store that takes batches over SFTP.
    TONEARM_SFTP_STORE_PORT: String(apiPort + 5),
    TONEARM_SFTP_STORE_BOOK_PORT: String(apiPort + 6),
    TONEARM_SFTP_STORE_FOLDER: storeFolder,
    // The inbox and the developer's webhook receivers run on this machine.
    TONEARM_WEBHOOK_LOOPBACK: 'allow',
    TONEARM_STORAGE_URL: `file://${join(fleet.folder, 'files')}?port=${apiPort + 1}`,
    TONEARM_VERSION: versionOf(join(root, 'apps', 'service', 'src')),
  };
}

/** Returns what the command printed. */
async function run(keys: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, ...environmentOf(keys) };
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env });
  return stdout;
}

/** Migrates the database; the first time also creates an organization with an API key and UPCs. */
async function provision(file: string): Promise<Sandbox> {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Sandbox) : undefined;
  const keys = known?.keys ?? `dev:${randomBytes(32).toString('base64')}`;
  await run(keys, 'migrate');
  await run(keys, 'admin', 'stores', 'seed');
  if (known !== undefined) return known;
  const admin = async (...args: string[]) =>
    JSON.parse(await run(keys, 'admin', ...args)) as Record<string, string>;
  const { id: orgId = '' } = await admin(
    'org',
    'create',
    '--name',
    'Demo Records',
    '--tier',
    'enterprise',
  );
  await admin('upc', 'add-range', '--org', orgId, '--prefix', newUpcPrefix());
  await admin('isrc', 'add-registrant', '--org', orgId, '--code', 'QZDEV');
  const { secret: apiKey = '' } = await admin('key', 'create', '--org', orgId, '--name', 'dev');
  return saveSandbox(file, { keys, orgId, apiKey, hasCatalogue: false });
}

function saveSandbox(file: string, sandbox: Sandbox): Sandbox {
  writeFileSync(file, JSON.stringify(sandbox, undefined, 2), { mode: 0o600 });
  return sandbox;
}

/** The service is usable without guides: a mistake in one is only printed. */
function renderGuides(): void {
  try {
    execFileSync(process.execPath, [join(root, 'scripts', 'guides.ts')], { stdio: 'pipe' });
  } catch (error) {
    const { stderr } = error as { readonly stderr?: Buffer };
    say(`\n${stderr?.toString('utf8') ?? String(error)}`);
  }
}

const startRole = ({ keys }: Sandbox, role: string, logFile: string, readyUrl: string) =>
  processes.start({
    name: role,
    command: [main, role],
    env: { ...process.env, ...environmentOf(keys) },
    logFile: join(fleet.folder, logFile),
    readyUrl,
  });

const startApi = (sandbox: Sandbox) => startRole(sandbox, 'all', 'api.log', `${apiUrl}/readyz`);

/** What the store over SFTP wrote for its operator. */
const sheet = (name: string) => join(storeFolder, name);

/** Starts the fictional store over SFTP. The first time it also joins the network, as a store of live would. */
async function startStore(file: string, sandbox: Sandbox): Promise<Sandbox> {
  await startRole(sandbox, 'sftp-store', 'sftp-store.log', `${bookUrl}/healthz`);
  const storeConnection = readFileSync(sheet('connection.json'), 'utf8');
  if (sandbox.storeConnection === storeConnection) return sandbox;
  const admin = (...args: string[]) => run(sandbox.keys, 'admin', 'stores', ...args);
  const created = await admin('create', '--file', sheet('store.json'));
  const { store_id: storeId } = JSON.parse(created) as { readonly store_id: string };
  const files = ['--file', sheet('connection.json'), '--secret-file', sheet('client.key')];
  await admin('connect', '--store', storeId, ...files);
  await admin('resume', '--store', storeId);
  return saveSandbox(file, { ...sandbox, storeConnection });
}

type Reset = { readonly status?: string; readonly problem?: string | null };

async function callReset(apiKey: string, method: 'GET' | 'POST'): Promise<Reset> {
  const answer = await fetch(`${apiUrl}/v1/sandbox/reset`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
  });
  return (await answer.json()) as Reset;
}

/** Creates the demo catalogue of a new organization. If it is interrupted, the worker finishes it at the next start. */
async function seed(file: string, sandbox: Sandbox): Promise<void> {
  await callReset(sandbox.apiKey, 'POST');
  saveSandbox(file, { ...sandbox, hasCatalogue: true });
  let reset: Reset = {};
  await until(
    'the catalogue is there',
    async () => {
      process.stdout.write('.');
      reset = await callReset(sandbox.apiKey, 'GET');
      return reset.status !== 'running';
    },
    seedTimeoutMs,
    seedPollMs,
  );
  process.stdout.write(' ');
  if (reset.status !== 'idle') throw new Error(reset.problem ?? 'POST /v1/sandbox/reset failed.');
}

/** Only prints a failure, because the service is usable without the catalogue. */
async function tryToSeed(file: string, sandbox: Sandbox): Promise<void> {
  try {
    await step('fictional catalogue ', () => seed(file, sandbox));
  } catch (error) {
    if (leaving.signal.aborted) throw error;
    say(
      `\n  The catalogue was not created: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const banner = ({ apiKey, orgId }: Sandbox) => `
Tonearm's sandbox is running.

  API        ${apiUrl}/v1
  Reference  ${apiUrl}/docs
  Guides     ${apiUrl}/docs/guides
  Test key   ${apiKey}
  Account    ${orgId}
  Catalogue  releases demo-… and their deliveries, in every state; POST /v1/sandbox/reset restores it
  Store      meadowlark takes DDEX batches over SFTP; what it holds: ${bookUrl}/holdings.txt
  Log        ${join(fleet.folder, 'api.log')}
${fleet.missing.map((what) => `  Without    ${what}\n`).join('')}
Try it in another terminal:

  export TONEARM_URL=${apiUrl} TONEARM_API_KEY=${apiKey}
  curl -s $TONEARM_URL/v1/releases -H "Authorization: Bearer $TONEARM_API_KEY" --json '{}'

  node examples/first-release.ts     uploads audio and artwork, and delivers the release to three stores

Ctrl-C stops it; npm run dev -- --reset deletes its data and starts again.`;

/** Used by the operator's commands: `node --env-file=.data/dev/env apps/service/src/main.ts admin …`. */
function writeEnvironment(sandbox: Sandbox): void {
  const lines = Object.entries(environmentOf(sandbox.keys)).map(
    ([name, value]) => `${name}=${value}`,
  );
  writeFileSync(join(fleet.folder, 'env'), `${lines.join('\n')}\n`, { mode: 0o600 });
}

async function exitIfPortTaken(): Promise<void> {
  const answer = await fetch(`${apiUrl}/healthz`).catch(() => undefined);
  if (answer === undefined) return;
  say(
    `Something already answers at ${apiUrl}: stop it, or choose other ports with TONEARM_PORT_OFFSET.`,
  );
  process.exit(1);
}

await exitIfPortTaken();
if (process.argv.includes('--reset')) await wipeFleet(fleet);
mkdirSync(fleet.folder, { recursive: true });
// Servers that `npm run services` started before are left running.
const running = await Promise.all(fleet.servers.map((server) => server.isRunning()));
const ours = { ...fleet, servers: fleet.servers.filter((_, i) => running[i] === false) };
try {
  await step('PostgreSQL, Restate, Redis ', () => startFleet(fleet));
  const file = join(fleet.folder, 'sandbox.json');
  const provisioned = await step('database and test account ', () => provision(file));
  writeEnvironment(provisioned);
  await step('guides ', renderGuides);
  const [api, sandbox] = await step('api, relay, worker, rail, store ', () =>
    Promise.all([startApi(provisioned), startStore(file, provisioned)]),
  );
  const ended = once(api, 'exit');
  if (sandbox.hasCatalogue === false) await tryToSeed(file, sandbox);
  if (!leaving.signal.aborted) say(banner(sandbox));
  await ended;
  if (!leaving.signal.aborted) {
    process.exitCode = 1;
    say(`\nThe api ended by itself. The end of its log:\n${tailOf(join(fleet.folder, 'api.log'))}`);
  }
} catch (error) {
  if (!leaving.signal.aborted) {
    process.exitCode = 1;
    say(`\n${error instanceof Error ? error.message : String(error)}`);
  }
} finally {
  if (!leaving.signal.aborted) processes.stop();
  await stopFleet(ours);
}

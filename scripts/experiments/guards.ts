/**
 * What each proof and bench guards: `.ci/run` runs those whose folders changed since the last full run, `.ci/full` runs all.
 * A name is a folder or a file below `apps/service/src`, or below the repository if it begins with `/`.
 */

export type Guard = {
  readonly guards: readonly string[];
  /** It kills, stops or reconfigures servers that others could share. */
  readonly hasOwnServers?: boolean;
  /** Its bar is a time: nothing else may run beside it. */
  readonly runsAlone?: boolean;
};

const requests = ['platform/db', 'platform/http', 'identity/http', 'app/api.ts', 'app/compose.ts'];
const engine = ['platform/db', 'platform/engine', 'app/relay.ts', 'app/worker.ts'];
const deliveries = ['delivery', ...engine];
const webhooks = ['webhooks', 'platform/outbound', ...engine];
const clock = ['sandbox/commands', 'sandbox/domain', 'sandbox/workflows'];
const ern = ['/packages/ern/src', 'delivery/connectors'];

export const guards: Readonly<Record<string, Guard>> = {
  'prove access': { guards: ['identity', 'platform/http', 'platform/cache'] },
  'prove assets': { guards: ['assets', 'platform/storage'] },
  'prove audit': {
    guards: ['identity/commands', 'platform/db/audit.ts', ...engine],
    hasOwnServers: true,
  },
  'prove clock': { guards: [...clock, ...deliveries], hasOwnServers: true },
  'prove ddex': { guards: [...ern, ...engine], hasOwnServers: true },
  'prove deliveries': { guards: deliveries, hasOwnServers: true },
  'prove fairness': {
    guards: [...webhooks, ...deliveries, 'assets', 'royalties/workflows'],
    runsAlone: true,
  },
  'prove idempotency': { guards: requests, hasOwnServers: true },
  'prove isolation': { guards: webhooks, runsAlone: true },
  'prove malformed': { guards: ['kernel', ...requests, 'catalog/http'], runsAlone: true },
  'prove money': { guards: ['royalties', 'money', 'platform/process'], hasOwnServers: true },
  'prove pages': { guards: ['kernel/page.ts', 'platform/http', 'catalog/store'] },
  'prove payouts': { guards: ['money', ...engine], hasOwnServers: true },
  'prove poison': {
    guards: [...engine, 'platform/storage', 'app/worker-metrics.ts', '/ops'],
    hasOwnServers: true,
    runsAlone: true,
  },
  'prove preflight': { guards: ['catalog/domain/preflight'] },
  'prove rate-limit': {
    guards: ['platform/cache', 'kernel/rate.ts'],
    hasOwnServers: true,
    runsAlone: true,
  },
  'prove relay': {
    guards: ['platform/db', 'platform/engine', 'app/relay.ts'],
    hasOwnServers: true,
  },
  'prove responsiveness': {
    guards: ['platform/http', 'platform/threads', 'catalog/http', 'sandbox/http'],
    runsAlone: true,
  },
  'prove restarts': { guards: ['app/api.ts', 'platform/http', 'platform/db'] },
  'prove royalties': { guards: ['royalties/domain', 'royalties/connectors', 'platform/process'] },
  'prove sandbox-determinism': { guards: ['sandbox', ...deliveries] },
  'prove sandbox-royalties': { guards: ['sandbox', 'royalties'] },
  'prove ssrf': { guards: ['platform/outbound', 'webhooks/domain'] },
  'prove tenants': {
    guards: ['/apps/service/migrations', 'platform/db', 'platform/http', 'identity/store'],
  },
  'prove webhooks': { guards: webhooks, hasOwnServers: true },
  // In this size a bench only shows that it still runs.
  'bench api': { guards: ['platform/http', 'identity/http'] },
  'bench assets': { guards: ['assets', 'platform/storage'] },
  'bench ddex': { guards: ern },
  'bench deliveries': { guards: ['delivery'] },
  'bench growth': { guards: ['/bench/unit-meter.ts'], hasOwnServers: true },
  'bench ingest': { guards: ['royalties'] },
  'bench inspector': { guards: ['identity/http', 'identity/store'] },
  'bench ledger': { guards: ['money'] },
  'bench line-items': { guards: ['royalties/http', 'royalties/connectors'] },
  'bench relay': { guards: ['platform/engine', 'app/relay.ts'] },
  'bench royalties-summary': { guards: ['royalties/http', 'royalties/store'] },
  'bench sdk': { guards: ['/packages/sdk/src/core'] },
  'bench tracks': { guards: ['catalog/http', 'catalog/store'] },
  'bench unit': { guards: ['/bench/unit-meter.ts'], hasOwnServers: true },
  'bench webhooks': { guards: ['webhooks'] },
};

const service = 'apps/service/src';
const proofs = 'apps/service/test/proofs';

/** The folders and files of the repository that an experiment guards, with its own files. */
function guardedPaths(name: string): string[] {
  const [kind, own = ''] = name.split(' ');
  const ownPath = kind === 'prove' ? `${proofs}/${own}` : `bench/${own}`;
  const named = guards[name]?.guards ?? [];
  return [
    ...named.map((path) => (path.startsWith('/') ? path.slice(1) : `${service}/${path}`)),
    ownPath,
  ];
}

/** A path may be a file, a folder, or the beginning of the names of an experiment's files (`money-judge.ts`). */
const isBelow = (file: string, path: string): boolean =>
  file.startsWith(path) && /^($|[/.-])/.test(file.slice(path.length));

export const isGuarded = (name: string, file: string): boolean =>
  guardedPaths(name).some((path) => isBelow(file, path));

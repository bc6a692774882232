/**
 * Draws the roles of the service and the systems they talk to, as Mermaid. Which role talks to which system comes from
 * the settings that the role reads: a process cannot reach a system whose address it was not given. This file adds
 * words and the direction of each arrow, and throws where it does not match the settings.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as config from '../src/app/config/roles.ts';

type System = { readonly name: string; readonly label?: string; readonly isOutside?: true };

const systems: Readonly<Record<string, System>> = {
  partner: { name: 'partner', isOutside: true },
  postgres: { name: 'PostgreSQL', label: 'all records, events, outbox' },
  redis: { name: 'Redis', label: 'rate limits' },
  restate: { name: 'Restate', label: 'the engine: waits, retries, timers' },
  files: { name: 'S3 storage', label: 'audio and artwork' },
  bank: { name: 'payout rail', isOutside: true },
  endpoints: { name: "partner's webhook endpoints", isOutside: true },
};

/** The system that a role talks to when it reads a setting. */
const systemsBySetting: readonly (readonly [setting: RegExp, system: string])[] = [
  [/^TONEARM_PUBLIC_URL$/, 'partner'],
  [/DATABASE_URL$/, 'postgres'],
  [/^TONEARM_REDIS_URL$/, 'redis'],
  [/^TONEARM_STORAGE_URL$/, 'files'],
  [/^TONEARM_ENGINE_(INGRESS|ADMIN)_URL$/, 'restate'],
  [/^TONEARM_WORKER_URL$/, 'restate'],
  [/^TONEARM_WEBHOOK_LOOPBACK$/, 'endpoints'],
  [/^TONEARM_PAYOUT_RAIL_URL$/, 'bank'],
  [/^TONEARM_RAIL_HOST$/, 'bank'],
];

type Arrow = readonly [from: string, to: string, label: string];

/** Each arrow points in the direction in which work moves, so that the picture reads from top to bottom. */
const arrows: readonly Arrow[] = [
  ['partner', 'api', 'REST requests'],
  ['api', 'redis', 'counts requests'],
  ['api', 'postgres', 'one transaction per request'],
  ['api', 'files', 'signs upload URLs'],
  ['postgres', 'relay', 'outbox rows'],
  ['relay', 'restate', 'enqueues work'],
  ['restate', 'worker', 'calls handlers'],
  ['worker', 'postgres', 'one transaction per step'],
  ['files', 'worker', 'files to examine'],
  ['worker', 'endpoints', 'posts signed events'],
  ['api', 'endpoints', 'sends test pings'],
  ['worker', 'bank', 'sends payments'],
  ['bank', 'rail', 'in the sandbox'],
];

/** A role that keeps running writes a log; a role that does not read this setting ends when its command is done. */
const logSetting = 'TONEARM_LOG_LEVEL';

type ReadConfig = (env: Readonly<Record<string, undefined>>) => unknown;

/** The names of the settings that a role reads, found by giving it none of them. */
function settingsOf(read: ReadConfig): ReadonlySet<string> {
  const names = new Set<string>();
  const env = new Proxy({}, { get: (_, name) => void names.add(String(name)) });
  try {
    read(env);
  } catch (error) {
    if (!(error instanceof config.ConfigError)) throw error;
  }
  return names;
}

type Role = {
  readonly name: string;
  readonly purpose: string;
  readonly keepsRunning: boolean;
  readonly systems: ReadonlySet<string>;
};

/** Throws where a setting is an address that `systemsBySetting` does not know. */
export function systemsOf(settings: Iterable<string>): ReadonlySet<string> {
  const found = [...settings].flatMap((setting) => {
    const system = systemsBySetting.find(([pattern]) => pattern.test(setting))?.[1];
    if (system === undefined && setting.endsWith('_URL')) {
      throw new Error(`add ${setting} to systemsBySetting in apps/service/test/role-picture.ts`);
    }
    return system === undefined ? [] : [system];
  });
  return new Set(found);
}

/** The roles in the usage text of `main.ts` that have their own configuration. */
function findRoles(): readonly Role[] {
  const main = readFileSync(join(import.meta.dirname, '..', 'src', 'main.ts'), 'utf8');
  const readers: Readonly<Record<string, unknown>> = config;
  const lines = main.matchAll(/^ {2}([a-z]+)(?: [A-Z[\]]+)? {2,}(\S.*?)`?;?$/gm);
  return [...lines].flatMap(([, name = '', purpose = '']) => {
    const read = readers[`read${name.charAt(0).toUpperCase()}${name.slice(1)}Config`];
    if (typeof read !== 'function') return [];
    const settings = settingsOf(read as ReadConfig);
    const keepsRunning = settings.has(logSetting);
    return [{ name, purpose, keepsRunning, systems: systemsOf(settings) }];
  });
}

const pairOf = (one: string, other: string) => [one, other].toSorted().join(' and ');

function refuseOtherArrows(roles: readonly Role[]): void {
  const real = roles.flatMap((role) =>
    [...role.systems].map((system) => pairOf(role.name, system)),
  );
  const drawn = arrows.map(([from, to]) => pairOf(from, to));
  const wrong = [
    ...real.filter((pair) => !drawn.includes(pair)).map((pair) => `add ${pair}`),
    ...drawn.filter((pair) => !real.includes(pair)).map((pair) => `remove ${pair}`),
  ];
  if (wrong.length === 0) return;
  throw new Error(`correct the arrows in apps/service/test/role-picture.ts: ${wrong.join(', ')}`);
}

function drawSystem([id, { name, label, isOutside }]: readonly [string, System]): string {
  const text = label === undefined ? name : `<b>${name}</b><br/>${label}`;
  return isOutside === true ? `  ${id}(["${text}"])` : `  ${id}[("${text}")]`;
}

export function drawRoles(): string {
  const roles = findRoles();
  const serving = roles.filter((role) => role.keepsRunning);
  const commands = roles.filter((role) => !role.keepsRunning);
  refuseOtherArrows(serving);
  return [
    '```mermaid',
    'flowchart TD',
    ...Object.entries(systems).map(drawSystem),
    ...serving.map(({ name, purpose }) => `  ${name}["<b>${name}</b><br/>${purpose}"]`),
    ...arrows.map(([from, to, label]) => `  ${from} -->|${label}| ${to}`),
    '```',
    '',
    'These roles run once and end:',
    '',
    ...commands.map((role) => {
      // The public URL makes partners connect to the api; a role that runs once only writes it into events.
      const connected = [...role.systems].filter((id) => id !== 'partner');
      const names = connected.map((id) => systems[id]?.name ?? id);
      return `- \`${role.name}\`: ${role.purpose} (connects to ${names.join(' and ')})`;
    }),
  ].join('\n');
}

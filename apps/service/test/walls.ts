/**
 * The rules of the architecture (architecture §3) as functions from sources to violations: which slice and which room
 * may import which, no import cycles (types included), pure domain rules, one reader of the environment, where SQL is
 * written and which files open transactions. `architecture.test.ts` checks the real sources, and made-up sources that
 * break each rule.
 */

import { dirname, join, normalize } from 'node:path';

export type Source = { readonly path: string; readonly text: string };

/** A slice may use only the slices listed. This table is the whole import graph. */
export const slices: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  platform: ['kernel'],
  identity: ['platform', 'kernel'],
  network: ['identity', 'platform', 'kernel'],
  webhooks: ['identity', 'platform', 'kernel'],
  assets: ['identity', 'platform', 'kernel'],
  catalog: ['assets', 'network', 'identity', 'platform', 'kernel'],
  delivery: ['catalog', 'network', 'identity', 'platform', 'kernel'],
  money: ['network', 'identity', 'platform', 'kernel'],
  royalties: ['money', 'delivery', 'catalog', 'network', 'identity', 'platform', 'kernel'],
  sandbox: [
    'royalties',
    'money',
    'delivery',
    'catalog',
    'assets',
    'webhooks',
    'network',
    'identity',
    'platform',
    'kernel',
  ],
};

/** Inside a slice, a room may use only the rooms listed. `face` is the only room that other slices may import. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  events: ['domain'],
  messages: ['domain'],
  store: ['domain'],
  connectors: ['domain'],
  commands: ['domain', 'events', 'messages', 'store', 'connectors'],
  workflows: ['domain', 'messages', 'store', 'commands', 'connectors'],
  http: ['domain', 'store', 'connectors', 'commands'],
  face: ['domain', 'events', 'messages', 'store', 'connectors', 'commands', 'workflows'],
};

const technicalSlices = new Set(['kernel', 'platform']);

const impurePatterns = [
  /\bnew Date\(\)/,
  /\bDate\.now\(/,
  /\bMath\.random\(/,
  /\bcrypto\./,
  /\bprocess\./,
  /\basync\b/,
  /\bfetch\(/,
];

export type Import = {
  readonly line: number;
  readonly target: string;
  readonly isType: boolean;
  /** `import()`: loaded when it is called. */
  readonly isDynamic: boolean;
};

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;

export function importsOf({ path, text }: Source): Import[] {
  const found = text.matchAll(
    /\b(?:(?:import|export)\s+(type\b)?[^'";()]*?\bfrom|import)\s*\(?\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map((match) => {
    const specifier = match[2] ?? '';
    const target = specifier.startsWith('.')
      ? normalize(join(dirname(path), specifier))
      : specifier;
    return {
      line: lineOf(text, match.index),
      target,
      isType: match[1] !== undefined,
      isDynamic: match[0].includes('('),
    };
  });
}

type SourceLocation = { readonly slice: string; readonly room: string };

function locationOf(path: string): SourceLocation {
  const [slice = '', second = ''] = path.split('/');
  return { slice, room: second.replace(/\.ts$/, '') };
}

const isFile = (target: string) => target.endsWith('.ts');

function importViolation(from: string, { target, isType }: Import): string | undefined {
  const here = locationOf(from);
  if (here.slice === 'main.ts' || here.slice === 'app') return undefined;
  if (!isFile(target)) return packageViolation(here.slice, here.room, target);
  const there = locationOf(target);
  if (here.slice === there.slice) return roomViolation(here.slice, here.room, there.room);
  if (slices[here.slice]?.includes(there.slice) !== true) {
    return `${here.slice} may not use ${there.slice}`;
  }
  return crossSliceViolation(here, there, { target, isType });
}

function crossSliceViolation(
  here: SourceLocation,
  there: SourceLocation,
  { target, isType }: Pick<Import, 'target' | 'isType'>,
): string | undefined {
  const isFaceType = isType && there.room === 'face';
  if (here.room === 'domain' && there.slice !== 'kernel' && !isFaceType) {
    return `domain may use only kernel and types of a face, not ${target}`;
  }
  const isHttp = there.slice === 'platform' && there.room === 'http';
  if (isHttp && here.room !== 'http') return `${here.room} may not know about HTTP`;
  const isOpen = technicalSlices.has(there.slice) || there.room === 'face';
  return isOpen ? undefined : `use ${there.slice}/face.ts, not its inside`;
}

function packageViolation(slice: string, room: string, target: string): string | undefined {
  const isPure = room === 'domain' || slice === 'kernel';
  return isPure ? `${slice}/${room} is pure and may not import ${target}` : undefined;
}

function roomViolation(slice: string, here: string, there: string): string | undefined {
  if (technicalSlices.has(slice) || here === there) return undefined;
  const allowed = rooms[here];
  if (allowed === undefined) return `${slice} has no room called ${here}`;
  return allowed.includes(there) ? undefined : `${here} may not use ${there}`;
}

export function importViolations(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source).flatMap((found) => {
      const why = importViolation(source.path, found);
      return why === undefined ? [] : [`${source.path}:${found.line} ${why}`];
    }),
  );
}

/** The first import cycle found, as the files on it. */
export function findCycle(sources: readonly Source[]): string | undefined {
  const graph = new Map(sources.map((source) => [source.path, importsOf(source)]));
  const state = new Map<string, 'open' | 'done'>();
  const walk = (path: string, trail: readonly string[]): string | undefined => {
    if (state.get(path) === 'done') return undefined;
    if (state.get(path) === 'open') return [...trail.slice(trail.indexOf(path)), path].join(' → ');
    state.set(path, 'open');
    for (const { target } of graph.get(path) ?? []) {
      const cycle = walk(target, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    state.set(path, 'done');
    return undefined;
  };
  return [...graph.keys()].map((path) => walk(path, [])).find((cycle) => cycle !== undefined);
}

const isComment = (line: string) => /^\s*(\*|\/\/|\/\*)/.test(line);

export function purityViolations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => locationOf(path).room === 'domain')
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, i) => {
        const isBanned = !isComment(line) && impurePatterns.some((pattern) => pattern.test(line));
        return isBanned ? [`${path}:${i + 1} ${line.trim()}`] : [];
      }),
    );
}

/** Only app/config/ reads the environment. */
export function environmentViolations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path, text }) => text.includes('process.env') && !path.startsWith('app/config/'))
    .map(({ path }) => `${path} reads process.env`);
}

/** SQL is written in `store` rooms, platform/db and platform/engine (outbox, timers); nowhere else. */
export function sqlViolations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path, text }) => {
      const { slice, room } = locationOf(path);
      const ownsTables = /^platform\/(db|engine)\//.test(path);
      const mayWriteSql = room === 'store' || ownsTables || slice === 'app';
      return !mayWriteSql && /\bsql`|\b(?:insertInto|updateWhere|defineColumns)\b/.test(text);
    })
    .map(({ path }) => `${path} writes SQL outside a store`);
}

/** The files that open transactions, and why each is not a command inside one that another file opened. */
const transactionOpeners: Readonly<Record<string, string>> = {
  'app/admin/run-command.ts': 'an operator command is one transaction with its audit row',
  'app/worker-metrics.ts': 'gauges read one organization at a time',
  'assets/http/assets.ts':
    'a multipart upload is opened at the object store between two transactions',
  'catalog/commands/apply-fixes.ts': 'fixes are computed on a thread between two transactions',
  'catalog/http/preflight.ts': 'the preflight runs on a thread after its read',
  'identity/commands/record-key-uses.ts': 'uses of keys are written apart from the requests',
  'delivery/commands/dispatch-resumed-stores.ts':
    'each paused store delivery resumes in its own transaction',
  'delivery/commands/ddex-connector.ts': 'a batch is marked as complete between two uploads',
  'delivery/commands/keep-acknowledgement.ts':
    'an acknowledgement names its release, and thereby its organization',
  'delivery/commands/record-acknowledgement.ts':
    'an acknowledgement names its message, and thereby its organization',
  'delivery/commands/record-answers.ts':
    'store answers are kept before their organization is known',
  'delivery/http/dry-run.ts': 'a dry run undoes its transaction',
  'identity/http/request-log.ts': 'rows of many organizations are written after their answers',
  'identity/http/record-deprecated-use.ts':
    'the use of a deprecated feature is kept although its request is refused',
  'identity/http/oauth-token.ts': 'an access token has no idempotency key and no audit row',
  'platform/engine/handler-context.ts': 'each step of a handler is one transaction',
  'platform/engine/outbox-relay.ts': 'the relay locks outbox rows of all organizations',
  'platform/engine/timers.ts': 'the reconciler requeues stale timers',
  'platform/http/mutation.ts':
    'a mutation is one transaction with its idempotency answer and audit row',
  'royalties/commands/close-statements.ts': 'each partner of a run has a transaction of its own',
  'royalties/commands/document-statements.ts':
    'each partner of a run gets its document in a transaction of its own',
  'royalties/commands/record-progress.ts':
    'progress is written while the files of a report are read, between two transactions',
  'sandbox/http/inbox-receiver.ts':
    'a received message has no idempotency key, and its answer may wait',
  'sandbox/http/inbox.ts': 'the inbox is created when it is first read',
  'webhooks/commands/ping.ts': 'the ping is sent between two transactions',
  'webhooks/commands/requeue-stale-webhooks.ts': 'the reconciler wakes stale dispatchers',
  'webhooks/commands/send-new-events.ts': 'requests are sent between two transactions',
};

const opensTransaction = /\.transact(WithOpening|WithoutTenant)?\(/;

/** Commands run in the transaction that their caller opened; only the listed files open one. */
export function transactionViolations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path !== 'platform/db/database.ts')
    .filter(({ path, text }) => opensTransaction.test(text) !== path in transactionOpeners)
    .map(({ path }) =>
      path in transactionOpeners
        ? `${path} is listed in walls.ts but opens no transaction`
        : `${path} opens a transaction and is not listed in walls.ts`,
    );
}

/** Only platform/engine imports the engine's packages, so that the engine can be exchanged. */
export function engineViolations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !path.startsWith('platform/engine/'))
    .filter((source) => importsOf(source).some(({ target }) => target.startsWith('@restatedev/')))
    .map(({ path }) => `${path} imports the engine's packages`);
}

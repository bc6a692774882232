/**
 * Draws the rules of `walls.ts` as Mermaid: which slice may import which, and which room may import which.
 * An arrow that follows from other arrows is left out, so that few arrows remain.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rooms, slices } from './walls.ts';

type Graph = Readonly<Record<string, readonly string[]>>;

const source = join(import.meta.dirname, '..', 'src');

const sliceLabels: Readonly<Record<string, string>> = {
  app: 'the roles and their configuration',
  sandbox: 'fictional stores, scenarios, clock',
  delivery: 'deliveries, store by store',
  catalog: 'releases, tracks, submissions',
  assets: 'uploads, audio and artwork files',
  webhooks: 'endpoints, attempts, event history',
  network: 'stores and territories',
  royalties: 'reports of stores, runs, statements',
  money: 'ledger, balances, payouts',
  identity: 'organizations, API keys, limits',
  platform: 'database, HTTP, engine, storage',
  kernel: 'pure types and rules that every slice shares',
};

const roomLabels: Readonly<Record<string, string>> = {
  face: 'the only file that other slices may import',
  http: 'paths, schemas, status codes',
  workflows: 'durable handlers that the engine calls',
  commands: 'read, decide and write in one transaction',
  events: 'the events that partners receive',
  messages: 'the messages that wake the handlers of the slice',
  store: 'SQL',
  connectors: 'calls to other systems',
  domain: 'pure rules: no I/O, no clock, no packages',
};

/** Every node that can be reached from `from`, itself excluded. */
function reachable(graph: Graph, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (name: string) => {
    for (const next of graph[name] ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      visit(next);
    }
  };
  visit(from);
  return seen;
}

/** The transitive reduction: the fewest arrows that reach the same nodes. The graph has no cycle. */
export function reduce(graph: Graph): Graph {
  const reduced = Object.entries(graph).map(([name, targets]) => {
    const isDirect = (target: string) =>
      !targets.some((other) => other !== target && reachable(graph, other).has(target));
    return [name, targets.filter(isDirect)] as const;
  });
  return Object.fromEntries(reduced);
}

/** Imports that the arrows suggest and the rules forbid. */
export function forbiddenDespiteArrows(graph: Graph): string[] {
  return Object.entries(graph).flatMap(([name, allowed]) =>
    [...reachable(graph, name)]
      .filter((target) => !allowed.includes(target))
      .map((target) => `\`${name}\` may not import \`${target}\``),
  );
}

function labelOf(labels: Readonly<Record<string, string>>, name: string): string {
  const label = labels[name];
  if (label === undefined) {
    throw new Error(`"${name}" has no label: add one to apps/service/test/import-pictures.ts`);
  }
  return label;
}

function draw(graph: Graph, labels: Readonly<Record<string, string>>): string {
  const nodes = Object.keys(graph).map(
    (name) => `  ${name}["<b>${name}</b><br/>${labelOf(labels, name)}"]`,
  );
  const arrows = Object.entries(reduce(graph)).flatMap(([name, targets]) =>
    targets.map((target) => `  ${name} --> ${target}`),
  );
  const exceptions = forbiddenDespiteArrows(graph);
  const rule = 'An arrow means "may import", and so does a path of several arrows';
  const caption = exceptions.length === 0 ? rule : `${rule}; but ${exceptions.join(', ')}`;
  return ['```mermaid', 'flowchart TD', ...nodes, ...arrows, '```', '', `${caption}.`].join('\n');
}

/**
 * The slices that have a folder. A folder that `walls.ts` does not list passes its checks only where it may import
 * everything: that is `app`.
 */
export function drawSlices(): string {
  const folders = readdirSync(source, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const unlisted = folders.filter((name) => !Object.hasOwn(slices, name));
  const listed = Object.keys(slices).filter((name) => folders.includes(name));
  const graph = [
    ...unlisted.map((name) => [name, listed] as const),
    ...listed
      .toReversed()
      .map((name) => [name, (slices[name] ?? []).filter((to) => folders.includes(to))] as const),
  ];
  return draw(Object.fromEntries(graph), sliceLabels);
}

export const drawRooms = (): string =>
  draw(Object.fromEntries(Object.entries(rooms).toReversed()), roomLabels);

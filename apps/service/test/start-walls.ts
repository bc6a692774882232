/**
 * What a role must not load as it starts (ADR 0061), as functions from sources to violations. `architecture.test.ts` checks
 * the real sources, and made-up sources that break the rule.
 */

import { type Import, importsOf, type Source } from './walls.ts';

/**
 * Packages and folders that a role must not load as it starts: each takes a tenth to a third of a second of processor
 * time, at every deployment and after every crash. They are loaded with `import()` where they are used, or by tasks in
 * processes of their own.
 */
const loadedLater: Readonly<Record<string, readonly string[]>> = {
  'app/api.ts': ['@scalar/fastify-api-reference', '@duckdb/node-api', 'pdfkit', 'sharp'],
  'app/relay.ts': [
    '@aws-sdk/client-s3',
    '@duckdb/node-api',
    'fastify',
    'platform/transport',
    'typebox',
  ],
  'app/worker.ts': ['@duckdb/node-api', 'fastify', 'pdfkit', 'typebox'],
};

/** The files that api, relay and worker all load before their own. */
const loadedByEveryRole = ['main.ts', 'platform/telemetry/telemetry.ts'];

const isWithin = (target: string, name: string): boolean => `${target}/`.startsWith(`${name}/`);

export function startViolations(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return Object.entries(loadedLater).flatMap(([entry, banned]) => {
    const loaded = filesLoadedBy([entry, ...loadedByEveryRole], byPath);
    return loaded.flatMap((source) =>
      staticImportsOf(source)
        .filter(({ target }) => banned.some((name) => isWithin(target, name)))
        .map(({ line, target }) => `${entry} loads ${target} (${source.path}:${line})`),
    );
  });
}

/** Entries of the lists above that name nothing, for example after a file was renamed: they would forbid nothing. */
export function namesWithoutSource(sources: readonly Source[]): string[] {
  const paths = new Set(sources.map(({ path }) => path));
  const files = [...Object.keys(loadedLater), ...loadedByEveryRole];
  const targets = sources.flatMap(importsOf).map(({ target }) => target);
  const names = Object.values(loadedLater).flat();
  return [
    ...files.filter((path) => !paths.has(path)),
    ...names.filter((name) => !targets.some((target) => isWithin(target, name))),
  ];
}

const staticImportsOf = (source: Source): Import[] =>
  importsOf(source).filter(({ isType, isDynamic }) => !isType && !isDynamic);

function filesLoadedBy(entries: readonly string[], byPath: ReadonlyMap<string, Source>): Source[] {
  const loaded = new Set<Source>();
  const load = (path: string): void => {
    const source = byPath.get(path);
    if (source === undefined || loaded.has(source)) return;
    loaded.add(source);
    for (const { target } of staticImportsOf(source)) load(target);
  };
  entries.forEach(load);
  return [...loaded];
}

import type { FastifyInstance } from 'fastify';
import { nearestName } from '../../kernel/near-name.ts';
import type { AnyOperation } from './operation.ts';

export type RouteTable = {
  /** The methods a path answers to; none when the path does not exist. */
  readonly methodsOf: (url: string) => readonly string[];
  /** The path that was probably meant by one that does not exist. */
  readonly nearestPathTo: (url: string) => string | undefined;
  readonly operations: readonly AnyOperation[];
};

type Route = {
  readonly pattern: RegExp;
  /** How many segments of the path may be anything. */
  readonly parameters: number;
  readonly methods: readonly string[];
};

/** Fastify answers a wrong method with 404; this table is how it becomes a 405 with Allow. */
export function collectRoutes(server: FastifyInstance): RouteTable {
  const operations: AnyOperation[] = [];
  const routes: Route[] = [];
  server.addHook('onRoute', ({ url, method, config }) => {
    const operation: AnyOperation | undefined = config?.operation;
    if (url.startsWith('/v1') && operation === undefined) {
      throw new Error(`${url} is registered without an operation, so nothing would guard it`);
    }
    // Fastify adds a HEAD route for every GET; it is the same operation.
    if (operation !== undefined && method !== 'HEAD') operations.push(operation);
    routes.push({
      pattern: new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`),
      parameters: url.match(/:\w+|\*/g)?.length ?? 0,
      methods: [method].flat(),
    });
  });
  return {
    operations,
    nearestPathTo: (url) =>
      nearestPath(
        url.split('?', 1)[0] ?? '',
        operations.map(({ path }) => path),
      ),
    methodsOf: (url) => {
      const path = url.split('?', 1)[0] ?? '';
      const matching = routes.filter(({ pattern }) => pattern.test(path));
      // `/v1/tracks/bulk` is no track: the methods of `/v1/tracks/{track_id}` are not its own.
      const fewest = Math.min(...matching.map(({ parameters }) => parameters));
      const own = matching.filter(({ parameters }) => parameters === fewest);
      return [...new Set(own.flatMap(({ methods }) => methods))].toSorted();
    },
  };
}

const segmentsMax = 10;

/** Compares segment by segment; an id may be anything. The version may be missing, and a slash too many. */
function nearestPath(wanted: string, paths: readonly string[]): string | undefined {
  const segments = wanted.split('/').filter((segment) => segment !== '');
  if (segments.length === 0 || segments.length > segmentsMax) return undefined;
  const versioned = segments[0] === 'v1' ? segments.slice(1) : segments;
  const found = paths.find((path) => {
    const known = path.split('/').slice(2);
    return (
      known.length === versioned.length && known.every((each, i) => isNear(versioned[i], each))
    );
  });
  return found?.replaceAll(/:(\w+)/g, '{$1}');
}

const isNear = (segment = '', known = ''): boolean =>
  known.startsWith(':') || segment === known || nearestName(segment, [known]) === known;

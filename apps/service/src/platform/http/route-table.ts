import type { FastifyInstance } from 'fastify';
import type { AnyOperation } from './operation.ts';

export type RouteTable = {
  /** The methods a path answers to; none when the path does not exist. */
  readonly methodsOf: (url: string) => readonly string[];
  readonly operations: readonly AnyOperation[];
};

/** Fastify answers a wrong method with 404; this table is how it becomes a 405 with Allow. */
export function collectRoutes(server: FastifyInstance): RouteTable {
  const operations: AnyOperation[] = [];
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  server.addHook('onRoute', ({ url, method, config }) => {
    const operation: AnyOperation | undefined = config?.operation;
    if (url.startsWith('/v1') && operation === undefined) {
      throw new Error(`${url} is registered without an operation, so nothing would guard it`);
    }
    // Fastify adds a HEAD route for every GET; it is the same operation.
    if (operation !== undefined && method !== 'HEAD') operations.push(operation);
    routes.push({
      pattern: new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`),
      methods: [method].flat(),
    });
  });
  return {
    operations,
    methodsOf: (url) => {
      const path = url.split('?', 1)[0] ?? '';
      const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((r) => r.methods);
      return [...new Set(methods)].toSorted();
    },
  };
}

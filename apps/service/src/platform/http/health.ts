import { Problem } from '../../kernel/problem.ts';
import type { Server } from './fastify-types.ts';

export type Dependency = { readonly name: string; readonly check: () => Promise<unknown> };

const checkTimeoutMs = 2_000;
const sharedForMs = 1_000;

/** `/healthz`: the process answers. `/readyz`: its dependencies answer, and it is not shutting down. */
export function healthRoutes(
  server: Server,
  dependencies: readonly Dependency[],
  isDraining: () => boolean,
): void {
  server.get('/healthz', async () => ({ status: 'ok' }));

  const complaintsOf = shared(async () => {
    const results = await Promise.all(
      dependencies.map(async ({ name, check }) => ({ field: name, issue: await issueOf(check) })),
    );
    return results.flatMap(({ field, issue }) => (issue === undefined ? [] : [{ field, issue }]));
  });
  server.get('/readyz', async () => {
    const details = [...(await complaintsOf())];
    if (isDraining()) details.push({ field: 'process', issue: 'is shutting down' });
    if (details.length > 0) {
      throw new Problem('service_unavailable', 'Not ready.', {
        details,
        headers: { 'retry-after': '2' },
      });
    }
    return { status: 'ready', checks: dependencies.map(({ name }) => name) };
  });
}

/** The dependencies are checked at most once a second, however many probes arrive. */
function shared<T>(check: () => Promise<T>): () => Promise<T> {
  let last: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (last === undefined || nowMs - last.atMs > sharedForMs)
      last = { atMs: nowMs, answer: check() };
    return last.answer;
  };
}

async function issueOf(check: () => Promise<unknown>): Promise<string | undefined> {
  const timeout = Promise.withResolvers<string>();
  const timer = setTimeout(() => timeout.resolve('did not answer in time'), checkTimeoutMs);
  try {
    return await Promise.race([
      timeout.promise,
      check().then(
        () => undefined,
        () => 'is not reachable',
      ),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

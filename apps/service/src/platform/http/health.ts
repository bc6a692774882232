import { Problem } from '../../kernel/problem.ts';
import type { Server } from './fastify-types.ts';

export type Dependency = { readonly name: string; readonly check: () => Promise<unknown> };

const checkTimeoutMs = 2_000;

/** `/healthz`: the process answers. `/readyz`: it can do its work, and is not about to leave. */
export function healthRoutes(
  server: Server,
  dependencies: readonly Dependency[],
  isDraining: () => boolean,
): void {
  server.get('/healthz', async () => ({ status: 'ok' }));

  server.get('/readyz', async () => {
    const results = await Promise.all(
      dependencies.map(async ({ name, check }) => ({ field: name, issue: await issueOf(check) })),
    );
    const details = results.filter((result) => result.issue !== undefined) as {
      field: string;
      issue: string;
    }[];
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

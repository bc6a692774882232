/**
 * Invocations stay with the deployment that began them. When that worker is gone for good, killed or moved to
 * another address, they would hold their keys; so those are killed, and whoever keeps their rows asks for them
 * again, on the deployment there is now.
 */

import { connect } from 'node:http2';
import type { Logger } from 'pino';
import { freedInvocations } from '../telemetry/instruments.ts';
import { queryEngine, killInvocation } from './admin.ts';

const probeWithinMs = 3_000;
/** A worker that restarts is back before it was missed so often. */
const missesMax = 2;
const killedPerRound = 1_000;
const killsAtOnce = 16;

type Deployment = { readonly id: string; readonly endpoint: string };

/** One round; called again and again. How many invocations were freed. */
export function createDeploymentReaper(adminUrl: string, logger: Logger): () => Promise<number> {
  let misses = new Map<string, number>();
  return async () => {
    const troubled = await findDeploymentsWithStuckInvocations(adminUrl);
    const isThere = await Promise.all(troubled.map(({ endpoint }) => answers(endpoint)));
    const away = troubled.filter((_, i) => isThere[i] === false);
    misses = new Map(away.map(({ id }) => [id, (misses.get(id) ?? 0) + 1]));
    let freed = 0;
    for (const { id, endpoint } of away) {
      if ((misses.get(id) ?? 0) < missesMax) continue;
      const killed = await killStuckInvocations(adminUrl, id);
      freed += killed;
      if (killed > 0) logger.error({ deployment: id, endpoint, killed }, 'a deployment is gone');
    }
    freedInvocations().add(freed);
    return freed;
  };
}

/** The engine itself cannot go on with them: those that run or wait for something are left alone. */
const isStuck = `status in ('backing-off', 'paused')`;

const findDeploymentsWithStuckInvocations = (adminUrl: string): Promise<readonly Deployment[]> =>
  queryEngine<Deployment>(
    adminUrl,
    `select id, endpoint from sys_deployment
      where id in (select pinned_deployment_id from sys_invocation where ${isStuck})`,
  );

async function killStuckInvocations(adminUrl: string, deploymentId: string): Promise<number> {
  const stuck = await queryEngine<{ id: string }>(
    adminUrl,
    `select id from sys_invocation
      where ${isStuck} and pinned_deployment_id = '${deploymentId}' limit ${killedPerRound}`,
  );
  let killed = 0;
  for (let i = 0; i < stuck.length; i += killsAtOnce) {
    const some = stuck.slice(i, i + killsAtOnce);
    const ended = await Promise.all(some.map(({ id }) => killInvocation(adminUrl, id)));
    killed += ended.filter(Boolean).length;
  }
  return killed;
}

/**
 * Whether a worker of that release is at that address. Only no connection, no answer or 404, which a worker of
 * another release gives, mean that there is none; whatever else is answered, somebody is there.
 */
async function answers(endpoint: string): Promise<boolean> {
  const url = new URL(`${endpoint.replace(/\/$/, '')}/health`);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const session = connect(url.origin);
  const timer = setTimeout(() => resolve(false), probeWithinMs);
  session.once('error', () => resolve(false));
  const request = session.request({ ':path': url.pathname });
  request.once('response', ({ ':status': status }) => resolve(status !== 404));
  request.once('error', () => resolve(false));
  request.resume().end();
  const isThere = await promise;
  clearTimeout(timer);
  session.destroy();
  return isThere;
}

/**
 * The reaper of dead deployments. An invocation stays with the deployment that began it. When that worker is gone for
 * good (killed, or moved to another address), its invocations would hold their keys for ever. The reaper kills them,
 * the reconciler requeues their rows, and the current deployment runs them.
 */

import { connect } from 'node:http2';
import type { Logger } from 'pino';
import { freedInvocations } from '../telemetry/instruments.ts';
import { queryEngine, killInvocation } from './admin.ts';

const probeWithinMs = 3_000;
/** Probes in a row that fail before a deployment counts as dead: a worker that restarts is back before that. */
const missesMax = 2;
const killedPerRound = 1_000;
const killsAtOnce = 16;

type Deployment = { readonly id: string; readonly endpoint: string };

/** Returns one round of the reaper, which returns how many invocations it killed. */
export function createDeploymentReaper(adminUrl: string, logger: Logger): () => Promise<number> {
  let misses = new Map<string, number>();
  return async () => {
    const suspects = await findDeploymentsWithStuckInvocations(adminUrl);
    const served = await Promise.all(suspects.map(({ endpoint }) => isServed(endpoint)));
    const missing = suspects.filter((_, i) => served[i] === false);
    misses = new Map(missing.map(({ id }) => [id, (misses.get(id) ?? 0) + 1]));
    let killedInAll = 0;
    for (const { id, endpoint } of missing) {
      if ((misses.get(id) ?? 0) < missesMax) continue;
      const killed = await killStuckInvocations(adminUrl, id);
      killedInAll += killed;
      if (killed > 0) logger.error({ deployment: id, endpoint, killed }, 'a deployment is gone');
    }
    freedInvocations().add(killedInAll);
    return killedInAll;
  };
}

/** Invocations that the engine cannot continue by itself. Running and suspended ones are left alone. */
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
    const batch = stuck.slice(i, i + killsAtOnce);
    const results = await Promise.all(batch.map(({ id }) => killInvocation(adminUrl, id)));
    killed += results.filter(Boolean).length;
  }
  return killed;
}

/**
 * Whether a worker of that release answers at that address. No connection, no answer in time, and 404 (a worker of
 * another release) mean no; any other answer means yes.
 */
async function isServed(endpoint: string): Promise<boolean> {
  const url = new URL(`${endpoint.replace(/\/$/, '')}/health`);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const session = connect(url.origin);
  const timer = setTimeout(() => resolve(false), probeWithinMs);
  session.once('error', () => resolve(false));
  const request = session.request({ ':path': url.pathname });
  request.once('response', ({ ':status': status }) => resolve(status !== 404));
  request.once('error', () => resolve(false));
  request.resume().end();
  const result = await promise;
  clearTimeout(timer);
  session.destroy();
  return result;
}

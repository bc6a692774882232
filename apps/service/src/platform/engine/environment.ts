/**
 * Which environment an engine works for. The worker registers, beside its work, a service named for
 * its environment; whoever is about to use an engine asks whether it knows the other's. It is asked
 * by HEAD, which calls nothing: 404 is a service nobody has registered.
 */

import type { Workflow } from './workflow.ts';

const answerWithinMs = 5_000;

const serviceOf = (environment: string): string => `environment_${environment}`;

/** There to be registered, never to be called. */
export const environmentWorkflow = (environment: string): Workflow => ({
  service: serviceOf(environment),
  handlers: { mark: async () => undefined },
});

export const ingressWorksFor = (ingressUrl: string, environment: string): Promise<boolean> =>
  isThere(new URL(`/restate/call/${serviceOf(environment)}/any/mark`, ingressUrl));

export const adminWorksFor = (adminUrl: string, environment: string): Promise<boolean> =>
  isThere(new URL(`/services/${serviceOf(environment)}`, adminUrl));

async function isThere(url: URL): Promise<boolean> {
  const { status } = await fetch(url, {
    method: 'HEAD',
    signal: AbortSignal.timeout(answerWithinMs),
  });
  if (status === 404) return false;
  // The ingress does not let handlers be called this way, and says so only of those there are.
  if (status === 200 || status === 405) return true;
  throw new Error(`the engine answered ${status} when asked whom it works for`);
}

/**
 * Which environment an engine works for. Besides its workflows, the worker registers a service that is named for its
 * environment. A process that is about to use an engine asks whether the service of the other environment is registered
 * there. It asks by HEAD, which calls no handler; 404 means no.
 */

import type { Workflow } from './workflow.ts';

const answerWithinMs = 5_000;

const serviceOf = (environment: string): string => `environment_${environment}`;

/** Registered as a mark; never called. */
export const environmentWorkflow = (environment: string): Workflow => ({
  service: serviceOf(environment),
  handlers: { mark: async () => undefined },
});

export const ingressWorksFor = (ingressUrl: string, environment: string): Promise<boolean> =>
  isRegistered(new URL(`/restate/call/${serviceOf(environment)}/any/mark`, ingressUrl));

export const adminWorksFor = (adminUrl: string, environment: string): Promise<boolean> =>
  isRegistered(new URL(`/services/${serviceOf(environment)}`, adminUrl));

async function isRegistered(url: URL): Promise<boolean> {
  const { status } = await fetch(url, {
    method: 'HEAD',
    signal: AbortSignal.timeout(answerWithinMs),
  });
  if (status === 404) return false;
  // The ingress answers HEAD with 405, but only for a handler that is registered.
  if (status === 200 || status === 405) return true;
  throw new Error(`the engine answered ${status} when asked which environment it works for`);
}

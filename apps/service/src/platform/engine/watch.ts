/**
 * Watching the engine from outside: canaries, small invocations over all of its partitions that must be
 * answered within seconds, and a look for invocations it has paused, which nobody else would notice.
 */
import type { Logger } from 'pino';
import { pausedInvocations, silentCanaries } from '../telemetry/instruments.ts';
import type { Ingress } from './ingress.ts';
import type { Work } from './work.ts';

const service = 'canary';
/** Keys are spread over partitions by hash; so many reach each of 24 with near certainty. */
const canaries = 96;
const answerWithinMs = 5_000;

export const canaryWork: Work = { service, handlers: { sing: async () => undefined } };

export type EngineHealth = { readonly silentCanaries: number; readonly paused: number };

export async function examineEngine(ingress: Ingress, adminUrl: string): Promise<EngineHealth> {
  const songs = await Promise.allSettled(
    Array.from({ length: canaries }, (_, i) =>
      ingress.call({ service, key: String(i), handler: 'sing' }, answerWithinMs),
    ),
  );
  return {
    silentCanaries: songs.filter(({ status }) => status === 'rejected').length,
    paused: await countPaused(adminUrl),
  };
}

async function countPaused(adminUrl: string): Promise<number> {
  const response = await fetch(new URL('/query', adminUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      query: "select count(*) as n from sys_invocation where status = 'paused'",
    }),
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const { rows } = (await response.json()) as { rows: readonly { readonly n: number }[] };
  return rows[0]?.n ?? 0;
}

/** An operator is woken by these lines, or by the metrics beside them. */
export function reportEngine(
  logger: Logger,
  { silentCanaries: silent, paused }: EngineHealth,
): void {
  silentCanaries().record(silent);
  pausedInvocations().record(paused);
  if (silent > 0) logger.error({ silent, canaries }, 'the engine is silent');
  if (paused > 0) logger.error({ paused }, 'the engine has paused invocations');
}

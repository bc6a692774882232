/**
 * Schedules: every worker asks the engine for each slot of each job, under the key `job:slot`. The
 * engine accepts it once, however many ask; a slot nobody asked for in time is asked for late.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Ingress } from './ingress.ts';

export type Schedule = { readonly service: string; readonly job: string; readonly everyMs: number };

export async function askForSlots(
  ingress: Ingress,
  schedules: readonly Schedule[],
  clock: Clock,
): Promise<void> {
  for (const { service, job, everyMs } of schedules) {
    const slot = Math.floor(clock.now().getTime() / everyMs);
    await ingress.send(`${job}:${slot}`, { service, key: job, handler: 'run' });
  }
}

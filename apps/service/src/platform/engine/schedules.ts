/**
 * Schedules: every worker asks the engine for each slot of each job, under the key `job:slot`. The
 * engine accepts it once, however many ask; a slot nobody asked for in time is asked for late. One whose
 * run was given up is asked for again within the slot, as `job:slot:1` and so on, each time later.
 */

import type { Clock } from '../../kernel/clock.ts';
import { minuteMs } from '../../kernel/duration.ts';
import type { Ingress } from './ingress.ts';

export type Schedule = { readonly service: string; readonly job: string; readonly everyMs: number };

/** After the slot's beginning: 1, 3, 7 … minutes. */
const patienceMs = minuteMs;

export async function enqueueDueSlots(
  ingress: Ingress,
  schedules: readonly Schedule[],
  clock: Clock,
): Promise<void> {
  for (const schedule of schedules) await askForSlot(ingress, schedule, clock.now().getTime());
}

async function askForSlot(
  ingress: Ingress,
  { service, job, everyMs }: Schedule,
  nowMs: number,
): Promise<void> {
  const slot = Math.floor(nowMs / everyMs);
  const sinceMs = nowMs - slot * everyMs;
  for (let again = 0; sinceMs >= patienceMs * (2 ** again - 1); again++) {
    const id = again === 0 ? `${job}:${slot}` : `${job}:${slot}:${again}`;
    const receipt = await ingress.send(id, { service, key: job, handler: 'run' });
    if (receipt.isNew || (await ingress.readStatus(receipt)) !== 'failed') return;
  }
}

/**
 * Schedules: every worker sends a message for the current slot of each job, with the idempotency key `job:slot`. The
 * engine accepts it once, however many workers send it; a slot that began without a worker is sent late. If the run of
 * a slot was given up, it is sent again within the slot, as `job:slot:1` and so on, each time later.
 */

import type { Clock } from '../../kernel/clock.ts';
import { minuteMs } from '../../kernel/duration.ts';
import type { Ingress } from './ingress.ts';

export type Schedule = { readonly service: string; readonly job: string; readonly everyMs: number };

/** Retries are 1, 3, 7 … minutes after the slot's beginning. */
const retryDelayMs = minuteMs;

export async function enqueueDueSlots(
  ingress: Ingress,
  schedules: readonly Schedule[],
  clock: Clock,
): Promise<void> {
  for (const schedule of schedules) await enqueueSlot(ingress, schedule, clock.now().getTime());
}

async function enqueueSlot(
  ingress: Ingress,
  { service, job, everyMs }: Schedule,
  nowMs: number,
): Promise<void> {
  const slot = Math.floor(nowMs / everyMs);
  const sinceMs = nowMs - slot * everyMs;
  for (let retry = 0; sinceMs >= retryDelayMs * (2 ** retry - 1); retry++) {
    const id = retry === 0 ? `${job}:${slot}` : `${job}:${slot}:${retry}`;
    const receipt = await ingress.send(id, { service, key: job, handler: 'run' });
    if (receipt.isNew || (await ingress.readStatus(receipt)) !== 'failed') return;
  }
}

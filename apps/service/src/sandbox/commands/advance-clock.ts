/**
 * The clock on its way: from one thing that is due to the next, and nothing is due behind it. What is due first is
 * fired first, and all that comes of it has ended before the next. It begins with what is due already, and with
 * what stores have not been sent yet.
 */

import { listPendingSends } from '../../delivery/face.ts';
import { freezeClockAt } from '../../identity/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { hasUnsequencedEvents } from '../../platform/db/events.ts';
import { markDuplicateTimersFired, findNextTimer } from '../../platform/engine/frozen-clock.ts';
import type { EngineMessage } from '../../platform/engine/outbox.ts';
import { hasEventsInFlight } from '../../webhooks/face.ts';
import type { SandboxClock } from '../domain/clock.ts';
import { lockClock, updateClock } from '../store/clocks.ts';
import { resumeClock } from './set-clock.ts';

type Fire = { readonly kind: 'fire'; readonly timer: string; readonly message: EngineMessage };
type Flush = { readonly kind: 'flush'; readonly messages: readonly EngineMessage[] };
export type ClockStep = Fire | Flush | { readonly kind: 'wait' | 'arrived' };

const arrived: ClockStep = { kind: 'arrived' };
/** All has happened, but not all of it can be read. */
const wait: ClockStep = { kind: 'wait' };

/** `isPatient`: whether it may wait for what cannot be read yet; a partner may announce faster than we number. */
export async function nextClockStep(tx: Tx, mayWait: boolean): Promise<ClockStep> {
  const clock = await lockClock(tx);
  if (clock.advancingTo === null) return arrived;
  // In this order: what is sent no more has set its timers by then.
  const [isBusy, next] = await Promise.all([hasEventsInFlight(tx), findNextTimer(tx)]);
  const isDue = next !== undefined && next.dueAt <= tx.now;
  if (!isDue && !clock.hasFlushed) return { kind: 'flush', messages: await listPendingSends(tx) };
  // What was announced just now reaches webhooks before time goes on: retries count from their first attempt.
  if (!isDue && mayWait && isBusy) return wait;
  if (next === undefined || next.dueAt > clock.advancingTo) {
    if (mayWait && (await hasUnsequencedEvents(tx))) return wait;
    await finishAdvance(tx, clock, clock.advancingTo);
    return arrived;
  }
  if (!isDue) freezeClockAt(tx, next.dueAt);
  markDuplicateTimersFired(tx, next);
  return { kind: 'fire', timer: next.ref, message: next.message };
}

export async function markFlushed(tx: Tx): Promise<void> {
  updateClock(tx, { ...(await lockClock(tx)), hasFlushed: true });
}

async function finishAdvance(tx: Tx, clock: SandboxClock, at: Date): Promise<void> {
  updateClock(tx, { ...clock, advancingTo: null });
  if (clock.mode === 'manual') freezeClockAt(tx, at);
  else await resumeClock(tx, at);
}

/**
 * Advances the sandbox's clock from one due timer to the next, in order. A timer's handler, and everything it
 * causes, has ended before the next timer fires, so no timer stays due behind the clock. The advance begins
 * with the timers that are due already and the messages that stores have not been sent yet.
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
/** Nothing is due, but events are not sequenced yet, or not sent to endpoints that answer. */
const wait: ClockStep = { kind: 'wait' };

/** `mayWait` false: does not wait for unsequenced events, which a partner can create faster than we sequence them. */
export async function nextClockStep(tx: Tx, mayWait: boolean): Promise<ClockStep> {
  const clock = await lockClock(tx);
  if (clock.advancingTo === null) return arrived;
  // In this order: an attempt that is no longer in flight has set its retry timer.
  const [hasInFlight, next] = await Promise.all([hasEventsInFlight(tx), findNextTimer(tx)]);
  const isDue = next !== undefined && next.dueAt <= tx.now;
  if (!isDue && !clock.hasFlushed) return { kind: 'flush', messages: await listPendingSends(tx) };
  // New events and retries reach endpoints before the clock moves: the next retry counts from this attempt. The clock
  // does not wait for an endpoint that hangs.
  if (!isDue && mayWait && hasInFlight) return wait;
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

/**
 * The clock while the fictional catalogue is made. It starts in the past and is moved to the present, from one due timer
 * to the next, so that the catalogue has a history: releases came out, stores answered, or confirmed by their silence.
 */

import { freezeClockAt } from '../../identity/face.ts';
import { addMs, dayMs } from '../../kernel/duration.ts';
import type { Tx } from '../../platform/db/database.ts';
import { findNextTimer, markDuplicateTimersFired } from '../../platform/engine/frozen-clock.ts';
import type { HandlerCall } from '../../platform/engine/workflow.ts';
import { clearFailingSince, webhookDispatcherService } from '../../webhooks/face.ts';
import { lockClock } from '../store/clocks.ts';

/** Retries of webhooks wait for the end of the reset: an endpoint that is down must not make the reset slow. */
export const waitingServices: readonly string[] = [webhookDispatcherService];

/** Five days of failures disable a webhook (contract §3): between two moves, which clear them, fewer pass. */
const moveMs = 2 * dayMs;

export async function setClockBack(tx: Tx, daysAgo: number): Promise<void> {
  await lockClock(tx);
  freezeClockAt(tx, addMs(tx.realNow, -daysAgo * dayMs));
}

export type ClockMove = { readonly to: string; readonly isLast: boolean };

/** The next part of the way to `daysAgo`. The failures of webhooks are cleared: business time passes too quickly. */
export async function planClockMove(tx: Tx, daysAgo: number): Promise<ClockMove> {
  clearFailingSince(tx);
  const end = addMs(tx.realNow, -daysAgo * dayMs);
  const next = addMs(tx.now, moveMs);
  const isLast = end <= next;
  return { to: (isLast ? end : next).toISOString(), isLast };
}

/** Moves the clock to the next due timer, at most to `target`; null: it has arrived there. */
export async function moveToNextTimer(tx: Tx, target: Date): Promise<HandlerCall | null> {
  await lockClock(tx);
  const next = await findNextTimer(tx, waitingServices);
  if (next === undefined || next.dueAt > target) {
    freezeClockAt(tx, target);
    return null;
  }
  if (next.dueAt > tx.now) freezeClockAt(tx, next.dueAt);
  markDuplicateTimersFired(tx, next);
  return { message: next.message, timer: next.ref };
}

/** What a partner does with the clock: advance it, freeze it (`manual`), let it run. */

import { findBusinessTime, freezeClockAt, resumeClockFrom } from '../../identity/face.ts';
import type { Changed } from '../../kernel/changed.ts';
import { addMs } from '../../kernel/duration.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { rescheduleTimers, lockTimerScheduling } from '../../platform/engine/frozen-clock.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import {
  type ClockMode,
  refuseTarget,
  refuseWhileAdvancing,
  type SandboxClock,
} from '../domain/clock.ts';
import { durationMs } from '../domain/duration.ts';
import { refuseWhileRunning } from '../domain/reset.ts';
import { runClockAdvance } from '../messages.ts';
import { lockClock, updateClock } from '../store/clocks.ts';
import { findReset } from '../store/resets.ts';

export type ClockAdvance =
  | { readonly field: 'by'; readonly by: string }
  | { readonly field: 'to'; readonly to: Date };

/** A clock before and after a change, and the time it shows. */
export type ChangedClock = Changed<SandboxClock> & { readonly now: Date };

/** Freezes the clock; the workflow `sandbox-clocks` advances it. */
export async function requestClockAdvance(tx: Tx, advance: ClockAdvance): Promise<ChangedClock> {
  const clock = await lockClock(tx);
  enforce(refuseWhileAdvancing(clock) ?? refuseWhileRunning(await findReset(tx, tx.orgId)));
  const now = await freezeClockNow(tx);
  const requested = advance.field === 'to' ? advance.to : addMs(now, durationMs(advance.by));
  // A running clock may pass the requested time between the begin of this transaction and the freeze.
  const target = requested < now && requested >= tx.now ? now : requested;
  enforce(refuseTarget(target, { now, realNow: tx.realNow }, advance.field));
  const advancing = { ...clock, advancingTo: target, hasFlushed: false };
  updateClock(tx, advancing);
  enqueueDurablyInRealTime(tx, runClockAdvance(tx.orgId));
  return { before: clock, after: advancing, now };
}

/** Returns business time. Not `tx.now`: the clock may have run while this transaction waited for the lock. */
export async function freezeClockNow(tx: Tx): Promise<Date> {
  const now = await findBusinessTime(tx, tx.orgId, tx.readClock);
  freezeClockAt(tx, now);
  return now;
}

/** `manual` stops an advance where it is. */
export async function setClockMode(tx: Tx, mode: ClockMode): Promise<ChangedClock> {
  const clock = await lockClock(tx);
  enforce(mode === 'manual' ? undefined : refuseWhileAdvancing(clock));
  enforce(refuseWhileRunning(await findReset(tx, tx.orgId)));
  if (mode === clock.mode && clock.advancingTo === null)
    return {
      before: clock,
      after: clock,
      now: await findBusinessTime(tx, tx.orgId, tx.readClock),
    };
  const now = await freezeClockNow(tx);
  const next = { ...clock, mode, advancingTo: null };
  updateClock(tx, next);
  if (mode === 'running') await resumeClock(tx, now);
  return { before: clock, after: next, now };
}

/** Business time runs from `from` on, with real time. */
export async function resumeClock(tx: Tx, from: Date): Promise<void> {
  await lockTimerScheduling(tx);
  resumeClockFrom(tx, from);
  await rescheduleTimers(tx, from);
}

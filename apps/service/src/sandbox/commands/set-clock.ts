/** What a partner asks of the clock: to be moved, to stand still, to run. */
import { holdClock, runClock } from '../../identity/face.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { askForTimers, closeClock } from '../../platform/engine/moving-clock.ts';
import { assignInRealTime } from '../../platform/engine/timers.ts';
import {
  type ClockMode,
  refuseTarget,
  refuseWhileAdvancing,
  type SandboxClock,
} from '../domain/clock.ts';
import { durationMs } from '../domain/duration.ts';
import { moveClock } from '../events.ts';
import { lockClock, updateClock } from '../store/clocks.ts';

/** Either how far or where to. */
export type Advance =
  | { readonly field: 'by'; readonly by: string }
  | { readonly field: 'to'; readonly to: Date };

/** The clock is held at once, and moved by the engine. */
export async function advanceClock(tx: Tx, advance: Advance): Promise<SandboxClock> {
  const clock = await lockClock(tx);
  enforce(refuseWhileAdvancing(clock));
  const target =
    advance.field === 'to' ? advance.to : new Date(tx.now.getTime() + durationMs(advance.by));
  enforce(refuseTarget(target, tx, advance.field));
  const advancing = { ...clock, advancingTo: target, hasFlushed: false };
  updateClock(tx, advancing);
  holdClock(tx, tx.now);
  assignInRealTime(tx, moveClock(tx.orgId));
  return advancing;
}

export async function setClockMode(tx: Tx, mode: ClockMode): Promise<SandboxClock> {
  const clock = await lockClock(tx);
  enforce(refuseWhileAdvancing(clock));
  if (mode === clock.mode) return clock;
  const next = { ...clock, mode };
  updateClock(tx, next);
  if (mode === 'manual') holdClock(tx, tx.now);
  else await letGo(tx, tx.now);
  return next;
}

/** Business time goes on from there, with real time. */
export async function letGo(tx: Tx, from: Date): Promise<void> {
  await closeClock(tx);
  runClock(tx, from);
  await askForTimers(tx, from);
}

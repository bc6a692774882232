import type { Changed } from '../../kernel/changed.ts';
import { enforce, Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { cancelTimer, setTimer } from '../../platform/engine/timers.ts';
import {
  nextMonthlyPayout,
  parseMinimum,
  type PayoutMode,
  type PayoutSettings,
  refuseMinimum,
  type SentMinimum,
} from '../domain/payout-settings.ts';
import { runPayoutSchedule } from '../messages.ts';
import {
  lockPayoutSettings,
  type ScheduledSettings,
  writeSchedule,
} from '../store/payout-settings.ts';

export type EditPayoutScheduleRequest = {
  readonly mode: PayoutMode | undefined;
  /** Replaces all amounts. Undefined: they stay as they are. */
  readonly minimum: SentMinimum | undefined;
  /** Whether the schedule still has the ETag that the caller sent (If-Match). */
  readonly isExpected: (settings: PayoutSettings) => boolean;
};

export async function editPayoutSchedule(
  tx: Tx,
  { mode, minimum, isExpected }: EditPayoutScheduleRequest,
): Promise<Changed<PayoutSettings>> {
  const before = await lockPayoutSettings(tx);
  if (!isExpected(before.settings)) {
    throw new Problem(
      'precondition_failed',
      'The payout schedule has changed since you read it. Read it again, apply your change to it, and send its new ETag.',
    );
  }
  if (minimum !== undefined) enforce(refuseMinimum(minimum));
  const edited = {
    ...before,
    settings: {
      ...before.settings,
      ...(minimum !== undefined && { minimum: parseMinimum(minimum) }),
    },
  };
  const after = await withMode(tx, edited, mode ?? before.settings.mode);
  writeSchedule(tx, after);
  return { before: before.settings, after: after.settings };
}

/** Sets the timer of the next automatic payout, or cancels it. */
async function withMode(
  tx: Tx,
  { settings, timer }: ScheduledSettings,
  mode: PayoutMode,
): Promise<ScheduledSettings> {
  if (mode === settings.mode) return { settings, timer };
  if (mode === 'monthly') {
    const nextPayoutAt = nextMonthlyPayout(tx.now);
    const next = setTimer(tx, nextPayoutAt, runPayoutSchedule(tx.orgId));
    return { settings: { ...settings, mode, nextPayoutAt }, timer: next };
  }
  if (timer !== null) await cancelTimer(tx, timer);
  return { settings: { ...settings, mode, nextPayoutAt: null }, timer: null };
}

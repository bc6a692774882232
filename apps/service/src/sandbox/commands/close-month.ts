/** The steps of a month that the partner's clock closes. */

import { addMs, minuteMs } from '../../kernel/duration.ts';
import { toWire } from '../../kernel/ids.ts';
import type { Month } from '../../kernel/month.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setRealTimer, setTimer } from '../../platform/engine/timers.ts';
import { nextMonthStep } from '../../royalties/face.ts';
import { monthClosedAt, nextClosing } from '../domain/closing.ts';
import { closeMonth } from '../messages.ts';
import { findClosing, updateClosing } from '../store/closings.ts';
import { copyReportStatuses } from '../store/sandbox-reports.ts';

/** Of migration 0034. Reports are in the currency of statements: rates are needed only after that was changed. */
const fxSetId = toWire('fxs', '00000000-0000-7000-8000-000000000001');

/** Null: no month is due, because it is closed or the sandbox was reset. */
export async function findDueMonth(tx: Tx): Promise<Month | null> {
  const closesAt = await findClosing(tx);
  return closesAt === undefined || closesAt > tx.now ? null : monthClosedAt(closesAt);
}

/** Null after a reset. */
export const nextStepOf = async (tx: Tx, month: Month) =>
  (await findDueMonth(tx)) === month ? nextMonthStep(tx, { month, fxSetId }) : null;

/** Counts from the closing itself: after a pause of the service, months close one after the other. */
export async function scheduleNextClosing(tx: Tx, month: Month): Promise<void> {
  const closesAt = await findClosing(tx);
  if (closesAt === undefined || monthClosedAt(closesAt) !== month) return;
  copyReportStatuses(tx);
  const next = nextClosing(closesAt);
  updateClosing(tx, next);
  setTimer(tx, next, closeMonth(tx.orgId));
}

/** A part of the calculation was given up for now. */
const retryAfterMs = 2 * minuteMs;

export async function retryClosing(tx: Tx): Promise<void> {
  setRealTimer(tx, addMs(tx.realNow, retryAfterMs), closeMonth(tx.orgId));
}

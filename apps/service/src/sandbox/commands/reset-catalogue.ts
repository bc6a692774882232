/** The reset of a sandbox: the request, and the removal of the catalogue. */

import { expireAsset } from '../../assets/face.ts';
import {
  hasFreeUpc,
  hasIsrcRegistrant,
  isVerified,
  presentOrganization,
  resetClock,
  setVerification,
  verified,
} from '../../identity/face.ts';
import type { Changed } from '../../kernel/changed.ts';
import { enforce } from '../../kernel/problem.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { rescheduleTimers, lockTimerScheduling } from '../../platform/engine/frozen-clock.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import { defaultClock } from '../domain/clock.ts';
import {
  refuseRoyaltiesWithoutSeed,
  refuseWhileRunning,
  refuseWithoutCodes,
  type Reset,
} from '../domain/reset.ts';
import { runCatalogueReset } from '../messages.ts';
import { lockClock, updateClock } from '../store/clocks.ts';
import { findReset, removeRows, type ResetWishes, startReset } from '../store/resets.ts';
import { freezeClockNow } from './set-clock.ts';

/** Refuses a reset that could not seed, before anything is removed. */
export async function requestReset(tx: Tx, wishes: ResetWishes): Promise<Changed<Reset>> {
  enforce(refuseRoyaltiesWithoutSeed(wishes));
  const [before, hasUpc, hasIsrc] = await Promise.all([
    findReset(tx, tx.orgId),
    hasFreeUpc(tx),
    hasIsrcRegistrant(tx),
  ]);
  if (wishes.wantsSeed) enforce(refuseWithoutCodes({ hasUpc, hasIsrc }));
  const after = await startReset(tx, wishes);
  if (after === undefined) {
    enforce(refuseWhileRunning(await findReset(tx, tx.orgId)));
    throw new Error('a reset was not started although none is running');
  }
  enqueueDurablyInRealTime(tx, runCatalogueReset(tx.orgId));
  return { before, after };
}

/** Otherwise the deliveries of the fictional catalogue would wait. */
export async function endScriptedVerification(tx: Tx): Promise<void> {
  if (await isVerified(tx)) return;
  const { before, organization } = await setVerification(tx, verified, 'sandbox');
  appendAudit(tx, {
    action: 'sandbox.verification.set',
    auditedId: tx.orgId,
    before: presentOrganization(before, 'sandbox'),
    after: presentOrganization(organization, 'sandbox'),
  });
}

/** Stops an advance and freezes the clock, so that no timer becomes due while the catalogue is removed. */
export async function cancelAdvanceAndFreeze(tx: Tx): Promise<void> {
  const clock = await lockClock(tx);
  updateClock(tx, { ...clock, advancingTo: null });
  await freezeClockNow(tx);
}

/** The clock shows real time and runs. */
export async function restoreRealTime(tx: Tx): Promise<void> {
  await lockClock(tx);
  updateClock(tx, defaultClock);
  await lockTimerScheduling(tx);
  resetClock(tx);
  await rescheduleTimers(tx, tx.realNow);
}

const rowsAtOnce = 500;

/** Returns whether there may be more rows. The assets' workflow deletes the files of removed assets. */
export async function removeCatalogueBatch(tx: Tx): Promise<boolean> {
  const { wasEmpty, assetIds } = await removeRows(tx, rowsAtOnce);
  for (const id of assetIds) enqueueDurablyInRealTime(tx, expireAsset(tx.orgId, id));
  return !wasEmpty;
}

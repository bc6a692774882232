/** Messages to the engine: which handler of the money slice runs, on which key. */

import { type OrgId, toUuid } from '../kernel/ids.ts';
import { entityRefOf } from '../platform/engine/lanes.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';
import type { PayoutId } from './domain/payout.ts';

export const payoutService = 'payouts';

/**
 * cutOff: the payment is sent if no hold is open. ask: what has become of it at the rail. expire: 30 days after the
 * creation. checkHolds: a cause of a hold may be gone.
 */
export type PayoutHandler = 'cutOff' | 'ask' | 'expire' | 'checkHolds';

export const wakePayout = (orgId: OrgId, id: PayoutId, handler: PayoutHandler): EngineMessage => ({
  service: payoutService,
  key: entityRefOf(orgId, id),
  handler,
});

/** The automatic payouts of an organization. */
export const payoutScheduleService = 'payout-schedules';
export const runPayoutSchedule = (orgId: OrgId): EngineMessage => ({
  service: payoutScheduleService,
  key: toUuid(orgId),
  handler: 'run',
});

import type { Changed } from '../../kernel/changed.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type PayoutWithHolds, presentPayout } from '../domain/present-payout.ts';

/** For changes that no request and no operator asked for. */
export const auditPayout = (
  tx: Tx,
  action: `payout.${string}`,
  { before, after }: Changed<PayoutWithHolds>,
): void =>
  appendAudit(tx, {
    action,
    auditedId: after.payout.id,
    before: presentPayout(before),
    after: presentPayout(after),
  });

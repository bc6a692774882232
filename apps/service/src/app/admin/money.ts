/** The ledger: adjustments, earning holds and its verification. */

import { requireOrganization } from '../../identity/commands/provision.ts';
import { type Isrc, parseIsrc } from '../../kernel/isrc.ts';
import { createAdjustment } from '../../money/commands/create-adjustment.ts';
import { holdEarnings } from '../../money/commands/hold-earnings.ts';
import { forfeitEarnings, releaseEarnings } from '../../money/commands/settle-earnings.ts';
import { verifyLedger } from '../../money/commands/verify-ledger.ts';
import { adjustmentTypes } from '../../money/domain/adjustment.ts';
import { earningHoldReasons } from '../../money/domain/earning-hold.ts';
import { presentBroken } from '../../money/domain/ledger-verification.ts';
import { presentAdjustment, presentEarningHold } from '../../money/domain/present-ledger.ts';
import { organizationsWithLedger } from '../../money/store/ledger-verifications.ts';
import { type Commands, oneOf, orgId, required, UsageError } from './command.ts';
import { amountOf, currencyOf, idOf, optionalAmount, optionalDate } from './money-flags.ts';

export const moneyCommands: Commands = {
  'adjustments create': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const content = {
        type: oneOf(flags, 'type', adjustmentTypes),
        currency: currencyOf(flags),
        grossAmount: amountOf(flags, 'amount'),
        feeAmount: optionalAmount(flags, 'fee'),
        taxAmount: optionalAmount(flags, 'tax'),
        reason: required(flags, 'reason'),
        refersTo: flags['refers-to'] ?? null,
      };
      await requireOrganization(tx);
      const adjustment = createAdjustment(tx, content);
      return { auditedId: adjustment.id, shown: presentAdjustment(adjustment) };
    },
  },
  'earnings hold': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const content = {
        reason: oneOf(flags, 'reason', earningHoldReasons),
        currency: currencyOf(flags),
        amount: amountOf(flags, 'amount'),
        storeId: flags['store'] ?? null,
        isrc: isrcOf(flags['isrc']),
        periodStart: optionalDate(flags, 'period-start'),
        periodEnd: optionalDate(flags, 'period-end'),
        evidence: flags['evidence'] ?? null,
        reportId: null,
        reviewBy: optionalDate(flags, 'review-by'),
      };
      await requireOrganization(tx);
      const hold = await holdEarnings(tx, content);
      return { auditedId: hold.id, shown: presentEarningHold(hold) };
    },
  },
  'earnings release': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const { before, after } = await releaseEarnings(tx, idOf(flags, 'hold', 'hld'));
      return {
        auditedId: after.id,
        before: presentEarningHold(before),
        shown: presentEarningHold(after),
      };
    },
  },
  'earnings forfeit': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const { before, after, penalty } = await forfeitEarnings(tx, idOf(flags, 'hold', 'hld'));
      const adjustment = presentAdjustment(penalty);
      return {
        auditedId: after.id,
        before: presentEarningHold(before),
        after: presentEarningHold(after),
        shown: { ...presentEarningHold(after), penalty: adjustment },
        alsoChanged: [{ auditedId: penalty.id, before: undefined, after: adjustment }],
      };
    },
  },
  'ledger verify': {
    orgOf: ({ org }) => (org === undefined ? 'everywhere' : orgId(org)),
    organizations: organizationsWithLedger,
    run: async (tx, flags) => {
      const isFromStart =
        flags['from'] !== undefined && oneOf(flags, 'from', ['start']) === 'start';
      if (flags['org'] !== undefined) await requireOrganization(tx);
      const { entriesChecked, firstBroken, clearing } = await verifyLedger(tx, isFromStart);
      const shown = {
        org_id: tx.orgId,
        intact: firstBroken === null,
        entries_checked: entriesChecked,
        first_broken: firstBroken && presentBroken(firstBroken),
      };
      const zeroInTotal = clearing.map(({ currency, balance }) => ({
        name: `clearing ${currency}`,
        amount: balance,
      }));
      return { auditedId: tx.orgId, shown, zeroInTotal };
    },
  },
};

function isrcOf(text: string | undefined): Isrc | null {
  if (text === undefined) return null;
  const isrc = parseIsrc(text);
  if (isrc === undefined) throw new UsageError('--isrc must be an ISRC such as QZ-ABC-26-00001.');
  return isrc;
}

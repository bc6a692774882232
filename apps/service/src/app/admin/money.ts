/** The ledger: adjustments, earning holds and its verification. */

import { requireOrganization } from '../../identity/commands/provision.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { toMicros } from '../../kernel/money.ts';
import { createAdjustment } from '../../money/commands/create-adjustment.ts';
import { holdEarnings } from '../../money/commands/hold-earnings.ts';
import { forfeitEarnings, releaseEarnings } from '../../money/commands/settle-earnings.ts';
import { verifyLedger } from '../../money/commands/verify-ledger.ts';
import { adjustmentTypes } from '../../money/domain/adjustment.ts';
import { earningHoldReasons } from '../../money/domain/earning-hold.ts';
import { presentBroken } from '../../money/domain/ledger-verification.ts';
import { presentAdjustment, presentEarningHold } from '../../money/domain/present-ledger.ts';
import { organizationsWithLedger } from '../../money/store/ledger-verifications.ts';
import { command, type Commands, ofOrganization } from './command.ts';
import {
  amount,
  choice,
  currency,
  date,
  id,
  isrc,
  multilineText,
  orgFlag,
  storeId,
  text,
} from './flag-types.ts';
import { optional, required } from './flag.ts';

const zero = toMicros(0n);

export const moneyCommands: Commands = {
  'adjustments create': command({
    summary: 'add the amount - fee - tax to the balance',
    flags: {
      org: orgFlag,
      type: required(choice(adjustmentTypes, 'TYPE')),
      currency: required(currency),
      amount: required(amount, 'before fee and tax; write a negative amount as --amount=-12.50'),
      fee: optional(amount),
      tax: optional(amount),
      reason: required(multilineText),
      'refers-to': optional(text('stm_…|hld_…|pay_…|adj_…')),
    },
    orgOf: ofOrganization,
    run: async (tx, flags) => {
      await requireOrganization(tx);
      const adjustment = createAdjustment(tx, {
        type: flags.type,
        currency: flags.currency,
        grossAmount: flags.amount,
        feeAmount: flags.fee ?? zero,
        taxAmount: flags.tax ?? zero,
        reason: flags.reason,
        refersTo: flags['refers-to'] ?? null,
      });
      return { auditedId: adjustment.id, shown: presentAdjustment(adjustment) };
    },
  }),
  'earnings hold': command({
    summary: 'keep earnings out of the available balance',
    flags: {
      org: orgFlag,
      currency: required(currency),
      amount: required(amount),
      reason: required(choice(earningHoldReasons, 'REASON')),
      store: optional(storeId),
      isrc: optional(isrc),
      'period-start': optional(date),
      'period-end': optional(date),
      evidence: optional(text()),
      'review-by': optional(date),
    },
    orgOf: ofOrganization,
    run: async (tx, flags) => {
      await requireOrganization(tx);
      const hold = await holdEarnings(tx, {
        reason: flags.reason,
        currency: flags.currency,
        amount: flags.amount,
        storeId: flags.store ?? null,
        isrc: flags.isrc ?? null,
        periodStart: flags['period-start'] ?? null,
        periodEnd: flags['period-end'] ?? null,
        evidence: flags.evidence ?? null,
        reportId: null,
        reviewBy: flags['review-by'] ?? null,
      });
      return { auditedId: hold.id, shown: presentEarningHold(hold) };
    },
  }),
  'earnings release': command({
    summary: 'pay the held earnings after all, the whole hold',
    flags: { org: orgFlag, hold: required(id('hld')) },
    orgOf: ofOrganization,
    run: async (tx, { hold }) => {
      const { before, after } = await releaseEarnings(tx, hold);
      return {
        auditedId: after.id,
        before: presentEarningHold(before),
        shown: presentEarningHold(after),
      };
    },
  }),
  'earnings forfeit': command({
    summary: 'give the held earnings back to the store, the whole hold',
    flags: { org: orgFlag, hold: required(id('hld')) },
    orgOf: ofOrganization,
    run: async (tx, { hold }) => {
      const { before, after, penalty } = await forfeitEarnings(tx, hold);
      const adjustment = presentAdjustment(penalty);
      return {
        auditedId: after.id,
        before: presentEarningHold(before),
        after: presentEarningHold(after),
        shown: { ...presentEarningHold(after), penalty: adjustment },
        alsoChanged: [{ auditedId: penalty.id, before: undefined, after: adjustment }],
      };
    },
  }),
  'ledger verify': command({
    summary: 'add the ledger up: its entries since the last verification, or all',
    flags: {
      org: optional(id('org'), 'without it, every organization'),
      from: optional(choice(['start']), 'all entries'),
    },
    orgOf: ({ org }): OrgId | 'everywhere' => org ?? 'everywhere',
    organizations: organizationsWithLedger,
    run: async (tx, { org, from }) => {
      if (org !== undefined) await requireOrganization(tx);
      const { entriesChecked, firstBroken, clearing } = await verifyLedger(tx, from === 'start');
      const shown = {
        org_id: tx.orgId,
        intact: firstBroken === null,
        entries_checked: entriesChecked,
        first_broken: firstBroken && presentBroken(firstBroken),
      };
      const zeroInTotal = clearing.map(({ currency: code, balance }) => ({
        name: `clearing ${code}`,
        amount: balance,
      }));
      return { auditedId: tx.orgId, shown, zeroInTotal };
    },
  }),
};

/** What stores paid, and whether their reports wait for it. */

import type { Currency } from '../../kernel/currency.ts';
import { type Micros, toMicros } from '../../kernel/money.ts';
import {
  decideRemittance,
  remittanceNotFound,
} from '../../royalties/commands/decide-remittance.ts';
import { recordRemittance } from '../../royalties/commands/record-remittance.ts';
import { presentRemittance } from '../../royalties/domain/present-rules.ts';
import { remittanceDecisions } from '../../royalties/domain/remittance.ts';
import {
  findSettling,
  listRemittances,
  lockRemittance,
} from '../../royalties/store/remittances.ts';
import { readUnpaidReports } from '../../royalties/store/run-rules.ts';
import { command, type Commands, ofPlatform, onlyReads } from './command.ts';
import { amount, choice, currency, date, id, list, storeId, text } from './flag-types.ts';
import { optional, required, UsageError } from './flag.ts';

const zero = toMicros(0n);

export const remittanceCommands: Commands = {
  'remittances record': command({
    summary: 'record what a store paid',
    flags: {
      store: required(storeId),
      reference: required(text(), 'of the bank: the same payment again changes nothing'),
      currency: required(currency),
      amount: required(amount, 'with the tax that the store withheld'),
      'source-tax': optional(amount),
      'settled-currency': optional(currency, 'if the bank exchanged it'),
      'settled-amount': optional(amount, "before the bank's fee"),
      'bank-fee': optional(amount),
      'value-date': required(date),
      reports: optional(list(id('rpt'))),
      completes: optional(id('rmt'), 'the remittance that this one completes'),
    },
    exactlyOne: ['reports', 'completes'],
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      const sourceTax = flags['source-tax'] ?? zero;
      const content = {
        storeId: flags.store,
        reference: flags.reference,
        currency: flags.currency,
        amount: flags.amount,
        sourceTax,
        ...settledOf(flags, sourceTax),
        bankFee: flags['bank-fee'] ?? zero,
        valueDate: flags['value-date'],
      };
      const { completes, reports } = flags;
      const remittance = await recordRemittance(
        tx,
        completes === undefined ? { ...content, reportIds: reports } : { ...content, completes },
      );
      return { auditedId: remittance.id, shown: presentRemittance(remittance) };
    },
  }),
  'remittances list': command({
    summary: 'list the newest 100',
    flags: { store: optional(storeId) },
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx, { store }) => {
      const found = await listRemittances(tx, tx.orgId, store ?? null);
      return { auditedId: 'remittances', shown: { remittances: found.map(presentRemittance) } };
    },
  }),
  'remittances show': command({
    summary: 'show a remittance with all payments of its reports',
    flags: { remittance: required(id('rmt')) },
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx, { remittance }) => {
      const found = await lockRemittance(tx, remittance);
      if (found === undefined) throw remittanceNotFound(remittance);
      const all = await findSettling(tx, tx.orgId, [found.completes ?? remittance]);
      return {
        auditedId: remittance,
        shown: {
          ...presentRemittance(found),
          payments: all.map(presentRemittance),
        },
      };
    },
  }),
  'remittances due': command({
    summary: 'list the reports that wait for a remittance or a decision',
    flags: {},
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx) => {
      const unpaid = await readUnpaidReports(tx, tx.orgId);
      const shown = unpaid.map((report) => ({
        report_id: report.reportId,
        store_id: report.storeId,
        unpaid: report.unpaid.map(({ currency: code, due }) => ({
          currency: code,
          due_amount: due,
        })),
      }));
      return { auditedId: 'remittances', shown: { reports: shown } };
    },
  }),
  'remittances decide': command({
    summary: 'decide what becomes of reports that were not paid exactly',
    flags: { remittance: required(id('rmt')), as: required(choice(remittanceDecisions)) },
    orgOf: ofPlatform,
    run: async (tx, { remittance, as: decision }) => {
      const { before, after } = await decideRemittance(tx, remittance, decision);
      return {
        auditedId: remittance,
        before: presentRemittance(before),
        shown: presentRemittance(after),
      };
    },
  }),
};

type Payment = {
  readonly currency: Currency;
  readonly amount: Micros;
  readonly 'settled-currency': Currency | undefined;
  readonly 'settled-amount': Micros | undefined;
};

/** Without a settled amount, the payment arrived as it was sent. */
function settledOf(payment: Payment, sourceTax: Micros) {
  const { 'settled-currency': exchanged, 'settled-amount': settledAmount } = payment;
  if (exchanged !== undefined && settledAmount === undefined) {
    throw new UsageError('--settled-amount is required with --settled-currency.');
  }
  return {
    settledCurrency: exchanged ?? payment.currency,
    settledAmount: settledAmount ?? toMicros(payment.amount - sourceTax),
  };
}

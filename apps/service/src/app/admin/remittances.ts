/** What stores paid, and whether their reports wait for it. */

import { parseId } from '../../kernel/ids.ts';
import { toMicros } from '../../kernel/money.ts';
import { Problem } from '../../kernel/problem.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { payOnValues, setPayOn, setReportDueDays } from '../../network/face.ts';
import {
  decideRemittance,
  remittanceNotFound,
} from '../../royalties/commands/decide-remittance.ts';
import {
  type NewRemittance,
  recordRemittance,
} from '../../royalties/commands/record-remittance.ts';
import { presentRemittance } from '../../royalties/domain/present-rules.ts';
import { remittanceDecisions } from '../../royalties/domain/remittance.ts';
import type { ReportId } from '../../royalties/domain/report.ts';
import {
  findSettling,
  listRemittances,
  lockRemittance,
} from '../../royalties/store/remittances.ts';
import { readUnpaidReports } from '../../royalties/store/run-rules.ts';
import { type Commands, type Flags, oneOf, required, UsageError } from './command.ts';
import { amountOf, currencyOf, dateOf, idOf, optionalAmount } from './money-flags.ts';

export const remittanceCommands: Commands = {
  'remittances record': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const remittance = await recordRemittance(tx, paymentOf(flags));
      return { auditedId: remittance.id, shown: presentRemittance(remittance) };
    },
  },
  'remittances decide': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const id = idOf(flags, 'remittance', 'rmt');
      const decision = oneOf(flags, 'as', remittanceDecisions);
      const { before, after } = await decideRemittance(tx, id, decision);
      return {
        auditedId: id,
        before: presentRemittance(before),
        shown: presentRemittance(after),
      };
    },
  },
  'remittances list': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const found = await listRemittances(tx, tx.orgId, flags['store'] ?? null);
      return { auditedId: 'remittances', shown: { remittances: found.map(presentRemittance) } };
    },
  },
  'remittances show': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const id = idOf(flags, 'remittance', 'rmt');
      const found = await lockRemittance(tx, id);
      if (found === undefined) throw remittanceNotFound(id);
      const all = await findSettling(tx, tx.orgId, [found.completes ?? id]);
      return {
        auditedId: id,
        shown: {
          ...presentRemittance(found),
          payments: all.map(presentRemittance),
        },
      };
    },
  },
  'remittances due': {
    orgOf: () => systemOrgId,
    run: async (tx) => {
      const unpaid = await readUnpaidReports(tx, tx.orgId);
      const shown = unpaid.map((report) => ({
        report_id: report.reportId,
        store_id: report.storeId,
        unpaid: report.unpaid.map(({ currency, due }) => ({ currency, due_amount: due })),
      }));
      return { auditedId: 'remittances', shown: { reports: shown } };
    },
  },
  'stores pay-on': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const storeId = required(flags, 'store');
      const payOn = oneOf(flags, 'on', payOnValues);
      const before = await setPayOn(tx, storeId, payOn);
      if (before === undefined) {
        throw new Problem('resource_not_found', `No store has the store_id ${storeId}.`);
      }
      return {
        auditedId: storeId,
        before: { store_id: storeId, pay_on: before },
        shown: { store_id: storeId, pay_on: payOn },
      };
    },
  },
  'stores report-due': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const storeId = required(flags, 'store');
      const days = dueDaysOf(flags);
      const before = await setReportDueDays(tx, storeId, days);
      if (before === undefined) {
        throw new Problem('resource_not_found', `No store has the store_id ${storeId}.`);
      }
      return {
        auditedId: storeId,
        before: { store_id: storeId, report_due_days: before },
        shown: { store_id: storeId, report_due_days: days },
      };
    },
  },
};

const dueDaysMax = 400;

function dueDaysOf(flags: Flags): number {
  const text = required(flags, 'days');
  const days = Number(text);
  if (!/^\d{1,3}$/.test(text) || days > dueDaysMax)
    throw new UsageError(`--days must be a whole number from 0 to ${dueDaysMax}.`);
  return days;
}

/** Without a settled amount, the payment arrived as it was sent. */
function paymentOf(flags: Flags): NewRemittance {
  const currency = currencyOf(flags);
  const amount = amountOf(flags, 'amount');
  const sourceTax = optionalAmount(flags, 'source-tax');
  const isExchanged = flags['settled-currency'] !== undefined;
  const content = {
    storeId: required(flags, 'store'),
    reference: required(flags, 'reference'),
    currency,
    amount,
    sourceTax,
    settledCurrency: isExchanged ? currencyOf(flags, 'settled-currency') : currency,
    settledAmount:
      isExchanged || flags['settled-amount'] !== undefined
        ? amountOf(flags, 'settled-amount')
        : toMicros(amount - sourceTax),
    bankFee: optionalAmount(flags, 'bank-fee'),
    valueDate: dateOf(flags, 'value-date'),
  };
  if ((flags['reports'] === undefined) === (flags['completes'] === undefined)) {
    throw new UsageError(
      'Send --reports, or --completes with the remittance that this one completes.',
    );
  }
  return flags['completes'] === undefined
    ? { ...content, reportIds: reportIdsOf(required(flags, 'reports')) }
    : { ...content, completes: idOf(flags, 'completes', 'rmt') };
}

const reportIdsOf = (text: string): ReportId[] =>
  text.split(',').map((each) => {
    const id = parseId('rpt', each.trim());
    if (id === undefined) throw new UsageError(`--reports must be ids of reports (rpt_… ids).`);
    return id;
  });

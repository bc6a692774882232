/** What stores of `prove money` pay: with tax, exchanged, for several reports at once, short, too much, or later. */

import { toUuid } from '../../src/kernel/ids.ts';
import type { Json } from '../delivery-fixture.ts';
import { type BookedReport, type Payment, storePaidOnReport } from './money-book.ts';
import type { MoneyOffice } from './money-operator.ts';
import { dueOf, formatUnits, type StoreName, storeNames } from './money-world.ts';

const unitsPerCent = 100_000_000n;
const ofCents = (amount: bigint): string =>
  `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
const toCents = (text: string): bigint => BigInt(text.replace('.', ''));

const currencies = ['EUR', 'USD'] as const;

const centsDue = (reports: readonly BookedReport[], currency: string): bigint =>
  reports.reduce((sum, { rows }) => sum + dueOf(rows, currency), 0n) / unitsPerCent;

const newCounts = () => ({
  payments: 0,
  short: 0,
  over: 0,
  late: 0,
  waiting: 0,
  completed: 0,
  joint: 0,
  /** The service says that something else is due. */
  wrong_dues: 0,
});
type Counts = ReturnType<typeof newCounts>;

export async function payStores(office: MoneyOffice, name: string, isLast: boolean) {
  const { random } = office;
  const counts = newCounts();
  await completePayments(office, name, counts);
  if (!(await isDueAsBooked(office))) counts.wrong_dues++;
  for (const store of storeNames.filter((each) => each !== storePaidOnReport)) {
    for (const currency of currencies) {
      const unpaid = unpaidReports(office, store, currency);
      const isJoint = unpaid.length > 1 && random.below(2) === 0;
      if (isJoint) counts.joint++;
      for (const reports of isJoint ? [unpaid] : unpaid.map((report) => [report])) {
        if (!isLast && random.below(5) === 0) counts.late++;
        else await pay(office, { store, currency, reports, name, isLast }, counts);
      }
    }
  }
  return counts;
}

const isPaidIn = ({ book }: MoneyOffice, { id }: BookedReport, currency: string): boolean =>
  book.payments.some((payment) => payment.currency === currency && payment.reports.includes(id));

const unpaidReports = (office: MoneyOffice, store: StoreName, currency: string) =>
  office.book.reports.filter(
    (report) =>
      report.store === store &&
      !report.isSuperseded &&
      dueOf(report.rows, currency) !== 0n &&
      !isPaidIn(office, report, currency),
  );

/** What the service lists as due, before the payments of this month. */
async function isDueAsBooked(office: MoneyOffice): Promise<boolean> {
  const { reports } = await office.stack.admin(['remittances', 'due']);
  const listed = (reports as Json[]).flatMap(({ report_id, unpaid }) =>
    (unpaid as Json[]).map(({ currency, due_amount }) => `${report_id} ${currency} ${due_amount}`),
  );
  const booked = storeNames
    .filter((store) => store !== storePaidOnReport)
    .flatMap((store) =>
      currencies.flatMap((currency) =>
        unpaidReports(office, store, currency).map(
          ({ id, rows }) => `${id} ${currency} ${formatUnits(dueOf(rows, currency))}`,
        ),
      ),
    );
  return listed.toSorted().join() === booked.toSorted().join();
}

type Due = {
  readonly store: StoreName;
  readonly currency: string;
  readonly reports: readonly BookedReport[];
  readonly name: string;
  readonly isLast: boolean;
};

async function pay(office: MoneyOffice, due: Due, counts: Counts): Promise<void> {
  const { random } = office;
  const { store, currency, reports, name, isLast } = due;
  const owed = centsDue(reports, currency);
  const dice = random.below(8);
  const gross = dice < 2 ? (owed * 90n) / 100n : dice === 2 ? owed + 531n : owed;
  const tax = random.below(2) === 0 ? gross / 20n : 0n;
  const isExchanged = random.below(2) === 0;
  const [settledCurrency, rate] = currency === 'EUR' ? ['USD', 108n] : ['EUR', 91n];
  const paid = gross - tax;
  const payment = await record(office, {
    store,
    reports: reports.map(({ id }) => id),
    currency,
    amount: ofCents(gross),
    source_tax: ofCents(tax),
    settled_currency: isExchanged ? settledCurrency : currency,
    settled_amount: ofCents(isExchanged ? (paid * rate) / 100n : paid),
    completes: null,
    reference: `${name} ${reports
      .map(({ id }) => id)
      .join(' ')
      .slice(0, 150)} ${currency}`,
  });
  counts.payments++;
  if (gross === owed) return;
  counts[gross < owed ? 'short' : 'over']++;
  const decisions = ['accept', ...(gross < owed ? ['prorate'] : []), ...(isLast ? [] : ['wait'])];
  const decision = random.pick(decisions) as NonNullable<Payment['decision']>;
  if (decision === 'wait') counts.waiting++;
  await decide(office, payment, decision);
}

/** What was short and waits is paid in the next month; what was too much is accepted. */
async function completePayments(office: MoneyOffice, name: string, counts: Counts) {
  const waiting = office.book.payments.filter(({ decision }) => decision === 'wait');
  for (const first of waiting) {
    const reports = office.book.reports.filter(({ id }) => first.reports.includes(id));
    const rest = centsDue(reports, first.currency) - toCents(first.amount);
    if (rest < 0n) {
      await decide(office, first, 'accept');
      continue;
    }
    const isExchanged = first.settled_currency !== first.currency;
    await record(office, {
      store: first.store,
      reports: [],
      currency: first.currency,
      amount: ofCents(rest),
      source_tax: '0.00',
      settled_currency: first.settled_currency,
      settled_amount: ofCents(isExchanged ? (rest * 97n) / 100n : rest),
      completes: first.id,
      reference: `${name} completes ${first.id}`,
    });
    first.decision = null;
    counts.completed++;
  }
}

type Wish = Omit<Payment, 'id' | 'decision'> & { readonly reference: string };

/** The same reference again answers the payment that exists. */
async function record({ stack, book }: MoneyOffice, wish: Wish): Promise<Payment> {
  const { reference, ...content } = wish;
  const isExchanged = content.settled_currency !== content.currency;
  const fields: Readonly<Record<string, string>> = {
    store: book.storeIds[content.store],
    reference,
    currency: content.currency,
    amount: content.amount,
    'source-tax': content.source_tax,
    'value-date': '2020-01-31',
    ...(content.completes === null
      ? { reports: content.reports.join() }
      : { completes: content.completes }),
    ...(isExchanged && {
      'settled-currency': content.settled_currency,
      'settled-amount': content.settled_amount,
      'bank-fee': '1.50',
    }),
  };
  const flags = Object.entries(fields).map(([flag, value]) => `--${flag}=${value}`);
  const { id } = await stack.admin(['remittances', 'record', ...flags]);
  const payment: Payment = { ...content, id, decision: null };
  book.payments.push(payment);
  return payment;
}

async function decide(
  { stack }: MoneyOffice,
  payment: Payment,
  decision: NonNullable<Payment['decision']>,
): Promise<void> {
  const { id } = payment;
  await stack.admin(['remittances', 'decide', '--remittance', id, '--as', decision], async () => {
    const [row] = await stack.query('select decision from remittances where id = $1', [
      toUuid(id as `rmt_${string}`),
    ]);
    return row?.decision === decision ? row : undefined;
  });
  payment.decision = decision;
}

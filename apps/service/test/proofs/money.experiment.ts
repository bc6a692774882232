/**
 * Compares the money of partners with an oracle. Random reports of three stores come in files, late, restated, with
 * returns, fines, unknown and shared codes and rows that cannot be read; stores pay with tax, in another currency, short
 * or a month later; balances are corrected, paid out and become negative. Meanwhile worker, relay, Restate, PostgreSQL and
 * the processes that read and calculate are killed in turn. In the full size the engine's disk is deleted once.
 *
 * The bar: every row of a report is matched, in suspense or rejected, as it was made; every line item and royalty record
 * equals that of an oracle in Python; items, royalties, statements and the ledger have the same sums; opening + net +
 * adjustments − payouts = closing in every month, and opening = the last closing; a run that is discarded leaves nothing,
 * and the one after it has the same digests; a missing rate blocks a run. It fails when a row or a micro-unit is lost,
 * doubled or changed.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import type { Id } from '../../src/kernel/ids.ts';
import type { OracleFigures } from '../royalty-run.ts';
import { hangMs } from './hang-limit.ts';
import {
  askOracle,
  countLeftovers,
  digestsOf,
  judgeStatements,
  listWrongReports,
  traceOf,
} from './money-judge.ts';
import {
  type MoneyOffice,
  moveBalances,
  openOffice,
  payStores,
  receive,
  type ReceivedReport,
  replaceReport,
} from './money-operator.ts';
import { approveAndClose, calculate, discard, isBlocked } from './money-runs.ts';
import { type MoneyStack, openMoneyStack } from './money-stack.ts';
import { makeReport, type StoreName } from './money-world.ts';
import { judgeLedger } from './payouts-judge.ts';
import { seededRandom } from './random.ts';

const sizes = {
  start: { months: 2, rows: 60, killsMin: 6, losesDisk: false },
  small: { months: 8, rows: 200, killsMin: 60, losesDisk: false },
  full: { months: 24, rows: 400, killsMin: 60, losesDisk: true },
};
const firstPort = 28_480;
/** A step takes some seconds. */
const momentMaxMs = 3_000;
const killLimitMs = 2 * hangMs;
const stores: readonly StoreName[] = ['plain', 'fiscal', 'dsr'];

const none = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { equals: 0 }]));

export const experiment: Experiment = {
  compares: 'reports, runs, statements and the ledger with an oracle, under kill -9',
  bar: (size) => {
    const { months, killsMin, losesDisk } = sizes[size];
    return {
      months: { atLeast: months },
      kills: { atLeast: killsMin },
      kinds_killed: { equals: 5 },
      disks_lost: { equals: losesDisk ? 1 : 0 },
      recalculated_runs: { atLeast: months / 2 },
      blocked_runs: { atLeast: 1 },
      items: { atLeast: months * 50 },
      ...none([
        'wrong_reports',
        'oracle_differences',
        'other_digests',
        'traces_of_discarded_runs',
        'runs_not_blocked',
        'broken_identities',
        'broken_openings',
        'broken_sums',
        'broken_closings',
        'broken_credits',
        'pending_left',
        'ledgers_missing',
        'ledgers_broken',
        'unbalanced_transactions',
        'ledger_total',
        'broken_entries',
        'empty_transactions',
      ]),
    };
  },
  run: async (lab) => {
    const random = seededRandom();
    const stack = await openMoneyStack(lab.fleet, firstPort);
    const office = await openOffice(stack, random);
    const progress: Progress = { isOver: false, steps: 0, months: 0, kills: 0 };
    const killing = killInTurn(lab, stack, progress);
    const totals = newTotals();
    const { months, killsMin, rows } = sizes[lab.size];
    for (let i = 0; i < months || progress.kills < killsMin; i++) {
      await runMonth(office, totals, { number: i, rows, isLast: i >= months - 1, progress });
      progress.months++;
      lab.say(`month ${i + 1}: ${totals.items} items, ${progress.kills} kills`);
    }
    progress.isOver = true;
    const killed = await killing;
    const wrongReports = await listWrongReports(office, totals.received);
    const { received, differences, ...counts } = totals;
    const figures = {
      seed: random.seed,
      kills: progress.kills,
      kinds_killed: Object.keys(killed.byKind).length,
      killed: killed.byKind,
      disks_lost: killed.disksLost,
      reports: received.length,
      report_rows: received.reduce((sum, { expected }) => sum + expected.read, 0),
      wrong_reports: wrongReports.length,
      wrong_report_samples: wrongReports.slice(0, 3),
      ...counts,
      oracle_differences: differences.length,
      difference_samples: differences.slice(0, 3),
      ...(await judgeStatements(office)),
      ...(await judgeLedger(stack.service)),
    };
    await stack.close();
    return figures;
  },
};

const newTotals = () => ({
  received: [] as ReceivedReport[],
  differences: [] as string[],
  restated_reports: 0,
  payments: 0,
  short_payments: 0,
  late_payments: 0,
  runs: 0,
  recalculated_runs: 0,
  other_digests: 0,
  traces_of_discarded_runs: 0,
  blocked_runs: 0,
  runs_not_blocked: 0,
  items: 0,
  records: 0,
  ties: 0,
  negative_records: 0,
  source_tax_micros: 0,
  payee_tax_micros: 0,
});
type Totals = ReturnType<typeof newTotals>;

type Progress = { isOver: boolean; steps: number; months: number; kills: number };

type Month = {
  readonly number: number;
  readonly rows: number;
  readonly isLast: boolean;
  readonly progress: Progress;
};

const monthOf = (number: number, firstYear = 2020): string =>
  `${firstYear + Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;

async function runMonth(
  office: MoneyOffice,
  totals: Totals,
  { number, rows, isLast, progress }: Month,
) {
  const { random, stack, rateSet, emptyRateSet } = office;
  const month = monthOf(number);
  for (const store of stores) {
    // A late report is about an earlier month: here about one that no other report is about.
    const isLate = random.below(4) === 0;
    const usageMonth = isLate ? monthOf(number, 2016) : month;
    const name = `${store}-${month}`;
    const make = (version: string) =>
      makeReport(random, store, usageMonth, `${name}-${version}`, rows);
    progress.steps++;
    const first = await receive(office, make('1'), name);
    totals.received.push(first);
    if (random.below(4) !== 0) continue;
    progress.steps++;
    const second = await receive(office, make('2'), `${name}-2`);
    await replaceReport(office, second.id, first.id);
    totals.received.push(second);
    totals.restated_reports++;
  }
  const { payments, short, late } = await payStores(office, month, isLast);
  totals.payments += payments;
  totals.short_payments += short;
  totals.late_payments += late;
  await moveBalances(office, month);
  const before = await traceOf(office);
  if (number % 3 === 0) {
    progress.steps++;
    const blocked = await calculate(office, month, emptyRateSet);
    if (await isBlocked(office, blocked)) totals.blocked_runs++;
    else totals.runs_not_blocked++;
    await discardWithoutTrace(office, totals, blocked, before);
  }
  progress.steps++;
  let run = await calculate(office, month, rateSet);
  if (number % 2 === 0) {
    const digests = await digestsOf(office, run);
    progress.steps++;
    await discardWithoutTrace(office, totals, run, before);
    progress.steps++;
    run = await calculate(office, month, rateSet);
    totals.recalculated_runs++;
    if ((await digestsOf(office, run)) !== digests) totals.other_digests++;
  }
  addOracle(totals, await stack.persist(() => askOracle(office, run)));
  progress.steps++;
  await approveAndClose(office, run);
  totals.runs++;
}

async function discardWithoutTrace(
  office: MoneyOffice,
  totals: Totals,
  run: Id<'run'>,
  before: string,
): Promise<void> {
  await discard(office, run);
  const leftovers = await office.stack.persist(() => countLeftovers(office, run));
  if (leftovers > 0 || (await traceOf(office)) !== before) totals.traces_of_discarded_runs++;
}

function addOracle(totals: Totals, figures: OracleFigures): void {
  totals.differences.push(...figures.differences);
  totals.items += figures.items;
  totals.records += figures.records;
  totals.ties += figures.ties;
  totals.negative_records += figures.negative_records;
  totals.source_tax_micros += figures.source_tax;
  totals.payee_tax_micros += figures.payee_tax;
}

/** At a random moment of a step of intake or of a run; evenly over the months. */
async function killInTurn(
  { size, say }: Lab,
  { killAndRestart, loseDisk }: MoneyStack,
  progress: Progress,
) {
  const { killsMin, losesDisk, months } = sizes[size];
  const names = Object.keys(killAndRestart) as (keyof typeof killAndRestart)[];
  const byKind: Record<string, number> = {};
  let disksLost = 0;
  let turn = 0;
  const isDue = () => progress.kills < (killsMin * (progress.months + 1)) / months;
  for (let step = 0; !progress.isOver; step = progress.steps) {
    await until(
      'the next step begins',
      () => progress.isOver || (progress.steps > step && isDue()),
      killLimitMs,
      20,
    );
    await wait(Math.random() * momentMaxMs);
    const kind = names[turn++ % names.length]!;
    if (!(await killAndRestart[kind]())) continue;
    byKind[kind] = (byKind[kind] ?? 0) + 1;
    progress.kills++;
    if (losesDisk && disksLost === 0 && progress.kills >= killsMin / 2) {
      await loseDisk();
      disksLost++;
      say('the disk of the engine is lost');
    }
  }
  return { byKind, disksLost };
}

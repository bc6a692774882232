/**
 * Compares the money of partners with an oracle. Random reports of three stores come in files, by command or as batches
 * whose last file comes later, late, twice, replaced (some after a run has paid them) and supplemented, with returns, fines, albums, unknown and shared
 * codes and rows that cannot be read; stores pay with tax, in another currency, for several reports at once, short, too
 * much or a month later; balances are corrected, paid out and become negative. At every step of reading and of runs
 * worker, relay, Restate, PostgreSQL or the process that works for it is killed. In the full size the engine's disk is
 * deleted once.
 *
 * The bar: every row of a report is matched, in suspense or rejected, as it was made; every line item, royalty record and
 * statement equals that of an oracle in Python, which knows only what was set, reported and paid; items, royalties,
 * statements and the ledger have the same sums; opening + net + adjustments − payouts = closing in every month, and
 * opening = the last closing; a run that is discarded leaves nothing, and the one after it has the same digests, as has
 * the same run with 1, 2 and 4 threads; a missing rate blocks a run. It fails when a row or a micro-unit is lost, doubled
 * or changed.
 */

import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { createGates, steps } from './money-gates.ts';
import { judgeStatements, listWrongReports } from './money-judge.ts';
import { createKiller, sequenceOf } from './money-kills.ts';
import { makeMonth, newTotals, runMonth } from './money-month.ts';
import { openOffice } from './money-operator.ts';
import { openMoneyStack } from './money-stack.ts';
import { judgeLedger } from './payouts-judge.ts';
import { seededRandom } from './random.ts';

const all = { stepsMin: steps.length, kindsMin: 5 };
const sizes = {
  start: {
    months: 2,
    rows: 60,
    bucketRows: 100,
    killsMin: 6,
    losesDisk: false,
    stepsMin: 5,
    kindsMin: 4,
  },
  small: { months: 8, rows: 200, bucketRows: 150, killsMin: 60, losesDisk: false, ...all },
  full: { months: 24, rows: 400, bucketRows: 200, killsMin: 60, losesDisk: true, ...all },
};
const firstPort = 28_480;

const none = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { equals: 0 }]));

export const experiment: Experiment = {
  compares: 'reports, runs, statements and the ledger with an oracle, under kill -9',
  bar: (size) => {
    const { months, killsMin, stepsMin, kindsMin, losesDisk } = sizes[size];
    return {
      months: { atLeast: months },
      kills: { atLeast: killsMin },
      steps_killed: { atLeast: stepsMin },
      kinds_killed: { atLeast: kindsMin },
      disks_lost: { equals: losesDisk ? 1 : 0 },
      recalculated_runs: { atLeast: months / 2 },
      runs_with_other_threads: { atLeast: Math.floor(months / 6) },
      blocked_runs: { atLeast: 1 },
      restated_reports: { atLeast: Math.floor(months / 2) },
      corrections: { atLeast: months },
      batches: { atLeast: months },
      buckets: { atLeast: 2 * months },
      items: { atLeast: months * 50 },
      ...none([
        'wrong_reports',
        'repeated_wrongly',
        'wrong_dues',
        'oracle_differences',
        'other_digests',
        'other_thread_digests',
        'traces_of_discarded_runs',
        'runs_not_blocked',
        'wrong_closings',
        'broken_identities',
        'broken_openings',
        'broken_sums',
        'broken_totals',
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
  run: async ({ fleet, size, say }) => {
    const random = seededRandom();
    const { months, killsMin, rows, bucketRows, losesDisk } = sizes[size];
    const stack = await openMoneyStack(fleet, firstPort, bucketRows);
    const office = await openOffice(stack, random);
    await createGates(stack);
    // Of its own: kills do not change the world.
    const killer = createKiller(stack, seededRandom(random.seed + 1), {
      killsMin,
      months,
      losesDisk,
    });
    const totals = newTotals();
    for (let i = 0; i < months || killer.kills() < killsMin; i++) {
      let isOver = false;
      const month = makeMonth(i, rows, i >= months - 1);
      const killing = killer.killDuring(i, sequenceOf(month), () => isOver);
      // A defect in the kills must not end the process before the month has ended.
      killing.catch(() => undefined);
      await runMonth(office, totals, month);
      isOver = true;
      await killing;
      say(`month ${i + 1}: ${totals.items} items, ${killer.kills()} kills`);
    }
    const { reports } = office.book;
    const wrongReports = await listWrongReports(office);
    const { differences, ...counts } = totals;
    const figures = {
      seed: random.seed,
      kills: killer.kills(),
      steps_killed: Object.keys(killer.counts.steps).length,
      kinds_killed: Object.keys(killer.counts.kinds).length,
      pairs_killed: Object.keys(killer.counts.pairs).length,
      killed_steps: killer.counts.steps,
      killed_kinds: killer.counts.kinds,
      disks_lost: killer.disksLost(),
      longest_wait: stack.longestWait(),
      reports: reports.length,
      report_rows: reports.reduce((sum, report) => sum + report.rows.length, 0),
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

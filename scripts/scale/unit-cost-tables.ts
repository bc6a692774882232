/** The tables of docs/unit-costs.md: each unit as it was measured before the costs were cut, and as it is now. */

import { table } from './markdown.ts';
import { roles, type UnitCost, type UnitCosts, type UnitName, unitNames } from './unit-costs.ts';

export const titles: Readonly<Record<UnitName, string>> = {
  release: 'POST release',
  track: 'POST track',
  get: 'GET release',
  list: 'list of 20 releases',
  event_alone: 'event, one at a time',
  event_paced: 'event, 100 a second of 100 organizations',
  store_delivery_alone: 'store delivery, the only one of its delivery',
  store_delivery_of_many: 'store delivery, one of 25 of its delivery',
  asset: 'asset of 30 MB, from upload to `ready`',
};

type Measured = { readonly when: string; readonly costs: UnitCosts };

/** One of them if the figures of now are those of before. */
export const measuredOf = (before: UnitCosts, now: UnitCosts): readonly Measured[] =>
  before.measured_at === now.measured_at
    ? [{ when: 'before', costs: before }]
    : [
        { when: 'before', costs: before },
        { when: 'now', costs: now },
      ];

const rowsOf = (
  measured: readonly Measured[],
  cells: (cost: UnitCost) => readonly string[],
): string[][] =>
  unitNames.flatMap((unit) =>
    measured.map(({ when, costs }, i) => [
      i === 0 ? titles[unit] : '',
      when,
      ...cells(costs.figures.units[unit]),
    ]),
  );

const ms = (value: number) => value.toFixed(value < 100 ? 2 : 0);
const count = (value: number) => value.toFixed(1);

export const processorTable = (measured: readonly Measured[]): string =>
  table(
    ['One', '', 'api', 'relay', 'worker', 'Restate', 'PostgreSQL', 'Redis', '**total**'],
    rowsOf(measured, ({ cpu_ms }) => [
      ...roles.map((role) => ms(cpu_ms[role])),
      `**${ms(cpu_ms.total)}**`,
    ]),
  );

export const workTable = (measured: readonly Measured[]): string =>
  table(
    [
      'One',
      '',
      'statements',
      'planned ms',
      'executed ms',
      'transactions',
      'round trips',
      'invocations',
      'engine log bytes',
      'WAL bytes',
    ],
    rowsOf(measured, (cost) => [
      count(cost.statements),
      ms(cost.statement_ms.planned),
      ms(cost.statement_ms.executed),
      count(cost.transactions),
      count(cost.round_trips.total),
      count(cost.engine_invocations),
      String(Math.max(0, cost.engine_log_bytes)),
      String(cost.wal_bytes),
    ]),
  );

/** A row written less often than this for each unit was written by something else. */
const rowsMin = 0.02;

const listRows = (tables: Readonly<Record<string, number>>): string =>
  Object.entries(tables)
    .filter(([, rows]) => rows >= rowsMin)
    .map(([name, rows]) => (rows === 1 ? name : `${name} ${rows}`))
    .join(', ');

export const rowsTable = ({ figures }: UnitCosts): string =>
  table(
    ['One', 'inserts', 'updates', 'deletes'],
    unitNames.map((unit) => {
      const { rows } = figures.units[unit];
      return [
        titles[unit],
        listRows(rows.inserted),
        listRows(rows.updated),
        listRows(rows.deleted),
      ];
    }),
  );

export const idleTable = (measured: readonly Measured[]): string =>
  table(
    [
      'Idle, in one second',
      '',
      'api',
      'relay',
      'worker',
      'Restate',
      'PostgreSQL',
      'Redis',
      'statements',
    ],
    measured.flatMap(({ when, costs: { figures } }) =>
      Object.entries(figures.idle_per_second).map(([name, { cpu_ms, statements }]) => [
        name.replaceAll('_', ' '),
        when,
        ...roles.map((role) => ms(cpu_ms[role])),
        count(statements),
      ]),
    ),
  );

export const provenanceList = (measured: readonly Measured[]): string =>
  measured
    .map(
      ({ when, costs: { command, commit, measured_at, machine } }) =>
        `- ${when}: \`${command}\`, commit ${commit}, ${measured_at.slice(0, 16).replace('T', ' ')} UTC, ${machine}`,
    )
    .join('\n');

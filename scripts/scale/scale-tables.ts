/** The tables of docs/scale.md. */

import { table } from './markdown.ts';
import {
  cellsOf,
  coresOf,
  disksOf,
  hoursPerMonth,
  largest,
  type Load,
  logBytesOf,
  machineCores,
  machinesOf,
  prices,
  smallLabel,
  utilisation,
} from './model.ts';
import { titles } from './unit-cost-tables.ts';
import { roles, type UnitCosts } from './unit-costs.ts';

const figure = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : value >= 10
      ? value.toFixed(0)
      : value.toFixed(value >= 1 ? 1 : 3);
const gigabytes = (bytes: number) => figure(bytes / 1e9);
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

export const loadTable = (costs: UnitCosts): string =>
  table(
    ['Load', 'unit cost of', 'a day', 'a second, average', 'a second, peak', 'processor ms each'],
    largest.map(({ name, unit, perDay, peakPerSecond }) => [
      name,
      titles[unit],
      figure(perDay),
      figure(perDay / 86_400),
      figure(peakPerSecond),
      costs.figures.units[unit].cpu_ms.total.toFixed(2),
    ]),
  );

const roleNames = { engine: 'Restate', postgres: 'PostgreSQL', redis: 'Redis' } as const;
const nameOf = (role: (typeof roles)[number]): string =>
  role in roleNames ? roleNames[role as keyof typeof roleNames] : role;

export function coreTable(costs: UnitCosts, loads: readonly Load[]): string {
  const all = coresOf(costs, loads);
  const shareOf = (load: Load) => coresOf(costs, [load]);
  const [events, deliveries] = loads;
  return table(
    ['Role', 'cores, average', 'cores, peak', 'of these events', 'of these store deliveries'],
    roles.map((role) => [
      nameOf(role),
      figure(all[role].average),
      figure(all[role].peak),
      events === undefined ? '' : figure(shareOf(events)[role].peak),
      deliveries === undefined ? '' : figure(shareOf(deliveries)[role].peak),
    ]),
  );
}

const dollars = (cores: number) => figure(cores * hoursPerMonth * prices.coreHour);

export function machineTable(costs: UnitCosts): string {
  const machines = machinesOf(coresOf(costs, largest));
  const cores = total(machines.map((each) => each.cores));
  return table(
    ['Role', 'machines', 'cores each', 'cores', 'dollars a month'],
    [
      ...machines.map((each) => [
        nameOf(each.role),
        String(each.machines),
        String(machineCores[each.role]),
        String(each.cores),
        dollars(each.cores),
      ]),
      ['**all**', '', '', `**${cores}**`, `**${dollars(cores)}**`],
    ],
  );
}

/** Days that rows of partitioned tables are kept (`partitioned_tables`), and of those that are removed once settled. */
const keptDays: Readonly<Record<string, number>> = {
  events: 30,
  webhook_deliveries: 30,
  webhook_attempts: 30,
  requests: 30,
  idempotency_keys: 2,
  store_messages: 730,
  outbox: 0,
  timers: 0,
  store_answers: 0,
  sandbox_scenario_uses: 0,
};
/** Rows that are kept for ever are counted for this long. */
const foreverDays = 365;

export function diskTable(costs: UnitCosts): string {
  const disks = disksOf(costs, largest, keptDays, foreverDays);
  const cells = cellsOf(coresOf(costs, largest));
  const rows = disks
    .filter(({ bytes }) => bytes > 1e9)
    .map(({ table: name, rows: rowCount, bytes }) => [
      name,
      name in keptDays ? `${keptDays[name]} days` : 'for ever; one year here',
      String(costs.figures.tables[name]?.bytes_per_row),
      String(costs.figures.tables[name]?.index_bytes_per_row),
      figure(rowCount / 1e6),
      gigabytes(bytes),
      gigabytes(bytes / cells),
    ]);
  const bytes = total(disks.map((disk) => disk.bytes));
  return table(
    ['Table', 'kept', 'bytes a row', 'of these indexes', 'million rows', 'GB', 'GB in each cell'],
    [
      ...rows,
      ['**all**', '', '', '', '', `**${gigabytes(bytes)}**`, `**${gigabytes(bytes / cells)}**`],
    ],
  );
}

const tracksInAll = 250e6;
/** What a track leaves in the catalogue for ever, with its indexes; without events and requests. */
function catalogueBytes({ figures }: UnitCosts): number {
  const inserted = Object.entries(figures.units.track.rows.inserted);
  return total(
    inserted
      .filter(([name]) => !(name in keptDays))
      .map(([name, rows]) => tracksInAll * rows * (figures.tables[name]?.bytes_per_row ?? 0)),
  );
}

/** Sentences with figures that follow from the tables. */
export function summaryList(costs: UnitCosts): string {
  const cores = coresOf(costs, largest);
  const cells = cellsOf(cores);
  const disks = disksOf(costs, largest, keptDays, foreverDays);
  const diskGb = total(disks.map(({ bytes }) => bytes)) / 1e9;
  const walPerSecond = logBytesOf(costs, largest, 'wal_bytes');
  const enginePerSecond = logBytesOf(costs, largest, 'engine_log_bytes');
  const eventShare = coresOf(costs, largest.slice(0, 1)).postgres.peak / cores.postgres.peak;
  const transactions = total(
    largest.map(
      ({ unit, peakPerSecond }) => peakPerSecond * costs.figures.units[unit].transactions,
    ),
  );
  return [
    `- All roles together use ${figure(total(roles.map((role) => cores[role].average)))} cores on average and ${figure(total(roles.map((role) => cores[role].peak)))} at the peak.`,
    `- PostgreSQL uses ${figure(cores.postgres.peak)} cores at the peak, ${figure(eventShare * 100)} % of them for events: with ${machineCores.postgres} cores a primary, used to ${utilisation * 100} %, that is **${cells} ${cells === 1 ? 'cell' : 'cells'}**.`,
    `- It commits ${figure(transactions)} transactions a second at the peak, ${figure(transactions / cells)} in each cell.`,
    `- The statements write ${figure(walPerSecond / 1e6)} MB of write-ahead log a second at the peak, ${figure(walPerSecond / cells / 1e6)} in each cell, without full-page images.`,
    `- Restate writes ${figure(enginePerSecond / 1e6)} MB a second to its log at the peak, before replication.`,
    `- The tables take ${figure(diskGb)} GB, ${figure(diskGb / cells)} in each cell. Three copies of all of them cost ${figure(diskGb * 3 * prices.diskGbMonth)} dollars a month.`,
    `- 250 million tracks take ${gigabytes(catalogueBytes(costs))} GB more, with their audit rows: the rows that \`POST /v1/tracks\` writes for ever × their bytes.`,
  ].join('\n');
}

export const smallTable = (costs: UnitCosts): string => coreTable(costs, smallLabel);

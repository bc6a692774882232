/**
 * Carries the unit costs to a size: processor cores by role, bytes on disk, machines and money. Everything that is
 * assumed and not measured is a named constant here, and docs/scale.md lists it.
 */

import { type Role, roles, type UnitCosts, type UnitName } from './unit-costs.ts';

const secondsPerDay = 86_400;
export const hoursPerMonth = 730;

/** One unit of work, how often. */
export type Load = {
  readonly name: string;
  readonly unit: UnitName;
  readonly perDay: number;
  readonly peakPerSecond: number;
};

/** The busiest hour against the average, where the design names no burst. */
const peakFactor = 3;

const steady = (name: string, unit: UnitName, perDay: number): Load => ({
  name,
  unit,
  perDay,
  peakPerSecond: (perDay / secondsPerDay) * peakFactor,
});

export const largest: readonly Load[] = [
  steady('events, each to one endpoint', 'event_paced', 100e6),
  {
    name: 'store deliveries',
    unit: 'store_delivery_of_many',
    perDay: 2.5e6,
    peakPerSecond: 400,
  },
  steady('tracks created', 'track', 106_000),
  steady('releases created', 'release', 30_000),
  steady('files examined', 'asset', 136_000),
  steady('reads', 'get', 50e6),
  steady('lists', 'list', 10e6),
];

/** A label of ten releases a week at 150 stores. */
export const smallLabel: readonly Load[] = [
  steady('events, each to one endpoint', 'event_paced', 1_500),
  steady('store deliveries', 'store_delivery_of_many', 215),
  steady('tracks created', 'track', 6),
  steady('releases created', 'release', 1.5),
  steady('files examined', 'asset', 7.5),
  steady('reads', 'get', 5_000),
  steady('lists', 'list', 1_000),
];

/** Machines are bought so that the peak uses this share of their cores. */
export const utilisation = 0.6;
/** Cores of the machines that one PostgreSQL primary, one engine node, or the processes of a role run on. */
export const machineCores: Readonly<Record<Role, number>> = {
  api: 8,
  relay: 4,
  worker: 8,
  engine: 16,
  postgres: 32,
  redis: 2,
};
/** A primary, and two standbys for failover and reads; engine nodes replicate their log three times. */
const copies: Readonly<Record<Role, number>> = {
  api: 1,
  relay: 1,
  worker: 1,
  engine: 1,
  postgres: 3,
  redis: 2,
};
/** At least so many, so that one may fail. */
const machinesMin: Readonly<Record<Role, number>> = {
  api: 2,
  relay: 2,
  worker: 2,
  engine: 3,
  postgres: 1,
  redis: 1,
};

/** Dollars. Replace them with those of your provider. */
export const prices = { coreHour: 0.045, diskGbMonth: 0.1, objectGbMonth: 0.023 };

export type RoleCores = Readonly<Record<Role, { readonly average: number; readonly peak: number }>>;

export function coresOf({ figures }: UnitCosts, loads: readonly Load[]): RoleCores {
  const sum = (role: Role, perSecond: (load: Load) => number) =>
    loads.reduce(
      (cores, load) =>
        cores + (perSecond(load) * Math.max(0, figures.units[load.unit].cpu_ms[role])) / 1_000,
      0,
    );
  return Object.fromEntries(
    roles.map((role) => [
      role,
      {
        average: sum(role, ({ perDay }) => perDay / secondsPerDay),
        peak: sum(role, ({ peakPerSecond }) => peakPerSecond),
      },
    ]),
  ) as RoleCores;
}

/** Bytes a second at the peak, of PostgreSQL's or the engine's log. */
export const logBytesOf = (
  { figures }: UnitCosts,
  loads: readonly Load[],
  log: 'wal_bytes' | 'engine_log_bytes',
): number =>
  loads.reduce(
    (bytes, { unit, peakPerSecond }) => bytes + peakPerSecond * figures.units[unit][log],
    0,
  );

export type Machines = { readonly role: Role; readonly machines: number; readonly cores: number };

export const machinesOf = (cores: RoleCores): readonly Machines[] =>
  roles.map((role) => {
    const needed = Math.ceil(cores[role].peak / utilisation / machineCores[role]);
    const machines = Math.max(needed, machinesMin[role]) * copies[role];
    return { role, machines, cores: machines * machineCores[role] };
  });

/** Cells: PostgreSQL primaries that one 32-core machine each can carry. */
export const cellsOf = (cores: RoleCores): number =>
  Math.max(1, Math.ceil(cores.postgres.peak / utilisation / machineCores.postgres));

export type Disk = { readonly table: string; readonly rows: number; readonly bytes: number };

/** Rows that are kept, from the rows that each unit inserts. `keptDays` null: for ever, counted for `yearsKept`. */
export function disksOf(
  { figures }: UnitCosts,
  loads: readonly Load[],
  keptDays: Readonly<Record<string, number>>,
  foreverDays: number,
): readonly Disk[] {
  const rowsPerDay = new Map<string, number>();
  for (const { unit, perDay } of loads) {
    for (const [table, count] of Object.entries(figures.units[unit].rows.inserted)) {
      rowsPerDay.set(table, (rowsPerDay.get(table) ?? 0) + perDay * count);
    }
  }
  return [...rowsPerDay]
    .flatMap(([table, perDay]) => {
      const size = figures.tables[table];
      const rows = perDay * (keptDays[table] ?? foreverDays);
      return size === undefined ? [] : [{ table, rows, bytes: rows * size.bytes_per_row }];
    })
    .toSorted((a, b) => b.bytes - a.bytes);
}

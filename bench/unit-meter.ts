/**
 * Measures what one unit of work costs, by process and by server. The cost of an idle service (its pollers) is measured
 * first and subtracted.
 */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { openFullStack } from '../apps/service/test/full-stack.ts';
import { type ApiProcess, kill, startApi } from '../apps/service/test/processes.ts';
import { processorTimeOf, processorTimeOfTree } from '../scripts/costs/processor-time.ts';
import type { Fleet } from '../scripts/servers/fleet.ts';
import { openPostgresTime, processorTimeOfServer } from './processor-time.ts';
import {
  costOfOne,
  type Counts,
  countsOf,
  type Rates,
  ratesBetween,
  type Reading,
  rounded,
  sumOf,
} from './unit-counts.ts';
import { openUnitDatabase, type UnitDatabase } from './unit-database.ts';

const run = promisify(execFile);

const socketsEveryMs = 2_000;

type Stack = Awaited<ReturnType<typeof openFullStack>>;

/** Of these the total consists; the bench itself and the S3 server are reported beside it. */
const roles = ['api', 'relay', 'worker', 'engine', 'postgres', 'redis'] as const;

export type Pauses = {
  /** After the last unit, until the work that it leaves behind has ended. */
  readonly trailMs: number;
  /** Until PostgreSQL has counted the rows of every connection. */
  readonly flushMs: number;
};

export async function openUnitMeter(stack: Stack, fleet: Fleet, { trailMs, flushMs }: Pauses) {
  const { service } = stack;
  const api = await startApi(service.database, {
    TONEARM_REDIS_URL: `redis://127.0.0.1:${fleet.ports.redis}`,
  });
  const database = await openUnitDatabase(service.database);
  const readProcesses = await openProcesses(stack, fleet, api, database);
  const trips = openRoundTrips(stack, fleet, api, database);
  const readSoon = async (): Promise<Reading> => {
    const counts = {
      ...readProcesses(),
      ...(await trips.read()),
      ...(await readEngine(stack.metricsUrl)),
      ...(await database.readStatements()),
    };
    return { atMs: performance.now(), counts };
  };
  const readLate = async (): Promise<Reading> => ({
    counts: await database.readRows(),
    atMs: performance.now(),
  });
  let idle: { soon: Rates; late: Rates } = { soon: {}, late: {} };

  return {
    api,
    database,
    /** Call it when the service is warm and has nothing to do. */
    measureIdle: async (seconds: number) => {
      await wait(flushMs);
      const before = [await readSoon(), await readLate()] as const;
      await wait(seconds * 1_000);
      const after = [await readSoon(), await readLate()] as const;
      idle = { soon: ratesBetween(before[0], after[0]), late: ratesBetween(before[1], after[1]) };
      const perSecond = (rates: Rates): Counts =>
        Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, rate * 1_000]));
      return describeCost(perSecond(idle.soon), perSecond(idle.late));
    },
    /** `work` does `units` of it and returns what else is worth reporting. */
    measure: async (units: number, work: () => Promise<object>) => {
      await wait(flushMs);
      const before = [await readSoon(), await readLate()] as const;
      const begun = performance.now();
      const also = await work();
      const seconds = (performance.now() - begun) / 1_000;
      await wait(trailMs);
      const soon = costOfOne(before[0], await readSoon(), idle.soon, units);
      await wait(flushMs);
      const late = costOfOne(before[1], await readLate(), idle.late, units);
      return {
        units,
        seconds: rounded(seconds, 1),
        ...also,
        ...describeCost(soon, late),
        top_statements: (await database.topStatements(soon)).map((statement) => ({
          ...statement,
          calls: rounded(statement.calls),
          plans: rounded(statement.plans),
          plan_ms: rounded(statement.plan_ms, 3),
          exec_ms: rounded(statement.exec_ms, 3),
        })),
      };
    },
    close: async () => {
      trips.close();
      await database.close();
      await kill(api);
    },
  };
}

export type UnitMeter = Awaited<ReturnType<typeof openUnitMeter>>;

function describeCost(soon: Counts, late: Counts) {
  const all = countsOf(soon, 'cpu ');
  const cpuMs = Object.fromEntries(roles.map((role) => [role, all[role] ?? 0]));
  const roundTrips = countsOf(soon, 'trips ');
  return {
    cpu_ms: { ...cpuMs, total: rounded(sumOf(cpuMs)) },
    beside_ms: { bench: all['bench'] ?? 0, s3: all['s3'] ?? 0 },
    statements: rounded(sumOf(countsOf(soon, 'calls ', 4))),
    statement_ms: {
      planned: rounded(sumOf(countsOf(soon, 'plan ', 6)), 3),
      executed: rounded(sumOf(countsOf(soon, 'exec ', 6)), 3),
    },
    transactions: rounded(late['transactions'] ?? 0),
    round_trips: { ...roundTrips, total: rounded(sumOf(roundTrips)) },
    engine_invocations: rounded(soon['engine invocations'] ?? 0),
    engine_log_bytes: Math.round(soon['engine bytes'] ?? 0),
    // Of the statements: without commit records (about 50 bytes each) and without vacuum.
    wal_bytes: Math.round(sumOf(countsOf(soon, 'wal ', 6))),
    rows: {
      inserted: countsOf(late, 'inserted '),
      updated: countsOf(late, 'updated '),
      deleted: countsOf(late, 'deleted '),
    },
  };
}

/** The processor time of each process. What the bench asks of PostgreSQL is left out. */
async function openProcesses(
  { service, relay, worker, engineFolder }: Stack,
  { folder }: Fleet,
  api: ApiProcess,
  { pid }: UnitDatabase,
): Promise<() => Counts> {
  const postgres = await openPostgresTime(service);
  const s3Folders = ['gateway', 'storage', 'monitor'].map((name) => join(folder, 's3', name));
  return () => ({
    'cpu api': processorTimeOfTree(api.child.pid ?? -1),
    'cpu relay': processorTimeOfTree(relay.child.pid ?? -1),
    'cpu worker': processorTimeOfTree(worker.child.pid ?? -1),
    'cpu engine': processorTimeOfServer(engineFolder),
    'cpu postgres': postgres() - processorTimeOf(pid),
    'cpu redis': processorTimeOfServer(join(folder, 'redis')),
    'cpu bench': processorTimeOf(process.pid),
    'cpu s3': s3Folders.reduce((sum, each) => sum + processorTimeOfServer(each), 0),
  });
}

/**
 * Packets with data that each process has sent to PostgreSQL. The statements of one tick leave in one packet
 * (`platform/db/socket.ts`), so a packet is a round trip. Connections are counted every two seconds, because a pool
 * closes those that it no longer needs.
 */
function openRoundTrips(
  { relay, worker }: Stack,
  { ports }: Fleet,
  api: ApiProcess,
  database: UnitDatabase,
) {
  const names = new Map<number | undefined, string>([
    [api.child.pid, 'api'],
    [relay.child.pid, 'relay'],
    [worker.child.pid, 'worker'],
    [process.pid, 'bench'],
  ]);
  const sent = new Map<string, { readonly name: string; readonly packets: number }>();
  const look = async () => {
    const { stdout } = await run('ss', ['-tinpHO', `dport = :${ports.postgres}`]);
    for (const line of stdout.split('\n')) {
      const [, localPort, pid] = /127\.0\.0\.1:(\d+) .*pid=(\d+)/.exec(line) ?? [];
      const name = names.get(Number(pid));
      const packets = Number(/data_segs_out:(\d+)/.exec(line)?.[1] ?? 0);
      const isOwn = Number(localPort) === database.localPort;
      if (name !== undefined && !isOwn) sent.set(`${pid} ${localPort}`, { name, packets });
    }
  };
  const timer = setInterval(() => void look(), socketsEveryMs);
  return {
    read: async (): Promise<Counts> => {
      await look();
      const counts: Record<string, number> = {};
      for (const { name, packets } of sent.values()) {
        counts[`trips ${name}`] = (counts[`trips ${name}`] ?? 0) + packets;
      }
      return counts;
    },
    close: () => clearInterval(timer),
  };
}

async function readEngine(metricsUrl: string): Promise<Counts> {
  const text = await (await fetch(metricsUrl)).text();
  const sum = (metric: string, label = '') =>
    [...text.matchAll(new RegExp(`^${metric}\\{[^}]*${label}[^}]*\\} (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  // Every 30 s each worker calls a canary on many partitions of the engine.
  const canaries = sum('restate_ingress_requests_total', 'status="completed",rpc_service="canary"');
  return {
    'engine invocations': sum('restate_invoker_enqueue_total') - canaries,
    'engine bytes': sum('restate_bifrost_sequencer_committed_records_bytes_total'),
  };
}

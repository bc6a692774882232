/**
 * Gates at the steps of `prove money`. The transaction that records a step takes a lock, for which it waits while the gate
 * is closed: so a proof knows that a step is at its end but not recorded, and kills something then.
 */

import { readFileSync } from 'node:fs';
import pg from 'pg';
import { databaseUrl } from '../test-service.ts';
import type { MoneyStack } from './money-stack.ts';

/** When the row of a step changes from what to what. */
const gates = {
  read: ['store_reports', 'update', `old.status = 'received' and new.status <> 'received'`],
  plan: ['royalty_runs', 'update', 'old.started_at is null and new.started_at is not null'],
  calculate: ['run_buckets', 'update', 'old.calculated is null and new.calculated is not null'],
  allocate: ['run_buckets', 'update', 'old.taxes is null and new.taxes is not null'],
  finish: ['run_buckets', 'update', 'old.finished is null and new.finished is not null'],
  reverse: ['run_reversals', 'update', 'old.fee_amount is null and new.fee_amount is not null'],
  review: ['royalty_runs', 'update', `old.status = 'calculating' and new.status = 'review'`],
  announce: ['run_statements', 'update', 'new.is_announced and not old.is_announced'],
  close: ['statements', 'insert or update', `new.status = 'published'`],
  complete: ['royalty_runs', 'update', `new.status = 'closed'`],
  discard: ['royalty_runs', 'update', 'old.removed_at is null and new.removed_at is not null'],
} as const;

export type Step = keyof typeof gates;
export const steps = Object.keys(gates) as readonly Step[];

/** The modules that do the work of a step in a process of their own. */
export const tasks: Readonly<Partial<Record<Step, readonly string[]>>> = {
  read: ['parse-task', 'match-task'],
  plan: ['summarize-other-task'],
  calculate: ['calculate-bucket-task'],
  finish: ['finish-bucket-task'],
  reverse: ['reverse-lines-task'],
};

/** The first number of the locks; the second is that of the step. */
const lockClass = 77_022;

export async function createGates({ query }: MoneyStack): Promise<void> {
  await query(`
    create function pass_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${lockClass}, tg_argv[0]::integer);
      return new;
    end $$`);
  for (const [number, step] of steps.entries()) {
    const [table, change, condition] = gates[step];
    await query(`create trigger gate_${step} before ${change} on ${table} for each row
      when (${condition}) execute function pass_gate(${number})`);
  }
}

export type Gates = {
  /** A step that waits at a gate. */
  readonly findWaiting: () => Promise<Step | undefined>;
  readonly open: (step: Step) => Promise<void>;
  readonly openAll: () => Promise<void>;
};

export async function closeGates(stack: MoneyStack, closed: readonly Step[]): Promise<Gates> {
  const client = await stack.persist(async () => {
    const opened = new pg.Client(databaseUrl(stack.service.database));
    // PostgreSQL is killed while gates are closed.
    opened.on('error', () => undefined);
    await opened.connect();
    return opened;
  });
  for (const step of closed) {
    await client.query('select pg_advisory_lock($1, $2)', [lockClass, steps.indexOf(step)]);
  }
  return {
    findWaiting: async () => {
      const { rows } = await client.query<{ objid: number }>(
        `select objid::integer as objid from pg_locks
          where locktype = 'advisory' and classid = $1 and not granted
            and database = (select oid from pg_database where datname = current_database())`,
        [lockClass],
      );
      const [waiting] = rows;
      return waiting === undefined ? undefined : steps[waiting.objid];
    },
    open: async (step) => {
      const unlock = 'select pg_advisory_unlock($1, $2)';
      await client.query(unlock, [lockClass, steps.indexOf(step)]).catch(() => undefined);
    },
    // The locks end with the connection.
    openAll: () => client.end().catch(() => undefined),
  };
}

/** Empty if the process has ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Kills the process that works for the step, as the kernel does when memory is short. False if there is none. */
export function killTask({ workerPid }: MoneyStack, step: Step): boolean {
  const modules = tasks[step] ?? [];
  const worker = workerPid();
  const children = readProcess(worker, `task/${worker}/children`).split(' ').map(Number);
  const child = children.find((pid) => {
    const commandLine = readProcess(pid, 'cmdline');
    return modules.some((module) => commandLine.includes(module));
  });
  return child !== undefined && isKilled(child);
}

/** False if it has ended meanwhile. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

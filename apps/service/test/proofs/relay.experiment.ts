/**
 * Compares committed rows with what relay and worker made of them. Events, audit rows and timers (an outbox row each)
 * are written while relay, worker, Restate and PostgreSQL are killed in turn. Rates are measured before, without kills.
 *
 * The bar: the outbox is empty, every timer has fired and every counted handler has run, the events of each
 * organization are numbered from one without a gap, every audit chain verifies, and all four kinds of process were
 * killed. It fails when a committed row is lost, numbered twice or skipped.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { appendAudit } from '../../src/platform/db/audit.ts';
import { appendEvent } from '../../src/platform/db/events.ts';
import type { EngineMessage } from '../../src/platform/engine/outbox.ts';
import { setTimer } from '../../src/platform/engine/timers.ts';
import type { Workflow } from '../../src/platform/engine/workflow.ts';
import { kill, type RoleProcess, startRelay, startWorker } from '../processes.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { runConcurrently } from './client.ts';

const sizes = {
  start: { rows: 4_000, killsMin: 12 },
  small: { rows: 20_000, killsMin: 20 },
  full: { rows: 60_000, killsMin: 100 },
};
const rowsPerTransaction = 50;
const organizations = 10;
const writers = 2;
const measuredRows = 1_000;
/** How far the writes may run ahead of the kills, as a share of all rows. */
const aheadMax = 0.1;
/** Work that does not become less for this long is stuck. */
const stallMs = 120_000;
/** Each poll counts whole tables, so it is not done more often. */
const settlePollMs = 500;
const firstPort = 23_080;

type ServiceWithEngine = Awaited<ReturnType<typeof openServiceWithEngine>>;
type RelayProcesses = {
  relays: RoleProcess[];
  worker: RoleProcess;
  startRelay: () => Promise<RoleProcess>;
  startWorker: () => Promise<RoleProcess>;
};

type Run = { readonly rows: number; written: number; readonly killsMin: number; kills: number };

export const experiment: Experiment = {
  compares: 'committed rows, against those handed over, fired, numbered and chained under kill -9',
  bar: (size) => {
    const { rows, killsMin } = sizes[size];
    return {
      kills: { atLeast: killsMin },
      kinds_killed: { equals: 4 },
      timers: { equals: rows + measuredRows },
      left_in_outbox: { equals: 0 },
      fired: { equals: rows + measuredRows },
      lost: { equals: 0 },
      handlers_missed: { equals: 0 },
      sequence_gaps: { equals: 0 },
      unnumbered: { equals: 0 },
      broken_audit_chains: { equals: 0 },
    };
  },
  run: async (lab) => {
    const { rows, killsMin } = sizes[lab.size];
    const stack = await openServiceWithEngine(firstPort);
    const { service } = stack;
    const orgIds: OrgId[] = [];
    while (orgIds.length < organizations) {
      orgIds.push((await service.givenOrganization({ prefix: null })).orgId as OrgId);
    }
    const counted = new Set<string>();
    await stack.serve([counterOf(counted)], 'counter');
    const processes = await startProcesses(stack);
    const rates = await measureRates(stack, orgIds);
    lab.say(`without kills: ${JSON.stringify(rates)}`);

    const run: Run = { rows, written: 0, killsMin, kills: 0 };
    const killing = killInTurn(lab, stack, processes, run);
    await writeRows(stack, orgIds, run);
    const killed = await killing;
    lab.say(`${rows} rows written, ${run.kills} kills; waiting until no work is left`);
    await untilSettled(lab, stack);
    const counts = await countOutcome(stack, orgIds);
    await Promise.all([...processes.relays, processes.worker].map(kill));
    await stack.close();
    return {
      kills: run.kills,
      kinds_killed: Object.keys(killed).length,
      killed,
      ...counts,
      lost: rows + measuredRows - counts.fired,
      handlers_missed: (rows + measuredRows) / 2 - counted.size,
      rates,
    };
  },
};

async function startProcesses({
  service,
  urls,
  identityKey,
}: ServiceWithEngine): Promise<RelayProcesses> {
  const port = firstPort + 5 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
  const env = {
    TONEARM_ENGINE_IDENTITY_KEYS: identityKey,
    // The engine calls the worker at the URL it registered, so a restarted worker needs the same port.
    TONEARM_WORKER_PORT: String(port),
  };
  const relay = () => startRelay(service.database, urls);
  const worker = () => startWorker(service.database, urls, env);
  return {
    relays: await Promise.all([relay(), relay()]),
    worker: await worker(),
    startRelay: relay,
    startWorker: worker,
  };
}

/** Half of the timers call a handler of the worker, which is killed; the others call a counter in this process. */
const isCounted = (i: number): boolean => i % 2 === 0;

const targetOf = (key: string, i: number): EngineMessage =>
  isCounted(i)
    ? { service: 'counter', key, handler: 'count' }
    : { service: 'canary', key, handler: 'ping' };

const counterOf = (counted: Set<string>): Workflow => ({
  service: 'counter',
  handlers: { count: (run) => run.stepWithoutTenant('count', async () => counted.add(run.key)) },
});

/** Writes, in one transaction, an event and a due timer per row, and one audit row. */
async function writeBatch(
  { service }: ServiceWithEngine,
  orgId: OrgId,
  batch: string,
): Promise<void> {
  const owner = { orgId, actor: { type: 'workflow', id: 'proof' } } as const;
  await service.db.transact(owner, async (tx) => {
    for (let i = 0; i < rowsPerTransaction; i++) {
      appendEvent(tx, { type: 'proof.row', data: { batch } });
      setTimer(tx, tx.now, targetOf(`${batch}-${i}`, i));
    }
    appendAudit(tx, { action: 'proof.batch', auditedId: batch, before: undefined, after: {} });
  });
}

/** Repeats a failed transaction, unless its audit row shows that the commit happened and only its response was lost. */
async function writeBatchOnce(
  stack: ServiceWithEngine,
  orgId: OrgId,
  batch: string,
): Promise<void> {
  for (;;) {
    try {
      return await writeBatch(stack, orgId, batch);
    } catch {
      await until('PostgreSQL is back', () => isDatabaseBack(stack));
      const committed = await stack.service.query(
        `select 1 from audit where action = 'proof.batch' and audited_id = $1`,
        [batch],
      );
      if (committed.length > 0) return;
    }
  }
}

const isDatabaseBack = ({ service }: ServiceWithEngine): Promise<boolean> =>
  service.query('select 1').then(
    () => true,
    () => false,
  );

async function writeRows(
  stack: ServiceWithEngine,
  orgIds: readonly OrgId[],
  run: Run,
): Promise<void> {
  const batches = run.rows / rowsPerTransaction;
  let next = 0;
  await runConcurrently(writers, async () => {
    const batch = next++;
    if (batch >= batches) return false;
    await writeBatchOnce(stack, orgIds[batch % organizations]!, `batch-${batch}`);
    run.written += rowsPerTransaction;
    // Spreads the writes, so that kills happen at every stage of the work.
    do await wait(50);
    while (run.written / run.rows > run.kills / run.killsMin + aheadMax);
    return true;
  });
}

async function killInTurn(
  { fleet, say }: Lab,
  { engine }: ServiceWithEngine,
  processes: RelayProcesses,
  run: Run,
) {
  const killed: Record<string, number> = {};
  const killAndRestart: Readonly<Record<string, () => Promise<void>>> = {
    relay: async () => {
      const relay = processes.relays.shift();
      if (relay !== undefined) await kill(relay);
      processes.relays.push(await processes.startRelay());
    },
    worker: async () => {
      await kill(processes.worker);
      processes.worker = await processes.startWorker();
    },
    engine: async () => {
      await engine.kill();
      await engine.start();
    },
    postgres: async () => {
      await fleet.postgres.kill();
      await fleet.postgres.start();
    },
  };
  const names = Object.keys(killAndRestart);
  while (run.kills < run.killsMin) {
    await wait(200 + Math.random() * 500);
    const kind = names[run.kills % names.length]!;
    await killAndRestart[kind]?.();
    killed[kind] = (killed[kind] ?? 0) + 1;
    run.kills += 1;
    if (run.kills % 5 === 0) say(`${run.kills} kills, ${run.written} rows written`);
  }
  return killed;
}

async function pendingIn({ service }: ServiceWithEngine) {
  const [row] = await service.query(`
    select (select count(*)::int from outbox) as outbox,
           (select count(*)::int from timers where state <> 'fired') as timers,
           (select count(*)::int from events where sequence is null)
             + (select count(*)::int from audit where sequence is null) as unnumbered`);
  return row as { outbox: number; timers: number; unnumbered: number };
}

/** Also ends when the work is stuck: then the outcome says what is left. */
async function untilSettled({ say }: Lab, stack: ServiceWithEngine): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  while (least > 0 && performance.now() - movedAt < stallMs) {
    await wait(settlePollMs);
    const { outbox, timers, unnumbered } = await pendingIn(stack);
    const left = outbox + timers + unnumbered;
    if (left >= least) continue;
    if (Math.floor(left / 10_000) < Math.floor(least / 10_000)) {
      say(`left: ${outbox} in the outbox, ${timers} timers, ${unnumbered} without a number`);
    }
    least = left;
    movedAt = performance.now();
  }
}

/** Rows per second, from the first write until the outbox is empty, all rows are numbered, the last timer has fired. */
async function measureRates(stack: ServiceWithEngine, orgIds: readonly OrgId[]) {
  const begun = performance.now();
  const perSecond = () => Math.round(measuredRows / ((performance.now() - begun) / 1_000));
  for (let i = 0; i < measuredRows / rowsPerTransaction; i++) {
    await writeBatch(stack, orgIds[i % organizations]!, `measured-${i}`);
  }
  const written = perSecond();
  const when = async (isDone: (pending: Awaited<ReturnType<typeof pendingIn>>) => boolean) => {
    await until('a rate is measured', async () => isDone(await pendingIn(stack)), stallMs);
    return perSecond();
  };
  const [numbered, handedOver, fired] = await Promise.all([
    when(({ unnumbered }) => unnumbered === 0),
    when(({ outbox }) => outbox === 0),
    when(({ timers }) => timers === 0),
  ]);
  return {
    rows: measuredRows,
    written_per_second: written,
    numbered_per_second: numbered,
    handed_over_per_second: handedOver,
    fired_per_second: fired,
  };
}

async function countOutcome(stack: ServiceWithEngine, orgIds: readonly OrgId[]) {
  const { service } = stack;
  const { outbox, unnumbered } = await pendingIn(stack);
  const [row] = await service.query(`
    select (select count(*)::int from timers) as timers,
           (select count(*)::int from timers where state = 'fired') as fired,
           (select coalesce(sum(greatest(most - total, total - most) + (total - numbers)), 0)::int
              from (select max(sequence) as most, count(*) as total, count(distinct sequence) as numbers
                      from events group by org_id) per_organization) as gaps`);
  const chains = await Promise.all(
    orgIds.map(
      (orgId) => service.admin('audit', 'verify', '--org', orgId) as Promise<{ intact?: unknown }>,
    ),
  );
  return {
    left_in_outbox: outbox,
    unnumbered,
    timers: row.timers as number,
    fired: row.fired as number,
    sequence_gaps: row.gaps as number,
    broken_audit_chains: chains.filter(({ intact }) => intact !== true).length,
  };
}

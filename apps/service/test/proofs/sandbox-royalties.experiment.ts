/**
 * Compares what a reset of the sandbox with royalties makes, while the worker is killed as it reads reports and as it
 * calculates months, with its plan: twelve months of reports, each read, paid and closed once.
 *
 * The bar: every planned report is included once and every month has one published statement, which follows from the one
 * before; the ledger is intact, every statement has one document, and the usual catalogue is there. It fails when a month
 * is lost or paid twice, or a stage of the reset is left out.
 */

import assert from 'node:assert/strict';
import type { Experiment, Size } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import {
  earningRelease,
  planRoyalties,
  type SeedReport,
} from '../../src/sandbox/domain/seed-royalties.ts';
import { hasTask, kill, type RoleProcess, startRelay, startWorker } from '../processes.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import type { OrgClient, Reply } from '../test-service.ts';

type Json = Reply['json'];

const port = 26_840;
const waitMs = 1_800_000;
const killsOf: Readonly<Record<Size, number>> = { start: 2, small: 4, full: 10 };
/** The reading of a report, and the calculation of a month. */
const tasks = ['match-task', 'calculate-bucket-task'] as const;
const monthsMax = 12;
const specialReports = 3;

const micros = (amount: string): bigint => BigInt(amount.replace('.', ''));

export const experiment: Experiment = {
  compares:
    'what a reset of the sandbox with royalties makes while workers are killed, with its plan',
  bar: (size) => ({
    kills: { equals: killsOf[size] },
    months: { equals: monthsMax },
    statements: { equals: monthsMax },
    reports: { equals: monthsMax + specialReports },
    reports_not_as_planned: { equals: 0 },
    statements_that_do_not_follow: { equals: 0 },
    ledgers_broken: { equals: 0 },
    documents: { equals: monthsMax },
    documents_failed: { equals: 0 },
    fines: { atLeast: 1 },
    disputes: { atLeast: 1 },
    releases: { atLeast: 10 },
    earning_releases: { equals: 1 },
  }),
  run: async ({ size, say }) => {
    const sandbox = await openSandbox();
    try {
      const startedAt = performance.now();
      const planned = planRoyalties(new Date());
      await sandbox.ask('POST', '/v1/sandbox/reset', { royalties: true });
      const kills = await killWorkers(sandbox, killsOf[size], say);
      await awaitEnd(sandbox);
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      say(`the reset took ${seconds} s`);
      return { kills, seconds, ...(await judge(sandbox, planned)) };
    } finally {
      await sandbox.close();
    }
  },
};

type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

async function openSandbox() {
  const stack = await openServiceWithEngine(port);
  /** On a fixed port, so that a restarted worker continues the invocations of the killed one. */
  const startNextWorker = () =>
    startWorker(stack.service.database, stack.urls, {
      TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey,
      TONEARM_WORKER_PORT: String(port + 3 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0)),
    });
  const relay = await startRelay(stack.service.database, stack.urls);
  let worker: RoleProcess = await startNextWorker();
  await stack.service.admin('stores', 'seed');
  const label: OrgClient = await stack.service.givenOrganization();
  await stack.service.admin('isrc', 'add-registrant', '--org', label.orgId, '--code', 'QZSRY');
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, json, text } = await label.call(method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    return json;
  };
  return {
    service: stack.service,
    orgId: label.orgId,
    ask,
    /** The newest first. */
    statements: async (): Promise<Json[]> =>
      (await ask('GET', '/v1/statements?status=published&limit=100')).data,
    isRunning: (task: string): boolean => hasTask(worker, task),
    replaceWorker: async (): Promise<void> => {
      await kill(worker);
      worker = await startNextWorker();
    },
    close: async () => {
      await Promise.all([kill(relay), kill(worker)]);
      await stack.close();
    },
  };
}

/** Spread over the first ten months, so that each finds work to interrupt. Returns how many. */
async function killWorkers(
  sandbox: Sandbox,
  count: number,
  say: (line: string) => void,
): Promise<number> {
  for (let i = 0; i < count; i++) {
    const closed = Math.floor((i * 10) / count);
    const isClosed = async () => (await sandbox.statements()).length >= closed;
    await until(`${closed} months are closed`, isClosed, waitMs, 200);
    const task = tasks[i % tasks.length] ?? tasks[0];
    await until(`${task} runs`, async () => sandbox.isRunning(task), waitMs, 10);
    await sandbox.replaceWorker();
    say(`killed during ${task}, after ${closed} months`);
  }
  return count;
}

async function awaitEnd({ ask }: Sandbox): Promise<void> {
  let reset: Json;
  const hasEnded = async () => (reset = await ask('GET', '/v1/sandbox/reset')).status !== 'running';
  await until('the reset has ended', hasEnded, waitMs);
  assert.deepEqual([reset.status, reset.problem, reset.seeded], ['idle', null, true]);
}

async function judge(sandbox: Sandbox, planned: readonly SeedReport[]) {
  const { ask, service, orgId } = sandbox;
  const statements = (await sandbox.statements()).toReversed();
  const reports: Json[] = (await ask('GET', '/v1/sandbox/reports?limit=100')).data;
  const adjustments: Json[] = (await ask('GET', '/v1/adjustments')).data;
  const holds: Json[] = (await ask('GET', '/v1/earning_holds')).data;
  const releases: Json[] = (await ask('GET', '/v1/releases?limit=100')).data;
  const verified: Json = await service.admin('ledger', 'verify', '--org', orgId, '--from', 'start');
  return {
    months: new Set(statements.map(({ period_end: end }) => String(end).slice(0, 7))).size,
    statements: statements.length,
    reports: reports.length,
    reports_not_as_planned: countUnplanned(reports, planned),
    statements_that_do_not_follow: countWrong(statements),
    ledgers_broken: verified.intact === true ? 0 : 1,
    ...(await awaitDocuments(sandbox)),
    fines: adjustments.filter(({ type }) => type === 'penalty').length,
    disputes: holds.filter(({ reason }) => reason === 'store_dispute').length,
    releases: releases.length,
    earning_releases: releases.filter(({ reference }) => reference === earningRelease.reference)
      .length,
  };
}

/** Missing, unknown, not paid by a statement, or not paid by the store as its kind says. */
function countUnplanned(reports: readonly Json[], planned: readonly SeedReport[]): number {
  const named = (storeId: string, period: string, kind: string) => `${period} ${storeId} ${kind}`;
  const left = new Set(planned.map((each) => named(each.storeId, each.period, each.kind)));
  const wrong = reports.filter((report) => {
    const isPlanned = left.delete(named(report.store_id, report.period, report.kind));
    const unpaid = micros(report.reported_amount) - micros(report.paid_amount);
    // A bank moves whole cents.
    const isPaidAsPlanned =
      report.kind === 'short_paid' ? unpaid >= 10_000n : unpaid >= 0n && unpaid < 10_000n;
    return !isPlanned || report.status !== 'included' || !isPaidAsPlanned;
  });
  return wrong.length + left.size;
}

/** The oldest first. */
function countWrong(statements: readonly Json[]): number {
  let balance = 0n;
  return statements.filter((statement) => {
    const opening = balance;
    balance +=
      micros(statement.net_amount) +
      micros(statement.adjustment_amount) -
      micros(statement.payout_amount);
    return (
      micros(statement.opening_balance) !== opening ||
      micros(statement.closing_balance) !== balance ||
      micros(statement.gross_amount) <= 0n
    );
  }).length;
}

/** They are drawn after each month is closed. */
async function awaitDocuments({ service }: Sandbox) {
  const count = async (): Promise<Json> => {
    const [counted] = await service.query(
      `select count(*) filter (where documented_at is null and document_failed_at is null)::int as waiting,
              count(document_failed_at)::int as documents_failed,
              (select count(*)::int from statement_artifacts where kind = 'document') as documents
         from run_statements`,
    );
    return counted;
  };
  await until('every document is drawn', async () => (await count()).waiting === 0, waitMs);
  const { documents, documents_failed } = await count();
  return { documents, documents_failed };
}

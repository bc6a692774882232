/**
 * The whole way of a report to statements, in this process: it receives the files as an operator, then runs the handlers of
 * the worker. DuckDB works in child processes, as in production.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findStoreHoldings } from '../apps/service/src/delivery/face.ts';
import { type Id, parseId, toUuid } from '../apps/service/src/kernel/ids.ts';
import { formatMicros, toMicros } from '../apps/service/src/kernel/money.ts';
import { systemOrgId } from '../apps/service/src/kernel/system-organization.ts';
import { removeFiles } from '../apps/service/src/royalties/connectors/run-files.ts';
import { wakeRun } from '../apps/service/src/royalties/messages.ts';
import { reportWorkflow } from '../apps/service/src/royalties/workflows/reports.ts';
import { runWorkflow } from '../apps/service/src/royalties/workflows/runs.ts';
import { openTestService, type TestService } from '../apps/service/test/test-service.ts';
import { createTestBucket } from '../apps/service/test/test-storage.ts';
import { openWorkerDriver, type WorkerDriver } from '../apps/service/test/worker-driver.ts';
import type { WrittenReport } from './ingest-report.ts';
import { fillWorld, storeId, type WorldSize } from './ingest-world.ts';

export type IngestService = {
  readonly service: TestService;
  readonly receive: (report: WrittenReport) => Promise<string>;
  /** Until the parts of the report are stored. Returns the amount of the matched rows. */
  readonly read: (reportId: string) => Promise<number>;
  /** As a store that pays the report, of which a tenth is taxed. */
  readonly pay: (reportId: string, amount: string) => Promise<void>;
  readonly createRun: () => Promise<string>;
  /** Until it is in review. A handler that fails is repeated, as the engine does. */
  readonly calculate: (runId: string) => Promise<void>;
  readonly discard: (runId: string) => Promise<void>;
  readonly countsOf: (runId: string) => Promise<RunCounts>;
  readonly close: () => Promise<void>;
};

type RunCounts = {
  readonly buckets: number;
  readonly statements: number;
  readonly items: number;
  readonly records: number;
  readonly problems: number;
};

const now = '2026-08-16T09:00:00.000Z';
const attemptsMax = 3;
/** Banks transfer whole cents. */
const microsPerCent = 10_000n;

export async function openIngest(folder: string, size: WorldSize): Promise<IngestService> {
  const service = await openTestService({
    environment: 'live',
    now,
    connections: 20,
    storageSettings: await createTestBucket(),
  });
  const { storage, workerDb: db, clock, admin } = service;
  const scratchFolder = join(folder, 'scratch');
  mkdirSync(scratchFolder, { recursive: true });
  const driver = openWorkerDriver(service, undefined, undefined, undefined, [
    reportWorkflow({
      storage,
      scratchFolder,
      db,
      clock,
      findHoldings: (query) => findStoreHoldings(db.withoutTenant, query),
    }),
    runWorkflow({ storage, scratchFolder, db }),
  ]);
  const fxSetId = await fillWorld(service, size);
  return {
    service,
    receive: async ({ paths }) => {
      const files = paths.flatMap((path) => ['--file', path]);
      const format = ['--store', storeId, '--format', 'dsr'];
      return (await admin('reports', 'receive', ...format, ...files))['id'] ?? '';
    },
    read: async (reportId) => {
      await driver.runUntilIdle();
      const shown = await admin('reports', 'show', '--report', reportId);
      requireStatus(shown, 'matched');
      return matchedOf(shown);
    },
    pay: async (reportId, amount) => {
      const micros = BigInt(amount.replace('.', ''));
      const transferred = ((micros * 9n) / 10n / microsPerCent) * microsPerCent;
      const tax = formatMicros(toMicros(micros - transferred));
      const payment = ['--currency', 'EUR', '--amount', amount, '--source-tax', tax];
      const facts = ['--store', storeId, '--reference', reportId, '--value-date', '2026-08-15'];
      await admin('remittances', 'record', ...facts, ...payment, '--reports', reportId);
    },
    createRun: async () =>
      (await admin('runs', 'create', '--month', '2026-07', '--fx-set', fxSetId))['id'] ?? '',
    calculate: async (runId) => {
      await calculateAll(driver, runId);
      requireStatus(await admin('runs', 'show', '--run', runId), 'review');
    },
    discard: async (runId) => {
      await admin('runs', 'discard', '--run', runId);
      await driver.runUntilIdle();
    },
    countsOf: (runId) => countRun(service, runId),
    close: async () => {
      await removeFiles({ storage }, '');
      await service.close();
    },
  };
}

function matchedOf(shown: object): number {
  const { totals } = shown as { totals: readonly { readonly matched_amount: string }[] };
  return totals.reduce((sum, total) => sum + Number(total.matched_amount), 0);
}

function requireStatus(shown: Readonly<Record<string, unknown>>, status: string): void {
  if (shown['status'] === status) return;
  throw new Error(`it is not ${status}: ${JSON.stringify(shown)}`);
}

async function calculateAll(driver: WorkerDriver, runId: string): Promise<void> {
  const id = parseId('run', runId);
  if (id === undefined) throw new TypeError(`${runId} is no run`);
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt > 1) await driver.handle(wakeRun(systemOrgId, id, 'calculate'));
      await driver.runUntilIdle();
      return;
    } catch (error) {
      if (attempt === attemptsMax) throw error;
    }
  }
}

async function countRun({ query }: TestService, runId: string): Promise<RunCounts> {
  const [counts] = await query(
    `select (select count(*)::int from run_statements where run_id = $1) as statements,
            (select count(*)::int from run_buckets where run_id = $1) as buckets,
            (select coalesce(sum((part -> 'items' ->> 'rowCount')::bigint), 0)::int from run_buckets,
                    jsonb_array_elements(calculated -> 'parts') part where run_id = $1) as items,
            (select coalesce(sum((part ->> 'recordCount')::bigint), 0)::int from run_buckets,
                    jsonb_array_elements(calculated -> 'parts') part where run_id = $1) as records,
            (select coalesce(jsonb_array_length(review -> 'problems'), 0) from royalty_runs where id = $1) as problems`,
    [toUuid(runId as Id<'run'>)],
  );
  return counts;
}

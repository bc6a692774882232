/**
 * Registers the batches of files that stores put on the object store (`incoming-batch.ts`), every minute:
 *
 *   list → for each complete batch: check → digest → find the report with the same files
 *        → copy the files to a new report → register it → remove the batch
 *
 * If two batches have the same files, one is registered and the copies of the other are removed. A batch whose store,
 * format or files are wrong is marked as refused, and does not hold up the others.
 */

import type { Logger } from 'pino';
import { workflowOwner } from '../../kernel/actor.ts';
import { hourMs, minuteMs } from '../../kernel/duration.ts';
import type { NewId } from '../../kernel/ids.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { findStore } from '../../network/face.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Schedule } from '../../platform/engine/schedules.ts';
import {
  type HandlerContext,
  TerminalFailure,
  type Workflow,
} from '../../platform/engine/workflow.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { refusedBatches } from '../../platform/telemetry/instruments.ts';
import { registerReport } from '../commands/register-report.ts';
import { digestStoredFiles } from '../connectors/digest-files.ts';
import {
  copyFiles,
  findBatches,
  refuseBatch,
  removeBatch,
  removeKeys,
} from '../connectors/incoming-batches.ts';
import { batchProblem, formatOf, type IncomingBatch } from '../domain/incoming-batch.ts';
import { presentReport } from '../domain/present-report.ts';
import { filesOfReport, fileSetProblem } from '../domain/report-files.ts';
import { ReportRejected } from '../domain/report-rejected.ts';
import type { ReportFormat, ReportId } from '../domain/report.ts';
import type { ReportFile } from '../domain/store-report.ts';
import { reportIntakeService } from '../messages.ts';
import { findReportBySet } from '../store/reports.ts';

export type IntakeDeps = {
  readonly storage: Storage;
  readonly scratchFolder: string;
  readonly newId: NewId;
  readonly logger: Logger;
};

export const reportIntakeSchedules: readonly Schedule[] = [
  { service: reportIntakeService, job: 'incoming', everyMs: minuteMs },
];

const inactivityTimeoutMs = 3 * hourMs;
/** Then the batch is left to the next run. */
const attemptsMax = 3;
/** Batches belong to no partner: in the sandbox there is no intake. */
const owner = workflowOwner(systemOrgId, reportIntakeService);

export const reportIntakeWorkflow = (deps: IntakeDeps): Workflow => ({
  service: reportIntakeService,
  inactivityTimeoutMs,
  handlers: {
    run: async (run) => {
      const { batches, refusedCount } = await run.externalStep('list', () =>
        findBatches(deps.storage),
      );
      let refused = refusedCount;
      for (const batch of batches) {
        const problem = await takeBatch(run, deps, batch);
        if (problem === undefined) continue;
        await run.externalStep('refuse', async () => {
          await refuseBatch(deps.storage, batch);
          deps.logger.error({ batch: batch.prefix, problem }, 'a batch of report files is refused');
          return null;
        });
        refused += 1;
      }
      refusedBatches().record(refused);
    },
  },
});

/** What is wrong with the batch; undefined if it was registered, or will be by the next run. */
async function takeBatch(
  run: HandlerContext,
  deps: IntakeDeps,
  batch: IncomingBatch,
): Promise<string | undefined> {
  const format = formatOf(batch.format);
  const problem = batchProblem(batch);
  if (problem !== undefined || format === undefined) return problem;
  const isKnown = await run.step(
    'find store',
    owner,
    async (tx) => (await findStore(tx, batch.storeId)) !== undefined,
  );
  if (!isKnown) return `There is no store with the id "${batch.storeId}".`;
  try {
    return await registerBatch(run, deps, { batch, format });
  } catch (error) {
    if (!(error instanceof TerminalFailure)) throw error;
    deps.logger.error({ batch: batch.prefix, err: error }, 'a batch of report files must wait');
    return undefined;
  }
}

type CheckedBatch = { readonly batch: IncomingBatch; readonly format: ReportFormat };

async function registerBatch(
  run: HandlerContext,
  deps: IntakeDeps,
  { batch, format }: CheckedBatch,
): Promise<string | undefined> {
  const digested = await digestBatch(run, deps, batch);
  if ('problem' in digested) return digested.problem;
  const { setDigest, id, files } = digested;
  const { storeId } = batch;
  const existing = await run.step(
    'find report',
    owner,
    async (tx) => (await findReportBySet(tx, tx.orgId, { storeId, setDigest }))?.id ?? null,
  );
  if (existing === null) {
    const external = (name: string, work: () => Promise<void>) =>
      run.externalStep(name, async () => (await work(), null), attemptsMax);
    await external('copy files', () => copyFiles(deps.storage, batch, files));
    const registered = await run.step('register', owner, async (tx) => {
      const report = await registerReport(tx, { id, storeId, format, setDigest, files });
      const audited = { auditedId: report.id, before: undefined, after: presentReport(report) };
      if (report.id === id) appendAudit(tx, { action: 'report.received', ...audited });
      return report.id;
    });
    const keys = registered === id ? [] : files.map(({ objectKey }) => objectKey);
    await external('remove copies', () => removeKeys(deps.storage, keys));
  }
  await run.externalStep('remove batch', async () => {
    await removeBatch(deps.storage, batch);
    deps.logger.info({ batch: batch.prefix, report: existing ?? id }, 'a batch is registered');
    return null;
  });
  return undefined;
}

type Digested =
  | { readonly problem: string }
  | {
      readonly setDigest: string;
      /** Of the report, if it is a new one. */
      readonly id: ReportId;
      readonly files: readonly ReportFile[];
    };

/** The new id is in the same journal entry, so that a repeated copy goes to the same keys. */
const digestBatch = (
  run: HandlerContext,
  deps: IntakeDeps,
  { files: incoming }: IncomingBatch,
): Promise<Digested> =>
  run.externalStep<Digested>(
    'digest',
    async (signal) => {
      try {
        const { setDigest, files } = await digestStoredFiles(deps, incoming, signal);
        const named = files.map((file, i) => ({ ...file, name: incoming[i]?.name ?? '' }));
        const problem = fileSetProblem(named);
        if (problem !== undefined) return { problem };
        const id = deps.newId('rpt');
        return { setDigest, id, files: filesOfReport(id, named) };
      } catch (error) {
        if (!(error instanceof ReportRejected)) throw error;
        return { problem: error.message };
      }
    },
    attemptsMax,
  );

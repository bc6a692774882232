/**
 * A report from `received` to `matched`, `validated` or `rejected`:
 *
 *   read          find the report → read its files in a process of their own → record what was found, in one transaction
 *   rematch       matches the rows in suspense again, and records those that have an owner by now
 *   removeFiles   removes everything of a report on the object store; the reset of a sandbox removes its rows
 *
 * The three are one journal entry: what was found has a row for each partner, too much for the journal. Reading again
 * after a crash writes the same parts under the same keys, and a report that is not `received` any more is not changed.
 * The message comes from a timer, so it is sent again if the engine loses its disk.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import { addMs, hourMs, minuteMs } from '../../kernel/duration.ts';
import type { Tx } from '../../platform/db/database.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
import { setRealTimer } from '../../platform/engine/timers.ts';
import {
  type HandlerContext,
  TerminalFailure,
  type Workflow,
} from '../../platform/engine/workflow.ts';
import { createSemaphore } from '../../platform/process/semaphore.ts';
import { createProgressRecorder, type ProgressDeps } from '../commands/record-progress.ts';
import { recordReading, recordRejection } from '../commands/record-reading.ts';
import { findReportToRematch, recordRematch } from '../commands/rematch-report.ts';
import { readReport, type ReadReportDeps, type ReportToRead } from '../connectors/read-report.ts';
import { rematchReport } from '../connectors/rematch-report.ts';
import { removeFiles } from '../connectors/run-files.ts';
import type { Rematch, ReportToRematch } from '../domain/rematch.ts';
import { reportFolder } from '../domain/report-files.ts';
import { ReportRejected } from '../domain/report-rejected.ts';
import type { ReportId, ReportReading, ReportRejection } from '../domain/report.ts';
import { readReportMessage, reportService } from '../messages.ts';
import { listFiles } from '../store/report-rows.ts';
import { findReport } from '../store/reports.ts';

/** Longer than the reading of the largest report, including its wait for the one before. */
const inactivityTimeoutMs = 6 * hourMs;

/** A reading takes all processors and most of the memory, so a worker reads one report at a time. */
const concurrentReadingsMax = 1;
/** Pauses of six seconds in all: PostgreSQL may be restarted meanwhile. */
const attemptsMax = 8;
const retryAfterMs = 2 * minuteMs;

type Outcome = { readonly reading: ReportReading } | { readonly rejection: ReportRejection };

export type ReportWorkflowDeps = ReadReportDeps & ProgressDeps;

export function reportWorkflow(deps: ReportWorkflowDeps, read = readReport): Workflow {
  const withSlot = createSemaphore({ atOnce: concurrentReadingsMax });
  const readOrReject = async (report: ReportToRead, signal: AbortSignal): Promise<Outcome> => {
    const onProgress = createProgressRecorder(deps, report.orgId, report.reportId);
    try {
      return { reading: await read(deps, report, signal, onProgress) };
    } catch (error) {
      if (!(error instanceof ReportRejected)) throw error;
      return { rejection: error.rejection };
    }
  };
  return {
    service: reportService,
    inactivityTimeoutMs,
    handlers: {
      read: async (run) => {
        const { orgId, id } = parseEntityRef('rpt', run.entityRef);
        try {
          await run.sideEffect<ReportToRead, Outcome>('read', workflowOwner(orgId, reportService), {
            claim: (tx) => findReportToRead(tx, id),
            execute: (report, signal) =>
              withSlot(orgId, () => readOrReject(report, signal), signal),
            record: (tx, _report, outcome) => recordOutcome(tx, id, outcome),
            attemptsMax,
          });
        } catch (error) {
          if (!(error instanceof TerminalFailure)) throw error;
          await retryLater(run);
        }
      },
      rematch: async (run) => {
        const { orgId, id } = parseEntityRef('rpt', run.entityRef);
        await run.sideEffect<ReportToRematch, Rematch | null>(
          'rematch',
          workflowOwner(orgId, reportService),
          {
            claim: (tx) => findReportToRematch(tx, id),
            execute: (report, signal) =>
              withSlot(orgId, () => rematchReport(deps, report, signal), signal),
            record: async (tx, _report, rematch) => {
              if (rematch !== null) await recordRematch(tx, id, rematch);
            },
            attemptsMax,
          },
        );
      },
      removeFiles: async (run) => {
        const { id } = parseEntityRef('rpt', run.entityRef);
        await run.externalStep('remove files', async () => {
          await removeFiles(deps, reportFolder(id));
          return null;
        });
      },
    },
  };
}

/** Undefined if it is not received any more: an earlier attempt has recorded its reading. */
async function findReportToRead(tx: Tx, id: ReportId): Promise<ReportToRead | undefined> {
  const report = await findReport(tx, tx.orgId, id);
  if (report?.status !== 'received') return undefined;
  const files = await listFiles(tx, { orgId: tx.orgId, id });
  const { storeId, format } = report;
  return {
    reportId: id,
    orgId: tx.orgId,
    storeId,
    format,
    files: files.map(({ number, name, objectKey }) => ({ number, name, objectKey })),
  };
}

const recordOutcome = (tx: Tx, id: ReportId, outcome: Outcome): Promise<void> =>
  'reading' in outcome
    ? recordReading(tx, id, outcome.reading)
    : recordRejection(tx, id, outcome.rejection);

/** Its lane is free for other reports meanwhile. */
async function retryLater(run: HandlerContext): Promise<void> {
  const { orgId, id } = parseEntityRef('rpt', run.entityRef);
  await run.step('retry later', workflowOwner(orgId, reportService), async (tx) => {
    setRealTimer(tx, addMs(tx.realNow, retryAfterMs), readReportMessage(orgId, id));
  });
}

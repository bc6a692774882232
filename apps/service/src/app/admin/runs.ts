/** Royalty runs, from their calculation to the published statements. */

import { parseId } from '../../kernel/ids.ts';
import { isMonth } from '../../kernel/month.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { createRun } from '../../royalties/commands/create-run.ts';
import { redrawDocuments } from '../../royalties/commands/document-statements.ts';
import {
  approveRun,
  cancelRun,
  closeRun,
  discardRun,
  requireRun,
  startRun,
} from '../../royalties/commands/move-run.ts';
import { presentFailure, presentProgress, presentRun } from '../../royalties/domain/present-run.ts';
import type { RunId } from '../../royalties/domain/run-plan.ts';
import type { FxRateSetId } from '../../royalties/domain/run-rates.ts';
import { reviewLines } from '../../royalties/domain/run-review.ts';
import { findProgress } from '../../royalties/store/run-buckets.ts';
import { findDocumentFailures } from '../../royalties/store/run-documents.ts';
import { listRuns } from '../../royalties/store/runs.ts';
import {
  type Command,
  type Commands,
  type Flags,
  ownerOf,
  required,
  UsageError,
} from './command.ts';

const moving = (move: typeof startRun): Command => ({
  orgOf: () => systemOrgId,
  run: async (tx, flags) => {
    const { before, after } = await move(tx, runOf(flags));
    return { auditedId: after.id, shown: presentRun(after), before: presentRun(before) };
  },
});

const failuresShownMax = 100;

export const runCommands: Commands = {
  'runs create': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const run = await createRun(tx, { month: monthOf(flags), fxSetId: fxSetOf(flags) });
      return { auditedId: run.id, shown: presentRun(run) };
    },
  },
  'runs list': {
    orgOf: () => systemOrgId,
    run: async (tx) => {
      const runs = await listRuns(tx, tx.orgId);
      return { auditedId: tx.orgId, shown: { data: runs.map(presentRun) } };
    },
  },
  'runs show': {
    orgOf: ownerOf,
    run: async (tx, flags) => {
      const run = await requireRun(tx, runOf(flags));
      const progress = await findProgress(tx, tx.orgId, run.id);
      const failures = await findDocumentFailures(tx, tx.orgId, run.id, failuresShownMax);
      const shown = {
        ...presentRun(run),
        progress: presentProgress(run, progress, tx.realNow),
        documents_failed: failures.map(presentFailure),
      };
      return { auditedId: run.id, shown };
    },
  },
  'runs draw-documents': {
    orgOf: ownerOf,
    run: async (tx, flags) => {
      const { run, count } = await redrawDocuments(tx, runOf(flags));
      return { auditedId: run.id, shown: { id: run.id, documents_drawn_again: count } };
    },
  },
  'runs review': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const { id, status, review } = await requireRun(tx, runOf(flags));
      const text = review === null ? ['The run has no review yet.'] : reviewLines(review);
      return { auditedId: id, shown: { id, status, text, review } };
    },
  },
  'runs start': moving(startRun),
  'runs cancel': moving(cancelRun),
  'runs approve': moving(approveRun),
  'runs close': moving(closeRun),
  'runs discard': moving(discardRun),
};

function runOf(flags: Flags): RunId {
  const id = parseId('run', required(flags, 'run'));
  if (id === undefined) throw new UsageError('--run must be the id of a run (run_… id).');
  return id;
}

function fxSetOf(flags: Flags): FxRateSetId {
  const id = parseId('fxs', required(flags, 'fx-set'));
  if (id === undefined) throw new UsageError('--fx-set must be the id of an FX set (fxs_… id).');
  return id;
}

function monthOf(flags: Flags): string {
  const month = required(flags, 'month');
  if (!isMonth(month)) throw new UsageError('--month must be a month such as 2026-10.');
  return month;
}

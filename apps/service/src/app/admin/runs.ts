/** Royalty runs, from their calculation to the published statements. */

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
import { reviewLines } from '../../royalties/domain/run-review.ts';
import { findProgress } from '../../royalties/store/run-buckets.ts';
import { findDocumentFailures } from '../../royalties/store/run-documents.ts';
import { listRuns } from '../../royalties/store/runs.ts';
import { command, type Command, type Commands, ofOwner, ofPlatform, onlyReads } from './command.ts';
import { id, month } from './flag-types.ts';
import { optional, required } from './flag.ts';

const run = required(id('run'));
const org = optional(id('org'), 'only in the sandbox, where a run may belong to a partner');

const moving = (summary: string, move: typeof startRun): Command =>
  command({
    summary,
    flags: { run },
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      const { before, after } = await move(tx, flags.run);
      return { auditedId: after.id, shown: presentRun(after), before: presentRun(before) };
    },
  });

const failuresShownMax = 100;

export const runCommands: Commands = {
  'runs create': command({
    summary: 'calculate the statements of a month from all reports that are paid',
    flags: { month: required(month), 'fx-set': required(id('fxs')) },
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      const created = await createRun(tx, { month: flags.month, fxSetId: flags['fx-set'] });
      return { auditedId: created.id, shown: presentRun(created) };
    },
  }),
  'runs list': command({
    summary: 'list the runs, the newest first',
    flags: {},
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx) => {
      const runs = await listRuns(tx, tx.orgId);
      return { auditedId: tx.orgId, shown: { data: runs.map(presentRun) } };
    },
  }),
  'runs show': command({
    summary: 'show a run with its progress',
    flags: { run, org },
    noDryRun: onlyReads,
    orgOf: ofOwner,
    run: async (tx, flags) => {
      const found = await requireRun(tx, flags.run);
      const progress = await findProgress(tx, tx.orgId, found.id);
      const failures = await findDocumentFailures(tx, tx.orgId, found.id, failuresShownMax);
      const shown = {
        ...presentRun(found),
        progress: presentProgress(found, progress, tx.realNow),
        documents_failed: failures.map(presentFailure),
      };
      return { auditedId: found.id, shown };
    },
  }),
  'runs review': command({
    summary: 'show what to check before a run is approved',
    flags: { run },
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx, flags) => {
      const { id: runId, status, review } = await requireRun(tx, flags.run);
      const text = review === null ? ['The run has no review yet.'] : reviewLines(review);
      return { auditedId: runId, shown: { id: runId, status, text, review } };
    },
  }),
  'runs cancel': moving('stop the calculation', cancelRun),
  'runs start': moving('continue the calculation', startRun),
  'runs approve': moving('approve a run that another operator created', approveRun),
  'runs close': moving('publish the statements and credit the balances', closeRun),
  'runs discard': moving('remove everything that was calculated', discardRun),
  'runs draw-documents': command({
    summary: 'draw the documents again that could not be drawn',
    flags: { run, org },
    orgOf: ofOwner,
    run: async (tx, flags) => {
      const { run: found, count } = await redrawDocuments(tx, flags.run);
      return { auditedId: found.id, shown: { id: found.id, documents_drawn_again: count } };
    },
  }),
};

/**
 * Makes the documents of the statements of a closed run, some at a time: they are drawn in one process, stored, and
 * recorded in a transaction of each partner. Then the rows of the run say that they are done. Safe to repeat: the same
 * statement makes the same file, and a document that is recorded is not made again.
 *
 * A document that cannot be drawn is recorded as failed, and the others are made. An operator has it drawn again
 * (`runs draw-documents`) when the cause is gone.
 */

import type { Logger } from 'pino';
import { workflowOwner } from '../../kernel/actor.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import { type DocumentDeps, storeDocuments } from '../connectors/store-documents.ts';
import type { RunId } from '../domain/run-plan.ts';
import { refuseDrawing, type Run, runNotFound } from '../domain/run.ts';
import {
  type DocumentFailure,
  documentErrorMax,
  type StatementDocument,
} from '../domain/statement-document.ts';
import { runService, wakeRun } from '../messages.ts';
import {
  clearDocumentFailures,
  findUndocumented,
  markDocumented,
  markDocumentFailed,
} from '../store/run-documents.ts';
import { lockRun } from '../store/runs.ts';
import { insertDocument } from '../store/statement-artifacts.ts';
import type { RunKey } from './close-statements.ts';
import { readDocumentContent } from './read-document-content.ts';

/** Together they are some megabytes, and take some seconds. */
const documentsPerStep = 50;

export type DocumentStatementDeps = DocumentDeps & {
  readonly db: Database;
  readonly logger?: Pick<Logger, 'error'>;
};

/** True if there was nothing left to do. */
export async function documentSomeStatements(
  deps: DocumentStatementDeps,
  { orgId, id }: RunKey,
  signal: AbortSignal,
): Promise<boolean> {
  const { db } = deps;
  const found = await db.readOnce(orgId, (owner) =>
    findUndocumented(owner, orgId, id, documentsPerStep),
  );
  if (found.length === 0) return true;
  const pending: Pending[] = [];
  for (const { partnerOrgId, statementId } of found) {
    signal.throwIfAborted();
    const content = await readDocumentContent(db, partnerOrgId, statementId);
    if (content !== undefined) pending.push({ orgId: partnerOrgId, content });
  }
  const failures = await storeAndRecord(deps, id, pending, signal);
  const failedIds = new Set(failures.map(({ statementId }) => statementId));
  const done = found.filter(({ statementId }) => !failedIds.has(statementId));
  await db.transact(workflowOwner(orgId, runService), async (tx) => {
    markDocumented(tx, id, done);
    markDocumentFailed(tx, id, failures);
  });
  for (const failure of failures)
    deps.logger?.error({ org: orgId, run: id, ...failure }, 'a document cannot be drawn');
  return false;
}

type Pending = { readonly orgId: OrgId; readonly content: StatementDocument };

/** Returns those that cannot be drawn. */
async function storeAndRecord(
  deps: DocumentStatementDeps,
  id: RunId,
  pending: readonly Pending[],
  signal: AbortSignal,
): Promise<readonly DocumentFailure[]> {
  if (pending.length === 0) return [];
  const contents = pending.map(({ content }) => content);
  const stored = await storeDocuments(deps, id, contents, signal);
  const failures: DocumentFailure[] = [];
  for (const [index, { orgId, content }] of pending.entries()) {
    const { statementId } = content;
    const file = stored[index];
    if (file === undefined) throw new TypeError(`${statementId} was neither drawn nor refused`);
    if ('error' in file)
      failures.push({ statementId, error: file.error.slice(0, documentErrorMax) });
    else
      await deps.db.transact(workflowOwner(orgId, runService), async (tx) =>
        insertDocument(tx, statementId, file),
      );
  }
  return failures;
}

/** Has the documents drawn again that could not be drawn. Returns how many there are. */
export async function redrawDocuments(
  tx: Tx,
  id: RunId,
): Promise<{ readonly run: Run; readonly count: number }> {
  const run = await lockRun(tx, id);
  if (run === undefined) throw runNotFound();
  enforce(refuseDrawing(run));
  const count = await clearDocumentFailures(tx, id);
  enqueueDurablyInRealTime(tx, wakeRun(tx.orgId, id, 'document'));
  return { run, count };
}

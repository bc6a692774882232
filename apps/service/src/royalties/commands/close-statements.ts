/**
 * What a run does to each of its partners, several at once: announcing net amounts, closing statements, withdrawing
 * announcements. Each partner has a transaction of its own; the rows of the run say who is done. Safe to repeat.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import type { OrgId } from '../../kernel/ids.ts';
import type { Month } from '../../kernel/month.ts';
import { deletePendingNet, insertPendingNet } from '../../money/face.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { RunId } from '../domain/run-plan.ts';
import type { RunStatement } from '../domain/run-statement.ts';
import type { Total, TotalsGrain, TotalsOf } from '../domain/totals.ts';
import { runService } from '../messages.ts';
import {
  findByAnnouncement,
  findUnclosed,
  markAnnounced,
  markClosed,
} from '../store/run-statements.ts';
import { findStatementTotals } from '../store/run-totals.ts';
import { touchRun } from '../store/runs.ts';
import { closeStatement } from './close-statement.ts';

/** A step ends after this many, so that its progress is journaled. */
const partnersPerStep = 200;
const partnersAtOnce = 8;

export type RunKey = { readonly orgId: OrgId; readonly id: RunId };

type Work = {
  readonly find: (tx: Tx) => Promise<readonly RunStatement[]>;
  readonly apply: (statement: RunStatement) => Promise<void>;
  readonly mark: (tx: Tx, done: readonly RunStatement[]) => void;
};

/** True if there was nothing left to do. */
async function forPartners(
  db: Database,
  { orgId, id }: RunKey,
  { find, apply, mark }: Work,
  signal: AbortSignal,
): Promise<boolean> {
  const owner = workflowOwner(orgId, runService);
  const found = await db.transact(owner, find);
  for (let start = 0; start < found.length; start += partnersAtOnce) {
    signal.throwIfAborted();
    const batch = found.slice(start, start + partnersAtOnce);
    await Promise.all(batch.map(apply));
    await db.transact(owner, async (tx) => {
      touchRun(tx, id);
      mark(tx, batch);
    });
  }
  return found.length === 0;
}

export const closeSomeStatements = (
  db: Database,
  { orgId, id, month }: RunKey & { readonly month: Month },
  signal: AbortSignal,
): Promise<boolean> =>
  forPartners(
    db,
    { orgId, id },
    {
      find: (tx) => findUnclosed(tx, orgId, id, partnersPerStep),
      apply: async (statement) => {
        const totals = await readTotals(db, { orgId, id }, statement);
        await db.transact(workflowOwner(statement.partnerOrgId, runService), (tx) =>
          closeStatement(tx, { runId: id, month, statement, totals }),
        );
      },
      mark: (tx, done) => markClosed(tx, id, done),
    },
    signal,
  );

async function readTotals(
  db: Database,
  { orgId, id }: RunKey,
  { statementId }: RunStatement,
): Promise<TotalsOf<Total>> {
  const read = (grain: TotalsGrain) =>
    db.readOnce(orgId, (owner) => findStatementTotals(owner, orgId, id, statementId, grain));
  return {
    releases: await read('releases'),
    markets: await read('markets'),
    tracks: await read('tracks'),
  };
}

/** What the statements will credit is pending in the balances of the partners. */
export const announceSomeNets = (
  db: Database,
  { orgId, id }: RunKey,
  signal: AbortSignal,
): Promise<boolean> =>
  forPartners(
    db,
    { orgId, id },
    {
      find: (tx) => findByAnnouncement(tx, orgId, id, false, partnersPerStep),
      apply: ({ partnerOrgId, currency, netAmount: amount }) =>
        db.transact(workflowOwner(partnerOrgId, runService), async (tx) =>
          insertPendingNet(tx, id, { currency, amount }),
        ),
      mark: (tx, done) => markAnnounced(tx, id, done, true),
    },
    signal,
  );

/** Deletes also what an interrupted announcement has written without a mark. */
export const withdrawSomeNets = (
  db: Database,
  { orgId, id }: RunKey,
  signal: AbortSignal,
): Promise<boolean> =>
  forPartners(
    db,
    { orgId, id },
    {
      find: (tx) => findUnclosed(tx, orgId, id, partnersPerStep),
      apply: ({ partnerOrgId, currency }) =>
        db.transact(workflowOwner(partnerOrgId, runService), async (tx) =>
          deletePendingNet(tx, id, currency),
        ),
      mark: (tx, done) => markClosed(tx, id, done),
    },
    signal,
  );

import { dayOf } from '../../kernel/calendar-date.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Finding } from '../domain/preflight/finding.ts';
import type { Subject } from '../domain/preflight/subject.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { findSubject } from './find-subject.ts';
import { judge } from './judge.ts';

/**
 * What is to be sent to these stores, as the rules look at it. As of the day it was submitted: a release that
 * is out already, or is brought to another store years later, does not fail for its date.
 */
export async function subjectForStores(
  tx: Tx,
  snapshot: Snapshot,
  storeIds: readonly string[],
): Promise<Subject> {
  const today = snapshot.release.submission?.submittedAt.slice(0, 10) ?? dayOf(tx.now);
  const wanted = new Set(storeIds);
  const subject = await findSubject(tx, snapshot, today);
  const stores = subject.stores.filter(({ storeId }) => wanted.has(storeId));
  return { ...subject, stores };
}

export async function judgeForStores(
  tx: Tx,
  snapshot: Snapshot,
  storeIds: readonly string[],
): Promise<readonly Finding[]> {
  return (await judge(tx.orgId, await subjectForStores(tx, snapshot, storeIds))).findings;
}

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { findOrganization } from '../../identity/face.ts';
import { allStores, type Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Subject, SubjectStore } from '../domain/preflight/subject.ts';
import { type Snapshot, subjectOf } from '../domain/snapshot.ts';

/** A release and its surroundings, as the rules of preflight look at them. */
export async function findSubject(
  tx: Tx,
  snapshot: Snapshot,
  today: CalendarDate,
): Promise<Subject> {
  const [account, stores] = await Promise.all([findOrganization(tx, tx.orgId), allStores(tx)]);
  return subjectOf(snapshot, {
    stores: stores.map(asSubjectStore),
    licensedTerritories: account?.licensedTerritories ?? [],
    today,
  });
}

const asSubjectStore = ({
  storeId,
  territoryCodes,
  capabilities,
  rulePack,
}: Store): SubjectStore => ({
  storeId,
  territoryCodes,
  audioFormats: capabilities.audioFormats,
  leadTimeBusinessDays: capabilities.leadTimeBusinessDays,
  rulePack,
});

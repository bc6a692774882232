import { findOrganization } from '../../identity/face.ts';
import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import { changelog } from '../domain/changelog.ts';
import { changelogPublished } from '../events.ts';
import { recordAnnouncement } from '../store/changelog.ts';

/** Spec §6: to the enterprise tier only, and once. Returns whether it appended the event now. */
export async function announceChange(
  tx: Tx,
  date: CalendarDate,
  publicUrl: string,
): Promise<boolean> {
  const entry = changelog.find((candidate) => candidate.date === date);
  if (entry === undefined) {
    throw new Problem('resource_not_found', `The changelog has no entry of ${date}.`);
  }
  const organization = await findOrganization(tx, tx.orgId);
  if (organization?.tier !== 'enterprise') return false;
  if (!(await recordAnnouncement(tx, date))) return false;
  appendEvent(tx, changelogPublished(entry, publicUrl));
  return true;
}

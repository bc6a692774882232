import { dayOf } from '../../kernel/calendar-date.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Report } from '../domain/preflight/finding.ts';
import { preflight } from '../domain/preflight/preflight.ts';
import type { Subject } from '../domain/preflight/subject.ts';
import { snapshotOf } from '../domain/snapshot.ts';
import { findRelease } from '../store/releases.ts';
import { findSubject } from './find-subject.ts';
import { releaseNotFound } from './release-not-found.ts';
import { findParts } from './submit-release.ts';

export type Validation = { readonly subject: Subject; readonly report: Report };

/** What stores would refuse the release for, as it stands. Changes nothing. */
export async function validateRelease(tx: Tx, id: ReleaseId): Promise<Validation> {
  const release = await findRelease(tx, tx.orgId, id);
  if (release === undefined) throw releaseNotFound();
  const { tracks, assets } = await findParts(tx, release);
  const subject = await findSubject(tx, snapshotOf(release, tracks, assets), dayOf(tx.now));
  return { subject, report: preflight(subject) };
}

import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import { presentRelease } from '../domain/present-release.ts';
import type { Release, ReleaseStatus } from '../domain/release.ts';
import { releaseStatusChanged } from '../events.ts';
import { updateReleaseStatus } from '../store/releases.ts';

/** The caller has locked the release. */
export function changeReleaseStatus(tx: Tx, release: Release, status: ReleaseStatus): void {
  if (status === release.status) return;
  const next = { ...release, status, updatedAt: nextUpdatedAt(release, tx.now) };
  updateReleaseStatus(tx, next);
  appendEvent(tx, releaseStatusChanged(next, release.status));
  auditStatusChange(tx, release, next);
}

/** The release is not the resource that the transaction is about: it has an audit row of its own. */
export const auditStatusChange = (tx: Tx, before: Release, after: Release): void =>
  appendAudit(tx, {
    action: 'release.change_status',
    auditedId: after.id,
    before: presentRelease(before),
    after: presentRelease(after),
  });

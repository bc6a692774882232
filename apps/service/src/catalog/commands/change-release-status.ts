import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import type { Release, ReleaseStatus } from '../domain/release.ts';
import { releaseStatusChanged } from '../events.ts';
import { updateReleaseStatus } from '../store/releases.ts';

/** The caller has locked the release. */
export function changeReleaseStatus(tx: Tx, release: Release, status: ReleaseStatus): void {
  if (status === release.status) return;
  const next = { ...release, status, updatedAt: nextUpdatedAt(release, tx.now) };
  updateReleaseStatus(tx, next);
  appendEvent(tx, releaseStatusChanged(next, release.status));
}

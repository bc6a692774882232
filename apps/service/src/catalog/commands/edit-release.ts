import { dayOf } from '../../kernel/calendar-date.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import { enforce, Problem, type Refusal } from '../../kernel/problem.ts';
import { findReach, refuseTerritories } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import {
  type ContentField,
  edited,
  type Release,
  refuseArtists,
  refuseSubmit,
  refuseTakenReference,
  refuseTwin,
  type ReleaseEdit,
  type ReleaseStatus,
  submittedAt,
} from '../domain/release.ts';
import { refuseStatusInPatch } from '../domain/status-sunset.ts';
import { releaseStatusChanged } from '../events.ts';
import { findRivals, lockRelease, updateRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import { releaseNotFound } from './release-not-found.ts';

export type EditRequest = {
  readonly id: ReleaseId;
  readonly edit: ReleaseEdit;
  /** The deprecated way to submit; refused once its sunset has passed. */
  readonly status: ReleaseStatus | undefined;
  /** Whether the release is still what the caller believes it to be (If-Match). */
  readonly isExpected: (release: Release) => boolean;
};

export async function editRelease(tx: Tx, request: EditRequest): Promise<Release> {
  const { id, edit, isExpected } = request;
  const [current, reach, rivals] = await Promise.all([
    lockRelease(tx, id),
    findReach(tx, edit.territories ?? []),
    findRivals(tx, id, { upc: 'own', reference: edit.reference }),
  ]);
  if (current === undefined) throw releaseNotFound();
  if (!isExpected(current)) {
    throw new Problem('precondition_failed', 'The release has changed since you read it.');
  }
  enforce(
    refuseContent(edit, reach) ??
      (request.status && refuseStatusInPatch(current, request.status, tx.now)),
  );
  const isSubmitted = request.status === 'submitted' && current.status === 'draft';
  const { next, changed } = edited(current, edit, tx.now);
  if (changed.length === 0 && !isSubmitted) return current;
  enforce(refuseTakenReference(next.reference, rivals));
  // Contract §3: a change into a taken fingerprint is refused, not any change of a draft that has one.
  if (isSubmitted || hasMoved(changed)) enforce(refuseTwin(next, rivals));
  return isSubmitted ? submitted(tx, next, changed) : stored(tx, next, changed);
}

const hasMoved = (changed: readonly ContentField[]): boolean =>
  changed.includes('label') || changed.includes('releaseDate');

const unknownArtwork: Refusal = {
  code: 'invalid_field',
  message: 'artwork_asset_id does not name an asset of yours.',
  details: [{ field: 'artwork_asset_id', issue: 'does not name an asset of yours' }],
};

function refuseContent(
  { artists, territories, artworkAssetId }: ReleaseEdit,
  reach: Awaited<ReturnType<typeof findReach>>,
): Refusal | undefined {
  // Contract §1: an id in a body that names nothing is a bad field, not a missing resource.
  if (artworkAssetId !== undefined) return unknownArtwork;
  return (
    (artists && refuseArtists(artists)) ??
    (territories && refuseTerritories(territories, reach, 'territories'))
  );
}

function submitted(tx: Tx, release: Release, changed: readonly ContentField[]): Release {
  enforce(refuseSubmit(release, dayOf(tx.now)));
  const next = stored(tx, submittedAt(release, tx.now), changed);
  appendEvent(tx, releaseStatusChanged(next, release.status));
  return next;
}

function stored(tx: Tx, release: Release, changed: readonly ContentField[]): Release {
  updateRelease(tx, release);
  if (changed.length > 0) insertRevision(tx, release, changed);
  return release;
}

import { dayOf } from '../../kernel/calendar-date.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import { enforce, Problem, type Refusal } from '../../kernel/problem.ts';
import { findOrganization, isLicensedFor, type Organization } from '../../identity/face.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  edited,
  type Release,
  refuseArtists,
  refuseSubmit,
  refuseTakenReference,
  refuseTwin,
  type ReleaseEdit,
  type ReleaseStatus,
} from '../domain/release.ts';
import { refuseStatusInPatch } from '../domain/status-sunset.ts';
import { refuseTerritories } from '../domain/territories.ts';
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
  const [current, account] = await Promise.all([
    lockRelease(tx, id),
    edit.territories === undefined ? undefined : findOrganization(tx, tx.orgId),
  ]);
  if (current === undefined) throw releaseNotFound();
  if (!isExpected(current)) {
    throw new Problem('precondition_failed', 'The release has changed since you read it.');
  }
  enforce(
    (edit.artists && refuseArtists(edit.artists)) ??
      (edit.territories && refuseTerritories(edit.territories, licensedBy(account))) ??
      (request.status && refuseStatusInPatch(current, request.status, tx.now)),
  );
  const isSubmitted = request.status === 'submitted' && current.status === 'draft';
  return isSubmitted ? applyAndSubmit(tx, current, edit) : apply(tx, current, edit);
}

const licensedBy = (account: Organization | undefined) => (code: TerritoryCode) =>
  isLicensedFor(account?.licensedTerritories ?? [], code);

async function apply(tx: Tx, current: Release, edit: ReleaseEdit): Promise<Release> {
  const { next, changed } = edited(current, edit, tx.now);
  if (changed.length === 0) return current;
  enforce(await refuseCollision(tx, next));
  updateRelease(tx, next);
  insertRevision(tx, next, changed);
  return next;
}

async function applyAndSubmit(tx: Tx, current: Release, edit: ReleaseEdit): Promise<Release> {
  const { next, changed } = edited(current, edit, tx.now);
  const submitted: Release = { ...next, status: 'submitted', updatedAt: tx.now };
  enforce((await refuseCollision(tx, submitted)) ?? refuseSubmit(submitted, dayOf(tx.now)));
  updateRelease(tx, submitted);
  if (changed.length > 0) insertRevision(tx, submitted, changed);
  return submitted;
}

async function refuseCollision(tx: Tx, release: Release): Promise<Refusal | undefined> {
  const rivals = await findRivals(tx, release);
  return refuseTwin(release, rivals) ?? refuseTakenReference(release.reference, rivals);
}

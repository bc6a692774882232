import { type Asset, findAsset, refuseArtwork } from '../../assets/face.ts';
import { parseId, type ReleaseId } from '../../kernel/ids.ts';
import { enforce, enforceAll, Problem, type Refusal } from '../../kernel/problem.ts';
import { findTerritoryAvailability } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type ContentField,
  applyReleaseEdit,
  refuseArtists,
  refuseTakenReference,
  refuseDuplicate,
  type Release,
  type ReleaseEdit,
  releaseNotFound,
  type ReleaseStatus,
} from '../domain/release.ts';
import { refuseUseTypes, refuseWindow } from '../domain/rights.ts';
import { refuseStatusInPatch } from '../domain/status-sunset.ts';
import { refuseWhileReviewed } from '../domain/submission.ts';
import { findConflictingReleases, lockRelease, updateRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import { refuseGrowth } from './refuse-growth.ts';
import { refuseReleaseTerritories, territoriesToLookUp } from './refuse-territory-rights.ts';
import { reserveNamedCodes } from './reserve-named-codes.ts';
import { submitLockedRelease } from './submit-release.ts';

export type EditRequest = {
  readonly id: ReleaseId;
  readonly edit: ReleaseEdit;
  /** The deprecated way to submit; refused after its sunset. */
  readonly status: ReleaseStatus | undefined;
  /** Whether the release still has the ETag that the caller sent (If-Match). */
  readonly isExpected: (release: Release) => boolean;
};

export async function editRelease(tx: Tx, request: EditRequest): Promise<Release> {
  const { id, edit, isExpected } = request;
  const territories = { codes: edit.territories, excluded: edit.excludedTerritories };
  const [current, availability, artwork, conflicts] = await Promise.all([
    lockRelease(tx, id),
    findTerritoryAvailability(tx, territoriesToLookUp(territories)),
    findArtwork(tx, edit.artworkAssetId),
    findConflictingReleases(tx, id, { upc: 'own', ean: edit.ean, reference: edit.reference }),
  ]);
  if (current === undefined) throw releaseNotFound();
  if (!isExpected(current)) {
    throw new Problem('precondition_failed', 'The release has changed since you read it.');
  }
  enforce(
    // A removed feature is refused before any other mistake in the request.
    (request.status && refuseStatusInPatch(current, request.status, tx.now)) ??
      refuseWhileReviewed(current.submission) ??
      refuseContent(edit, artwork) ??
      refuseReleaseTerritories(territories, current.territories, availability),
  );
  const isSubmitted = request.status === 'submitted' && current.status !== 'submitted';
  const { next, changed } = applyReleaseEdit(current, edit, tx.now);
  if (changed.length === 0 && !isSubmitted) return current;
  enforceAll(refuseWindow(next));
  enforce(refuseTakenReference(next.reference, conflicts));
  // Contract §3: refused only when the edit changes the fingerprint; a draft may already have a taken one.
  if (changesFingerprint(changed)) enforce(refuseDuplicate(next, conflicts));
  await refuseGrowth(tx, next, { before: current, after: next, changed });
  storeRevision(tx, next, changed);
  return isSubmitted ? (await submitLockedRelease(tx, next, conflicts)).release : next;
}

const changesFingerprint = (changed: readonly ContentField[]): boolean =>
  changed.includes('label') || changed.includes('releaseDate') || changed.includes('ean');

/** The id is not parsed yet, and may name no asset. */
async function findArtwork(tx: Tx, text: string | null | undefined): Promise<Asset | undefined> {
  const id = parseId('ast', text ?? '');
  return id === undefined ? undefined : findAsset(tx, tx.orgId, id);
}

function refuseContent(
  { artists, useTypes, artworkAssetId }: ReleaseEdit,
  artwork: Asset | undefined,
): Refusal | undefined {
  return (
    (typeof artworkAssetId === 'string' ? refuseArtwork(artwork) : undefined) ??
    (artists && refuseArtists(artists)) ??
    refuseUseTypes(useTypes)
  );
}

function storeRevision(tx: Tx, release: Release, changed: readonly ContentField[]): void {
  if (changed.length === 0) return;
  if (changed.includes('ean')) reserveNamedCodes(tx, { ean: release.ean });
  updateRelease(tx, release);
  insertRevision(tx, release, changed);
}

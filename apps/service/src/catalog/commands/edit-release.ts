import { type Asset, findAsset, refuseArtwork } from '../../assets/face.ts';
import type { Changed } from '../../kernel/changed.ts';
import { parseId, type ReleaseId } from '../../kernel/ids.ts';
import { enforce, enforceAll, Problem, type Refusal } from '../../kernel/problem.ts';
import { findTerritoryAvailability } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type ArtistEntry,
  type NamedArtists,
  refuseNamedArtists,
  toArtists,
} from '../domain/artist-entries.ts';
import { type Label, refuseNamedLabel } from '../domain/label.ts';
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
import { findConflictingReleases } from '../store/release-conflicts.ts';
import { lockRelease, updateRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import { enforceArtistCounts, findNamedArtists } from './find-named-artists.ts';
import { findNamedLabel } from './find-named-label.ts';
import { refuseGrowth } from './refuse-growth.ts';
import { refuseReleaseTerritories, territoriesToLookUp } from './refuse-territory-rights.ts';
import { reserveNamedCodes } from './reserve-named-codes.ts';
import { submitLockedRelease } from './submit-release.ts';

/** The fields of the request: its ids are not parsed yet. */
export type ReleasePatch = Omit<ReleaseEdit, 'artists' | 'labelId'> & {
  readonly artists?: readonly ArtistEntry[];
  readonly labelId?: string;
};

export type EditRequest = {
  readonly id: ReleaseId;
  readonly edit: ReleasePatch;
  /** The deprecated way to submit; refused after its sunset. */
  readonly status: ReleaseStatus | undefined;
  /** Whether the release still has the ETag that the caller sent (If-Match). */
  readonly isExpected: (release: Release) => boolean;
};

export async function editRelease(tx: Tx, request: EditRequest): Promise<Changed<Release>> {
  const { id, edit: patch, isExpected } = request;
  const territories = { codes: patch.territories, excluded: patch.excludedTerritories };
  const [current, availability, artwork, conflicts, named, label] = await Promise.all([
    lockRelease(tx, id),
    findTerritoryAvailability(tx, territoriesToLookUp(territories)),
    findArtwork(tx, patch.artworkAssetId),
    findConflictingReleases(tx, id, { upc: 'own', ean: patch.ean, reference: patch.reference }),
    findNamedArtists(tx, patch.artists ?? []),
    findNamedLabel(tx, patch),
  ]);
  if (current === undefined) throw releaseNotFound();
  if (!isExpected(current)) {
    throw new Problem(
      'precondition_failed',
      'The release has changed since you read it. Read it again, apply your change to it, and send its new ETag.',
    );
  }
  enforce(
    // A removed feature is refused before any other mistake in the request.
    (request.status && refuseStatusInPatch(current, request.status, tx.now)) ??
      refuseWhileReviewed(current.submission) ??
      refuseContent(patch, artwork) ??
      refuseNamedLabel(patch, label) ??
      refuseNamedArtists(patch.artists ?? [], named, 'artists') ??
      refuseReleaseTerritories(territories, current.territories, availability),
  );
  const isSubmitted = request.status === 'submitted' && current.status !== 'submitted';
  const edit = toEdit(patch, named, label);
  const { next, changed } = applyReleaseEdit(current, edit, tx.now);
  if (changed.length === 0 && !isSubmitted) return { before: current, after: current };
  enforceAll(refuseWindow(next));
  enforce(refuseTakenReference(next.reference, conflicts));
  // Contract §3: refused only when the edit changes the fingerprint; a draft may already have a taken one.
  if (changesFingerprint(changed)) enforce(refuseDuplicate(next, conflicts));
  await enforceArtistCounts(tx, [
    { releaseId: id, entries: patch.artists ?? [], field: 'artists' },
  ]);
  await refuseGrowth(tx, { before: current, after: next, changed });
  storeRevision(tx, next, changed);
  const after = isSubmitted ? (await submitLockedRelease(tx, next, conflicts)).release : next;
  return { before: current, after };
}

const changesFingerprint = (changed: readonly ContentField[]): boolean =>
  changed.includes('label') || changed.includes('releaseDate') || changed.includes('ean');

/** The id is not parsed yet, and may name no asset. */
async function findArtwork(tx: Tx, text: string | null | undefined): Promise<Asset | undefined> {
  const id = parseId('ast', text ?? '');
  return id === undefined ? undefined : findAsset(tx, tx.orgId, id);
}

/** A label that is named by its text alone is matched to the label of that name. */
function toEdit(
  { artists, label: text, labelId: _labelId, ...patch }: ReleasePatch,
  named: NamedArtists,
  label: Label | undefined,
): ReleaseEdit {
  const name = label?.name ?? text;
  return {
    ...patch,
    ...(artists !== undefined && { artists: toArtists(artists, named) }),
    ...(name !== undefined && { label: name, labelId: label?.id ?? null }),
  };
}

function refuseContent(
  { artists, useTypes, artworkAssetId }: ReleasePatch,
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

import { type Asset, durationOf, findAssets, refuseAudio } from '../../assets/face.ts';
import { parseId } from '../../kernel/ids.ts';
import { parseIsrc } from '../../kernel/isrc.ts';
import { enforce, Problem, type Refusal } from '../../kernel/problem.ts';
import { findTerritoryAvailability } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type ArtistEntry, refuseNamedArtists, toArtists } from '../domain/artist-entries.ts';
import { refuseContributors } from '../domain/contributor.ts';
import { refuseArtists, withTrackCount } from '../domain/release.ts';
import { refusePreviewStart } from '../domain/rights.ts';
import { refuseWhileReviewed } from '../domain/submission.ts';
import {
  applyTrackEdit,
  refuseIsrc,
  refuseTakenPosition,
  refuseTrackReference,
  type TrackEdit,
  type TrackId,
  trackNotFound,
} from '../domain/track.ts';
import { lockReleaseOfTrack, updateRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import {
  findTrack,
  findTrackPositions,
  allocateIsrcs,
  findTakenReferences,
  type TrackView,
  updateTrack,
} from '../store/tracks.ts';
import { enforceArtistCount, findNamedArtists } from './find-named-artists.ts';
import { refuseGrowth } from './refuse-growth.ts';
import { refuseTrackTerritories, territoriesToLookUp } from './refuse-territory-rights.ts';

/** Ids and the ISRC are not parsed yet. */
export type TrackPatch = Omit<TrackEdit, 'isrc' | 'audioAssetId' | 'artists'> & {
  readonly artists?: readonly ArtistEntry[];
  readonly isrc?: string;
  readonly audioAssetId?: string | null;
};

export type TrackEditRequest = {
  readonly id: TrackId;
  readonly patch: TrackPatch;
  /** Whether the track still has the ETag that the caller sent (If-Match). */
  readonly isExpected: (track: TrackView) => boolean;
};

export async function editTrack(tx: Tx, request: TrackEditRequest): Promise<TrackView> {
  const { id, patch } = request;
  enforce(patch.isrc === undefined ? undefined : refuseIsrc(patch.isrc, 'isrc'));
  const isrc = patch.isrc === undefined ? undefined : parseIsrc(patch.isrc);
  const audioId = parseId('ast', patch.audioAssetId ?? '');
  const territories = { codes: patch.territory, excluded: patch.excludedTerritories };
  const entries = patch.artists ?? [];
  const [release, current, availability, assets, references, named] = await Promise.all([
    lockReleaseOfTrack(tx, id),
    findTrack(tx, tx.orgId, id),
    findTerritoryAvailability(tx, territoriesToLookUp(territories)),
    audioId === undefined ? [] : findAssets(tx, [audioId]),
    findTakenReferences(tx, typeof patch.reference === 'string' ? [patch.reference] : []),
    findNamedArtists(tx, entries),
    // Reserves the code, so that no other transaction allocates it, now or later.
    isrc === undefined ? [] : allocateIsrcs(tx, 0, [isrc]),
  ]);
  if (release === undefined || current === undefined) throw trackNotFound();
  if (!request.isExpected(current)) {
    throw new Problem('precondition_failed', 'The track has changed since you read it.');
  }
  const [audio] = assets;
  const durationMs = patch.audioAssetId === undefined ? current.durationMs : durationOf(audio);
  enforce(
    refuseWhileReviewed(release.submission) ??
      refusePatch(patch, audio) ??
      refuseNamedArtists(entries, named, 'artists') ??
      refuseTrackTerritories(territories, current.territory, {
        release,
        availability,
        prefix: '',
      }) ??
      refusePreviewStart(patch.previewStartMs, durationMs, 'preview_start_ms') ??
      refuseTrackReference(otherThan(id, references.get(patch.reference ?? '')), 'reference'),
  );
  const edit = {
    ...patch,
    ...(isrc && { isrc }),
    ...(audio && { audioAssetId: audio.id }),
    ...(patch.artists && { artists: toArtists(entries, named) }),
  };
  const { next, changed } = applyTrackEdit(current, edit as TrackEdit, tx.now);
  if (changed.length === 0) return current;
  if (changed.includes('disc') || changed.includes('position')) {
    const others = (await findTrackPositions(tx, [release.id])).filter((other) => other.id !== id);
    enforce(refuseTakenPosition(next, others, 'position'));
  }
  await enforceArtistCount(tx, release.id, entries, 'artists');
  await refuseGrowth(tx, release, { before: current, after: next, changed });
  updateTrack(tx, next);
  const revised = withTrackCount(release, release.trackCount, tx.now);
  updateRelease(tx, revised);
  insertRevision(tx, revised, ['tracks']);
  return { ...next, durationMs, release: current.release };
}

const otherThan = (id: TrackId, owner: TrackId | undefined): TrackId | undefined =>
  owner === id ? undefined : owner;

function refusePatch(
  { artists, contributors, audioAssetId }: TrackPatch,
  audio: Asset | undefined,
): Refusal | undefined {
  return (
    (artists && refuseArtists(artists)) ??
    (contributors && refuseContributors(contributors)) ??
    (typeof audioAssetId === 'string' ? refuseAudio(audio, 'audio_asset_id') : undefined)
  );
}

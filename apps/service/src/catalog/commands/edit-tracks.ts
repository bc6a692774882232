/** Edits one track or many: all of them or none (contract §4). Positions and references are judged after the whole request. */

import { type Asset, durationOf, refuseAudio } from '../../assets/face.ts';
import type { Changed } from '../../kernel/changed.ts';
import { type Isrc, parseIsrc } from '../../kernel/isrc.ts';
import { enforceAll, Problem, type Refusal } from '../../kernel/problem.ts';
import { toSnakeCase } from '../../kernel/snake-case.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type NamedArtists,
  refuseNamedArtists,
  refuseNamedContributors,
  toArtists,
  toContributors,
} from '../domain/artist-entries.ts';
import { bytesOfFields, refuseGrowths } from '../domain/release-size.ts';
import { refuseArtists, type Release, withTrackCount } from '../domain/release.ts';
import { refusePreviewStart } from '../domain/rights.ts';
import { refuseWhileReviewed } from '../domain/submission.ts';
import {
  applyTrackEdit,
  refuseIsrc,
  refuseRepeatedTrack,
  refuseTakenPosition,
  refuseTrackReference,
  type Track,
  type TrackEdit,
  type TrackField,
  type TrackId,
  unknownTrack,
  unknownTrackIn,
} from '../domain/track.ts';
import { updateRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import {
  findTrackPositions,
  type TrackPosition,
  type TrackView,
  updateTracks,
} from '../store/tracks.ts';
import type { PrefixOf } from './create-tracks.ts';
import {
  type AddressedEdit,
  findEditedTracks,
  namedEntries,
  type EditedTracks,
  type TrackEditRequest,
  type TrackPatch,
} from './find-edited-tracks.ts';
import { enforceArtistCounts } from './find-named-artists.ts';
import { refuseTrackTerritories, requestedTerritoriesOf } from './refuse-territory-rights.ts';

type SingleEdit = {
  readonly id: TrackId;
  readonly patch: TrackPatch;
  /** Whether the track still has the ETag that the caller sent (If-Match). */
  readonly isExpected: (track: TrackView) => boolean;
};

/** The path of the request names the track: an unknown one is a missing resource, and no field has a prefix. */
export async function editTrack(
  tx: Tx,
  { id, patch, isExpected }: SingleEdit,
): Promise<Changed<TrackView>> {
  const [edited] = await edit(tx, [{ id, patch, prefix: '', unknown: unknownTrack }], isExpected);
  if (edited === undefined) throw new Error('one edit makes one track');
  return edited;
}

/** The tracks before and after the edits, in the order of the request. Each release with a changed track gets one revision. */
export const editTracks = (
  tx: Tx,
  requests: readonly TrackEditRequest[],
  prefixOf: PrefixOf,
): Promise<readonly Changed<TrackView>[]> =>
  edit(
    tx,
    requests.map((request, i) => {
      const prefix = prefixOf(i);
      return { ...request, prefix, unknown: unknownTrackIn(`${prefix}id`) };
    }),
  );

async function edit(
  tx: Tx,
  requests: readonly AddressedEdit[],
  isExpected: (track: TrackView) => boolean = () => true,
): Promise<readonly Changed<TrackView>[]> {
  enforceAll(
    requests.map(({ patch, prefix }) =>
      patch.isrc === undefined ? undefined : refuseIsrc(patch.isrc, `${prefix}isrc`),
    ),
  );
  const referenced = await findEditedTracks(tx, requests);
  const items = findItems(requests, referenced);
  if (!items.every(({ current, release }) => isExpected({ ...current, release }))) {
    throw new Problem(
      'precondition_failed',
      'The track has changed since you read it. Read it again, apply your change to it, and send its new ETag.',
    );
  }
  const owners = referenceOwners(items, referenced.references);
  enforceAll(items.map((item, i) => refuseItem(item, owners[i], referenced)));
  const changes = items.map((item) => applyItem(item, referenced.namedArtists, tx.now));
  await enforceArtistCounts(
    tx,
    items.map(({ release, patch, prefix }) => ({
      releaseId: release.id,
      entries: namedEntries(patch),
      field: `${prefix}artists`,
    })),
  );
  await refuseTakenPositions(tx, changes.filter(isMoved));
  enforceAll(refuseGrowths(changes.map(growthOf), referenced.bytesBefore));
  storeChanges(tx, changes);
  return changes.map(({ current, next, durationMs, release }) => ({
    before: { ...current, release },
    after: { ...next, durationMs, release },
  }));
}

type EditItem = {
  readonly patch: TrackPatch;
  readonly prefix: string;
  readonly current: Track;
  readonly release: Release;
  readonly isrc: Isrc | undefined;
  readonly audio: Asset | undefined;
  /** After the edit. */
  readonly durationMs: number | null;
};

/** Refuses ids that name no track, and tracks that are named twice. */
function findItems(
  requests: readonly AddressedEdit[],
  { tracks, releases, assets }: EditedTracks,
): readonly EditItem[] {
  const paths = new Map<string, string>();
  enforceAll(
    requests.map(({ id, prefix, unknown }) => {
      const current = tracks.get(id);
      // The track may have been deleted while this transaction waited for the lock on its release.
      if (current === undefined || !releases.has(current.releaseId)) return unknown;
      const earlier = paths.get(id);
      if (earlier === undefined) paths.set(id, `${prefix}id`);
      return refuseRepeatedTrack(earlier, `${prefix}id`);
    }),
  );
  return requests.flatMap(({ id, patch, prefix }) => {
    const current = tracks.get(id);
    const release = current && releases.get(current.releaseId);
    if (current === undefined || release === undefined) return [];
    const isrc = patch.isrc === undefined ? undefined : parseIsrc(patch.isrc);
    const audio = assets.get(patch.audioAssetId ?? '');
    const durationMs = patch.audioAssetId === undefined ? current.durationMs : durationOf(audio);
    return [{ patch, prefix, current, release, isrc, audio, durationMs }];
  });
}

/** For each item, another track that has its reference after the request: references may be exchanged. */
function referenceOwners(
  items: readonly EditItem[],
  stored: ReadonlyMap<string, TrackId>,
): readonly (TrackId | undefined)[] {
  const owners = new Map(stored);
  for (const { patch, current } of items) {
    if (patch.reference !== undefined && current.reference !== null) {
      owners.delete(current.reference);
    }
  }
  return items.map(({ patch: { reference }, current: { id } }) => {
    if (typeof reference !== 'string') return undefined;
    const owner = owners.get(reference);
    if (owner === undefined) owners.set(reference, id);
    return owner;
  });
}

function refuseItem(
  { patch, prefix, current, release, audio, durationMs }: EditItem,
  referenceOwner: TrackId | undefined,
  { availability, namedArtists }: EditedTracks,
): Refusal | undefined {
  const { artists, contributors, audioAssetId } = patch;
  return (
    refuseWhileReviewed(release.submission) ??
    (artists && refuseArtists(artists, `${prefix}artists`)) ??
    (artists && refuseNamedArtists(artists, namedArtists, `${prefix}artists`)) ??
    (contributors &&
      refuseNamedContributors(contributors, namedArtists, `${prefix}contributors`)) ??
    (typeof audioAssetId === 'string'
      ? refuseAudio(audio, `${prefix}audio_asset_id`)
      : undefined) ??
    refuseTrackTerritories(requestedTerritoriesOf(patch), current.territory, {
      release,
      availability,
      prefix,
    }) ??
    refusePreviewStart(patch.previewStartMs, durationMs, `${prefix}preview_start_ms`) ??
    refuseTrackReference(referenceOwner, `${prefix}reference`)
  );
}

type TrackChange = EditItem & {
  readonly next: Track;
  /** Empty if the track already was as the patch wants it. */
  readonly changed: readonly TrackField[];
};

function applyItem(item: EditItem, named: NamedArtists, now: Date): TrackChange {
  const { patch, isrc, audio, current } = item;
  const parsed = {
    ...patch,
    ...(isrc && { isrc }),
    ...(audio && { audioAssetId: audio.id }),
    ...(patch.artists && { artists: toArtists(patch.artists, named) }),
    ...(patch.contributors && { contributors: toContributors(patch.contributors, named) }),
  };
  const { next, changed } = applyTrackEdit(current, parsed as TrackEdit, now);
  return { ...item, next, changed };
}

const growthOf = ({ current, next, changed, prefix }: TrackChange) => ({
  releaseId: current.releaseId,
  grownBy: bytesOfFields(next, changed) - bytesOfFields(current, changed),
  field: `${prefix}${toSnakeCase(changed[0] ?? '')}`,
});

const isMoved = ({ changed }: TrackChange): boolean =>
  changed.includes('disc') || changed.includes('position');

/** Positions may be exchanged: one is taken if another track has it after the request. */
async function refuseTakenPositions(tx: Tx, moved: readonly TrackChange[]): Promise<void> {
  if (moved.length === 0) return;
  const releaseIds = new Set(moved.map(({ release }) => release.id));
  const positions = await findTrackPositions(tx, [...releaseIds]);
  const movedIds = new Set(moved.map(({ current }) => current.id));
  const taken: TrackPosition[] = positions.filter(({ id }) => !movedIds.has(id));
  enforceAll(
    moved.map(({ next, prefix }) => {
      const others = taken.filter(({ releaseId }) => releaseId === next.releaseId);
      taken.push(next);
      return refuseTakenPosition(next, others, `${prefix}position`);
    }),
  );
}

/** Unchanged tracks write nothing. */
function storeChanges(tx: Tx, changes: readonly TrackChange[]): void {
  const changed = changes.filter((change) => change.changed.length > 0);
  if (changed.length === 0) return;
  updateTracks(
    tx,
    changed.map(({ next }) => next),
  );
  for (const release of new Set(changed.map((change) => change.release))) {
    const revised = withTrackCount(release, release.trackCount, tx.now);
    updateRelease(tx, revised);
    insertRevision(tx, revised, ['tracks']);
  }
}

/**
 * Replaces a release and its tracks by what a message says about them (contract §4). A track of the release stays if the
 * message has its ISRC. Those that the message leaves out are deleted from a draft, and withdrawn from any other
 * release, because stores may have them.
 */

import type { ReleaseId } from '../../kernel/ids.ts';
import { parseIsrc } from '../../kernel/isrc.ts';
import { enforce, invalidField, type Refusal } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Release, releaseNotFound } from '../domain/release.ts';
import { nextPosition, type Track, tracksMax } from '../domain/track.ts';
import { lockRelease } from '../store/releases.ts';
import { listTracksOfRelease, type TrackView } from '../store/tracks.ts';
import { createRelease, type NewRelease } from './create-release.ts';
import { createTracks, type NewTrack } from './create-tracks.ts';
import { deleteTrack } from './delete-track.ts';
import { editRelease, type ReleasePatch } from './edit-release.ts';
import { editTracks } from './edit-tracks.ts';
import type { TrackPatch } from './find-edited-tracks.ts';

type ReplacedTrack = {
  readonly create: Omit<NewTrack, 'releaseId'>;
  readonly patch: TrackPatch;
};

export type ReleaseReplacement = {
  readonly create: NewRelease;
  readonly edit: ReleasePatch;
  /** In the order of the message. */
  readonly tracks: readonly ReplacedTrack[];
};

export type ReleaseWithTracks = {
  readonly release: Release;
  readonly tracks: readonly TrackView[];
};

/** `current`: locked by the caller. Undefined: the release is created. */
export async function replaceRelease(
  tx: Tx,
  current: Release | undefined,
  { create, edit, tracks }: ReleaseReplacement,
): Promise<ReleaseWithTracks> {
  enforce(refuseTooManyTracks(tracks));
  const { id, status } = current ?? (await createRelease(tx, create));
  const patch = current === undefined ? artworkOf(edit) : edit;
  if (Object.keys(patch).length > 0) {
    await editRelease(tx, { id, edit: patch, status: undefined, isExpected: () => true });
  }
  const existing = current === undefined ? [] : await listTracksOfRelease(tx, tx.orgId, id);
  const plan = planTracks(existing, tracks);
  if (status === 'draft') for (const track of plan.left) await deleteTrack(tx, track.id);
  await applyEdits(tx, plan, status === 'draft' ? [] : withdrawals(plan.left, tracks));
  await applyCreations(tx, id, plan);
  return findReleaseWithTracks(tx, id);
}

/** All that a release cannot be created with. */
const artworkOf = ({ artworkAssetId }: ReleasePatch): ReleasePatch =>
  artworkAssetId === undefined ? {} : { artworkAssetId };

async function findReleaseWithTracks(tx: Tx, id: ReleaseId): Promise<ReleaseWithTracks> {
  const [release, tracks] = await Promise.all([
    lockRelease(tx, id),
    listTracksOfRelease(tx, tx.orgId, id),
  ]);
  if (release === undefined) throw releaseNotFound();
  return { release, tracks };
}

function refuseTooManyTracks(tracks: readonly ReplacedTrack[]): Refusal | undefined {
  if (tracks.length <= tracksMax) return undefined;
  return invalidField('tracks', `must have at most ${tracksMax} items`);
}

/** `index`: of the track in the message. */
type Planned = ReplacedTrack & { readonly index: number };

type TrackPlan = {
  readonly edited: readonly (Planned & { readonly id: Track['id'] })[];
  readonly added: readonly Planned[];
  readonly left: readonly Track[];
};

function planTracks(existing: readonly Track[], tracks: readonly ReplacedTrack[]): TrackPlan {
  const byIsrc = new Map(existing.map((track) => [track.isrc, track]));
  const planned = tracks.map((track, index) => {
    const isrc = parseIsrc(track.create.isrc ?? '');
    const known = isrc === undefined ? undefined : byIsrc.get(isrc);
    // Each track of the release is found once.
    if (isrc !== undefined) byIsrc.delete(isrc);
    return { ...track, index, id: known?.id };
  });
  const found = new Set(planned.map(({ id }) => id));
  return {
    edited: planned.flatMap(({ id, ...each }) => (id === undefined ? [] : [{ ...each, id }])),
    added: planned.filter(({ id }) => id === undefined),
    left: existing.filter(({ id }) => !found.has(id)),
  };
}

type Withdrawal = { readonly id: Track['id']; readonly patch: TrackPatch };

/** They make room: a track of the message may have their positions. */
function withdrawals(
  left: readonly Track[],
  tracks: readonly ReplacedTrack[],
): readonly Withdrawal[] {
  const taken = [
    ...tracks.map(({ create: { disc, position = 1 } }) => ({ disc, position })),
    ...left,
  ].map(({ disc, position }) => ({ disc, position }));
  return left.map(({ id, disc }) => {
    const position = nextPosition(disc, taken);
    taken.push({ disc, position });
    return { id, patch: { useTypes: [], position } };
  });
}

async function applyEdits(
  tx: Tx,
  { edited }: TrackPlan,
  withdrawn: readonly Withdrawal[],
): Promise<void> {
  const requests = [...edited, ...withdrawn].map(({ id, patch }) => ({ id, patch }));
  if (requests.length === 0) return;
  await editTracks(tx, requests, (i) => prefixOf(edited[i]?.index ?? i));
}

async function applyCreations(tx: Tx, releaseId: ReleaseId, { added }: TrackPlan): Promise<void> {
  if (added.length === 0) return;
  const newTracks = added.map(({ create }) => ({ ...create, releaseId }));
  await createTracks(tx, newTracks, (i) => prefixOf(added[i]?.index ?? i));
}

/** The path of a track in problem details. */
const prefixOf = (index: number): string => `tracks[${index}].`;

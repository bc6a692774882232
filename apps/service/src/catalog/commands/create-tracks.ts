/** Creates one track or many: all of them or none (contract §4). */

import { durationOf, findAssets, refuseAudio } from '../../assets/face.ts';
import { parseIds } from '../../kernel/ids.ts';
import { type Isrc, parseIsrc } from '../../kernel/isrc.ts';
import { enforceAll, type Refusal } from '../../kernel/problem.ts';
import { documentedTerritories } from '../../kernel/territory.ts';
import { findTerritoryAvailability } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type ArtistEntry,
  type ContributorEntry,
  refuseNamedArtists,
  refuseNamedContributors,
  toArtists,
  toContributors,
} from '../domain/artist-entries.ts';
import { refuseContributors } from '../domain/contributor.ts';
import { bytesOfReleases, contentBytesOf, refuseGrowths } from '../domain/release-size.ts';
import { refuseArtists, type Release, withTrackCount } from '../domain/release.ts';
import { refusePreviewStart } from '../domain/rights.ts';
import { refuseWhileReviewed } from '../domain/submission.ts';
import {
  nextPosition,
  refuseIsrc,
  refuseTakenPosition,
  refuseTrackReference,
  refuseTooManyTracks,
  type Track,
  type TrackContent,
  unsetTrackFields,
} from '../domain/track.ts';
import { allocateIsrcs } from '../store/isrcs.ts';
import { lockReleases, updateRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import {
  insertTracks,
  findTrackPositions,
  type TrackPosition,
  findTakenReferences,
  type TrackView,
} from '../store/tracks.ts';
import { enforceArtistCounts, findNamedArtists } from './find-named-artists.ts';
import {
  refuseTrackTerritories,
  requestedTerritoriesOf,
  territoriesToLookUp,
} from './refuse-territory-rights.ts';

/** A track of the request: its ids are not parsed yet, and createTracks fills in what is missing. */
export type NewTrack = Pick<TrackContent, 'metadata' | 'title' | 'disc'> &
  Partial<Omit<typeof unsetTrackFields, 'audioAssetId'>> & {
    readonly releaseId: string;
    readonly audioAssetId?: string | null;
    /** Allocated from the organization's registrant code when missing. */
    readonly isrc?: string | undefined;
    /** After the last track of its disc when missing. */
    readonly position?: number | undefined;
    /** Those of the release when missing. */
    readonly artists?: readonly ArtistEntry[] | undefined;
    readonly contributors: readonly ContributorEntry[];
  };

/** The path of a track in the request, for problem details: `tracks[3].`, or empty for a single track. */
export type PrefixOf = (i: number) => string;

export async function createTracks(
  tx: Tx,
  newTracks: readonly NewTrack[],
  prefixOf: PrefixOf = () => '',
): Promise<readonly TrackView[]> {
  enforceAll(newTracks.map((track, i) => refuseTrackSyntax(track, prefixOf(i))));
  const referenced = await findReferencedRows(tx, newTracks);
  const placed = assignPositions(tx, newTracks, referenced);
  enforceAll(placed.map((each, i) => refuseTrack(each, referenced, prefixOf(i))));
  await enforceArtistCounts(
    tx,
    placed.flatMap(({ releaseId, artists = [], contributors }, i) => {
      const entries = [...artists, ...contributors];
      const release = referenced.releases.get(releaseId);
      return release ? [{ releaseId: release.id, entries, field: `${prefixOf(i)}artists` }] : [];
    }),
  );
  const tracks = assignIsrcs(placed, referenced.freshIsrcs, prefixOf).map((each) =>
    buildTrack(tx, each, referenced),
  );
  enforceAll(
    refuseGrowths(
      tracks.map((track, i) => ({
        releaseId: track.releaseId,
        grownBy: contentBytesOf(track),
        field: `${prefixOf(i)}release_id`,
      })),
      bytesOfReleases([...referenced.releases.values()], referenced.positions),
    ),
  );
  insertTracks(tx, tracks);
  for (const release of referenced.releases.values()) {
    const added = tracks.filter(({ releaseId }) => releaseId === release.id).length;
    const next = withTrackCount(release, release.trackCount + added, tx.now);
    updateRelease(tx, next);
    insertRevision(tx, next, ['tracks']);
  }
  return tracks;
}

/** The checks that need no rows. */
function refuseTrackSyntax(
  { isrc, artists, contributors }: NewTrack,
  prefix: string,
): Refusal | undefined {
  return (
    (isrc === undefined ? undefined : refuseIsrc(isrc, `${prefix}isrc`)) ??
    (artists && refuseArtists(artists, `${prefix}artists`)) ??
    refuseContributors(contributors, `${prefix}contributors`)
  );
}

type ReferencedRows = Awaited<ReturnType<typeof findReferencedRows>>;

/** Reads all rows that the tracks name in one round trip; the releases are locked first. */
async function findReferencedRows(tx: Tx, newTracks: readonly NewTrack[]) {
  const releaseIds = parseIds(
    'rel',
    newTracks.map(({ releaseId }) => releaseId),
  );
  const assetIds = parseIds(
    'ast',
    newTracks.map(({ audioAssetId }) => audioAssetId ?? ''),
  );
  const named = newTracks.flatMap(({ isrc }) =>
    isrc === undefined ? [] : (parseIsrc(isrc) ?? []),
  );
  const entries = newTracks.flatMap(({ artists = [], contributors }) => [
    ...artists,
    ...contributors,
  ]);
  const [releases, namedArtists, positions, ...others] = await Promise.all([
    lockReleases(tx, releaseIds),
    findNamedArtists(tx, entries),
    findTrackPositions(tx, releaseIds),
    assetIds.length === 0 ? [] : findAssets(tx, assetIds),
    findTakenReferences(
      tx,
      newTracks.flatMap(({ reference }) => reference ?? []),
    ),
    findTerritoryAvailability(tx, territoriesToLookUp(...newTracks.map(requestedTerritoriesOf))),
    allocateIsrcs(tx, newTracks.length - named.length, named),
  ]);
  const [assets, references, availability, freshIsrcs] = others;
  return {
    namedArtists,
    releases: new Map<string, Release>(releases.map((release) => [release.id, release])),
    assets: new Map(assets.map((asset) => [asset.id as string, asset])),
    positions,
    references,
    availability,
    freshIsrcs,
  };
}

type PositionedTrack = Omit<NewTrack, 'position'> & {
  readonly id: Track['id'];
  readonly position: number;
  readonly territory: TrackContent['territory'];
  readonly audioAssetId: string | null;
  /** Tracks of the same release whose positions are taken, including those before it in the request. */
  readonly others: readonly TrackPosition[];
  readonly sameReference: Track['id'] | undefined;
};

function assignPositions(
  tx: Tx,
  newTracks: readonly NewTrack[],
  { positions, references }: ReferencedRows,
): PositionedTrack[] {
  const taken: TrackPosition[] = [...positions];
  const named = new Map(references);
  return newTracks.map((track) => {
    const id = tx.newId('trk');
    const others = taken.filter(({ releaseId }) => releaseId === track.releaseId);
    const position = track.position ?? nextPosition(track.disc, others);
    const { reference = null, territory = null, audioAssetId = null, disc } = track;
    const sameReference = reference === null ? undefined : named.get(reference);
    if (reference !== null) named.set(reference, id);
    // refuseTrack checks that the id names a release.
    taken.push({ id, disc, position, releaseId: track.releaseId as TrackPosition['releaseId'] });
    return { ...track, id, position, territory, audioAssetId, others, sameReference };
  });
}

function refuseTrack(
  track: PositionedTrack,
  referenced: ReferencedRows,
  prefix: string,
): Refusal | undefined {
  const { audioAssetId, others } = track;
  const audio = referenced.assets.get(audioAssetId ?? '');
  const release = referenced.releases.get(track.releaseId);
  if (release === undefined) return unknownRelease(`${prefix}release_id`);
  return (
    refuseWhileReviewed(release.submission) ??
    refuseTooManyTracks(others, `${prefix}release_id`) ??
    refuseTakenPosition(track, others, `${prefix}position`) ??
    refuseTrackReference(track.sameReference, `${prefix}reference`) ??
    refuseNamedArtists(track.artists ?? [], referenced.namedArtists, `${prefix}artists`) ??
    refuseNamedContributors(track.contributors, referenced.namedArtists, `${prefix}contributors`) ??
    (audioAssetId === null ? undefined : refuseAudio(audio, `${prefix}audio_asset_id`)) ??
    refuseTrackTerritories(requestedTerritoriesOf(track), null, {
      release,
      availability: referenced.availability,
      prefix,
    }) ??
    refusePreviewStart(track.previewStartMs, durationOf(audio), `${prefix}preview_start_ms`)
  );
}

/** Contract §1: an id in a body that names nothing is a bad field, not a missing resource. */
const unknownRelease = (field: string): Refusal => ({
  code: 'invalid_field',
  message: `${field} must be the id of a release of yours.`,
  details: [{ field, issue: 'must be the id of a release of yours' }],
});

type TrackWithIsrc = PositionedTrack & { readonly code: Isrc };

/** The ISRCs of the request, and newly allocated ones for the tracks without. */
function assignIsrcs(
  placed: readonly PositionedTrack[],
  fresh: readonly Isrc[],
  prefixOf: PrefixOf,
): readonly TrackWithIsrc[] {
  const unused = fresh.values();
  const coded = placed.map((track) => ({
    ...track,
    code: track.isrc === undefined ? unused.next().value : parseIsrc(track.isrc),
  }));
  enforceAll(
    coded.map(({ code }, i) =>
      code === undefined ? isrcUnavailable(`${prefixOf(i)}isrc`) : undefined,
    ),
  );
  return coded.flatMap(({ code, ...track }) => (code === undefined ? [] : [{ ...track, code }]));
}

const isrcUnavailable = (field: string): Refusal => ({
  code: 'missing_required_field',
  message:
    'Your organization has no registrant code with free ISRCs this year. Send an isrc of your own, or ask support for a registrant code.',
  details: [{ field, issue: 'is required, because no free ISRC is left to assign' }],
});

function buildTrack(tx: Tx, track: TrackWithIsrc, referenced: ReferencedRows): TrackView {
  const release = referenced.releases.get(track.releaseId);
  if (release === undefined) throw new Error(`${track.releaseId} was not found`);
  const audio = referenced.assets.get(track.audioAssetId ?? '');
  const { code, others: _others, sameReference: _sameReference, ...content } = track;
  return {
    ...unsetTrackFields,
    ...content,
    releaseId: release.id,
    artists: content.artists
      ? toArtists(content.artists, referenced.namedArtists)
      : release.artists,
    contributors: toContributors(content.contributors, referenced.namedArtists),
    isrc: code,
    audioAssetId: audio?.id ?? null,
    territory: content.territory && documentedTerritories(content.territory),
    durationMs: durationOf(audio),
    createdAt: tx.now,
    updatedAt: tx.now,
    release,
  };
}

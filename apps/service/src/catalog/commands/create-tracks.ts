/** Tracks, one or many at once: all of them or none (contract §4). */

import { durationOf, findAssets, refuseAudio } from '../../assets/face.ts';
import { parseId } from '../../kernel/ids.ts';
import { type Isrc, parseIsrc } from '../../kernel/isrc.ts';
import { enforceAll, type Refusal } from '../../kernel/problem.ts';
import { documentedTerritories } from '../../kernel/territory.ts';
import { findTerritoryAvailability, refuseTerritories } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { contentBytesOf, refuseTooLarge } from '../domain/release-size.ts';
import { type Artist, refuseArtists, type Release, withTrackCount } from '../domain/release.ts';
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
import { lockReleases, updateRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import {
  insertTracks,
  findTrackPositions,
  allocateIsrcs,
  type TrackPosition,
  findTakenReferences,
  type TrackView,
} from '../store/tracks.ts';

/** As the partner sent it: ids may name nothing, and what is left out is filled in. */
export type NewTrack = Pick<TrackContent, 'metadata' | 'title' | 'disc'> &
  Partial<Omit<typeof unsetTrackFields, 'audioAssetId'>> & {
    readonly releaseId: string;
    readonly audioAssetId?: string | null;
    /** From the organization's registrant code, when omitted. */
    readonly isrc?: string | undefined;
    /** Behind the last track of its disc, when omitted. */
    readonly position?: number | undefined;
    /** The release's, when omitted. */
    readonly artists?: readonly Artist[] | undefined;
  };

/** Where a track stands in the request: `tracks[3].`, or nothing when it is alone. */
type PrefixOf = (i: number) => string;

export async function createTracks(
  tx: Tx,
  given: readonly NewTrack[],
  prefixOf: PrefixOf = () => '',
): Promise<readonly TrackView[]> {
  enforceAll(given.map((track, i) => refuseTrackSyntax(track, prefixOf(i))));
  const referenced = await findReferencedRows(tx, given);
  const placed = assignPositions(tx, given, referenced);
  enforceAll(placed.map((each, i) => refuseTrack(each, referenced, prefixOf(i))));
  const tracks = assignIsrcs(placed, referenced.freshIsrcs, prefixOf).map((each) =>
    buildTrack(tx, each, referenced),
  );
  enforceAll(refuseSizes(tracks, referenced, prefixOf));
  insertTracks(tx, tracks);
  for (const release of referenced.releases.values()) {
    const added = tracks.filter(({ releaseId }) => releaseId === release.id).length;
    const next = withTrackCount(release, release.trackCount + added, tx.now);
    updateRelease(tx, next);
    insertRevision(tx, next, ['tracks']);
  }
  return tracks;
}

/** What can be said of a track without knowing anything else. */
function refuseTrackSyntax({ isrc, artists }: NewTrack, prefix: string): Refusal | undefined {
  return (
    (isrc === undefined ? undefined : refuseIsrc(isrc, `${prefix}isrc`)) ??
    (artists && refuseArtists(artists, `${prefix}artists`))
  );
}

type ReferencedRows = Awaited<ReturnType<typeof findReferencedRows>>;

/** Everything the tracks rely on, asked for at once; their releases are locked first. */
async function findReferencedRows(tx: Tx, given: readonly NewTrack[]) {
  const releaseIds = parseIds(
    'rel',
    given.map(({ releaseId }) => releaseId),
  );
  const assetIds = parseIds(
    'ast',
    given.map(({ audioAssetId }) => audioAssetId ?? ''),
  );
  const named = given.flatMap(({ isrc }) => (isrc === undefined ? [] : (parseIsrc(isrc) ?? [])));
  const [releases, places, assets, references, reach, freshIsrcs] = await Promise.all([
    lockReleases(tx, releaseIds),
    findTrackPositions(tx, releaseIds),
    assetIds.length === 0 ? [] : findAssets(tx, assetIds),
    findTakenReferences(
      tx,
      given.flatMap(({ reference }) => reference ?? []),
    ),
    findTerritoryAvailability(
      tx,
      given.flatMap(({ territory }) => territory ?? []),
    ),
    allocateIsrcs(tx, given.length - named.length, named),
  ]);
  return {
    releases: new Map<string, Release>(releases.map((release) => [release.id, release])),
    assets: new Map(assets.map((asset) => [asset.id as string, asset])),
    places,
    references,
    reach,
    freshIsrcs,
  };
}

const parseIds = <Prefix extends string>(prefix: Prefix, texts: readonly string[]) => [
  ...new Set(texts.flatMap((text) => parseId(prefix, text) ?? [])),
];

type PositionedTrack = Omit<NewTrack, 'position'> & {
  readonly id: Track['id'];
  readonly position: number;
  readonly territory: TrackContent['territory'];
  readonly audioAssetId: string | null;
  /** The tracks it must not collide with: of its release, and before it in the request. */
  readonly others: readonly TrackPosition[];
  readonly sameReference: Track['id'] | undefined;
};

function assignPositions(
  tx: Tx,
  given: readonly NewTrack[],
  { places, references }: ReferencedRows,
): PositionedTrack[] {
  const taken: TrackPosition[] = [...places];
  const named = new Map(references);
  return given.map((track) => {
    const id = tx.newId('trk');
    const others = taken.filter(({ releaseId }) => releaseId === track.releaseId);
    const position = track.position ?? nextPosition(track.disc, others);
    const { reference = null, territory = null, audioAssetId = null, disc } = track;
    const sameReference = reference === null ? undefined : named.get(reference);
    if (reference !== null) named.set(reference, id);
    // Whether it names a release of ours is found out later.
    taken.push({ id, disc, position, releaseId: track.releaseId as TrackPosition['releaseId'] });
    return { ...track, id, position, territory, audioAssetId, others, sameReference };
  });
}

function refuseTrack(
  track: PositionedTrack,
  referenced: ReferencedRows,
  prefix: string,
): Refusal | undefined {
  const { audioAssetId, territory, others } = track;
  const release = referenced.releases.get(track.releaseId);
  if (release === undefined) return unknownRelease(`${prefix}release_id`);
  return (
    refuseWhileReviewed(release.submission) ??
    refuseTooManyTracks(others, `${prefix}release_id`) ??
    refuseTakenPosition(track, others, `${prefix}position`) ??
    refuseTrackReference(track.sameReference, `${prefix}reference`) ??
    (audioAssetId === null
      ? undefined
      : refuseAudio(referenced.assets.get(audioAssetId), `${prefix}audio_asset_id`)) ??
    (territory === null
      ? undefined
      : refuseTerritories(territory, referenced.reach, `${prefix}territory`))
  );
}

/** For each track: whether its release has become too large with it and those before it. */
function refuseSizes(
  tracks: readonly TrackView[],
  { releases, places }: ReferencedRows,
  prefixOf: PrefixOf,
): readonly (Refusal | undefined)[] {
  const bytes = new Map<string, number>();
  const add = (releaseId: string, more: number): number => {
    const total = (bytes.get(releaseId) ?? 0) + more;
    bytes.set(releaseId, total);
    return total;
  };
  for (const release of releases.values()) add(release.id, contentBytesOf(release));
  for (const { releaseId, contentBytes } of places) add(releaseId, contentBytes);
  return tracks.map((track, i) =>
    refuseTooLarge(add(track.releaseId, contentBytesOf(track)), `${prefixOf(i)}release_id`),
  );
}

/** Contract §1: an id in a body that names nothing is a bad field, not a missing resource. */
const unknownRelease = (field: string): Refusal => ({
  code: 'invalid_field',
  message: `${field} does not name a release of yours.`,
  details: [{ field, issue: 'does not name a release of yours' }],
});

type TrackWithIsrc = PositionedTrack & { readonly code: Isrc };

/** The codes they came with, and fresh ones for the others. */
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
  message: 'Your organization has no registrant code with free ISRCs this year. Send an isrc.',
  details: [{ field, issue: 'is required: there is no free code to assign' }],
});

function buildTrack(tx: Tx, given: TrackWithIsrc, referenced: ReferencedRows): TrackView {
  const release = referenced.releases.get(given.releaseId);
  if (release === undefined) throw new Error(`${given.releaseId} was not found`);
  const audio = referenced.assets.get(given.audioAssetId ?? '');
  const { code, others: _others, sameReference: _sameReference, ...content } = given;
  return {
    ...unsetTrackFields,
    ...content,
    releaseId: release.id,
    artists: content.artists ?? release.artists,
    isrc: code,
    audioAssetId: audio?.id ?? null,
    territory: content.territory && documentedTerritories(content.territory),
    durationMs: durationOf(audio),
    createdAt: tx.now,
    updatedAt: tx.now,
    releaseTerritories: release.territories,
  };
}

/** The rows that a request to edit tracks names: its tracks, their releases, and what the patches refer to. */

import { type Asset, findAssets } from '../../assets/face.ts';
import { parseIds } from '../../kernel/ids.ts';
import { parseIsrc } from '../../kernel/isrc.ts';
import type { Refusal } from '../../kernel/problem.ts';
import { findTerritoryAvailability } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { ArtistEntry, ContributorEntry } from '../domain/artist-entries.ts';
import { bytesOfReleases } from '../domain/release-size.ts';
import type { Track, TrackEdit } from '../domain/track.ts';
import { allocateIsrcs } from '../store/isrcs.ts';
import { lockReleasesOfTracks } from '../store/releases.ts';
import { findBytesOfReleasesWith, findTakenReferences, findTracks } from '../store/tracks.ts';
import { findNamedArtists } from './find-named-artists.ts';
import { requestedTerritoriesOf, territoriesToLookUp } from './refuse-territory-rights.ts';

/** Ids and the ISRC are not parsed yet. */
export type TrackPatch = Omit<TrackEdit, 'isrc' | 'audioAssetId' | 'artists' | 'contributors'> & {
  readonly artists?: readonly ArtistEntry[];
  readonly contributors?: readonly ContributorEntry[];
  readonly isrc?: string;
  readonly audioAssetId?: string | null;
};

export type TrackEditRequest = {
  /** Not parsed yet: a malformed id reads as an unknown one. */
  readonly id: string;
  readonly patch: TrackPatch;
};

export type AddressedEdit = TrackEditRequest & {
  /** The path of the track in the request, for problem details. */
  readonly prefix: string;
  readonly unknown: Refusal;
};

export const namedEntries = ({ artists = [], contributors = [] }: TrackPatch) => [
  ...artists,
  ...contributors,
];

export type EditedTracks = Awaited<ReturnType<typeof findEditedTracks>>;

/** Reads all rows that the request names in one round trip; the releases of the tracks are locked first. */
export async function findEditedTracks(tx: Tx, requests: readonly AddressedEdit[]) {
  const patches = requests.map(({ patch }) => patch);
  const ids = parseIds(
    'trk',
    requests.map(({ id }) => id),
  );
  const assetIds = parseIds(
    'ast',
    patches.map(({ audioAssetId }) => audioAssetId ?? ''),
  );
  const entries = patches.flatMap(namedEntries);
  const [releases, namedArtists, tracks, bytesOfTracks, availability, assets, references] =
    await Promise.all([
      lockReleasesOfTracks(tx, ids),
      findNamedArtists(tx, entries),
      findTracks(tx, ids),
      findBytesOfReleasesWith(tx, ids),
      findTerritoryAvailability(tx, territoriesToLookUp(...patches.map(requestedTerritoriesOf))),
      assetIds.length === 0 ? [] : findAssets(tx, assetIds),
      findTakenReferences(
        tx,
        patches.flatMap(({ reference }) => reference ?? []),
      ),
      // Reserves the codes, so that no other transaction allocates them, now or later.
      allocateIsrcs(
        tx,
        0,
        patches.flatMap(({ isrc }) => (isrc === undefined ? [] : (parseIsrc(isrc) ?? []))),
      ),
    ]);
  return {
    namedArtists,
    releases: new Map(releases.map((release) => [release.id, release])),
    tracks: new Map<string, Track>(tracks.map((track) => [track.id, track])),
    assets: new Map<string, Asset>(assets.map((asset) => [asset.id, asset])),
    bytesBefore: bytesOfReleases(releases, bytesOfTracks),
    availability,
    references,
  };
}

/** One revision of a release as it was submitted or delivered: with its tracks and the facts of its files. */

import type { Asset } from '../../assets/face.ts';
import type { CreditedArtist } from './credited-artists.ts';
import type { PreflightInput, PreflightTrack } from './preflight/preflight-input.ts';
import type { Release } from './release.ts';
import type { Track } from './track.ts';

type SnapshotAsset = Pick<
  Asset,
  'id' | 'type' | 'fileName' | 'contentType' | 'sizeBytes' | 'sha256' | 'facts' | 'objectKey'
>;

export type Snapshot = {
  readonly release: Release;
  /** By disc and position. */
  readonly tracks: readonly Track[];
  /** Only the assets that were ready. */
  readonly assets: readonly SnapshotAsset[];
  /** The artists that entries of the release and its tracks name, by id. */
  readonly artists: readonly CreditedArtist[];
};

/** The rows that a snapshot of a release has besides the release. */
export type SnapshotRows = {
  readonly tracks: readonly Track[];
  readonly assets: readonly Asset[];
  readonly artists: readonly CreditedArtist[];
};

export const snapshotOf = (
  release: Release,
  { tracks, assets, artists }: SnapshotRows,
): Snapshot => ({
  release,
  tracks,
  artists,
  assets: assets
    .filter(({ status }) => status === 'ready')
    .map(({ id, type, fileName, contentType, sizeBytes, sha256, facts, objectKey }) => ({
      id,
      type,
      fileName,
      contentType,
      sizeBytes,
      sha256,
      facts,
      objectKey,
    })),
});

export function toPreflightInput(
  { release, assets, artists }: Snapshot,
  context: Omit<PreflightInput, 'release' | 'artwork' | 'artists'>,
): PreflightInput {
  const artwork = assets.find(({ id }) => id === release.artworkAssetId);
  return {
    ...context,
    release,
    artists,
    artwork:
      artwork?.facts !== undefined && artwork.facts !== null && 'width' in artwork.facts
        ? artwork.facts
        : null,
  };
}

export function toPreflightTracks({ tracks, assets }: Snapshot): readonly PreflightTrack[] {
  const byId = new Map(assets.map((asset) => [asset.id, asset]));
  return tracks.map((track) => ({ ...track, audio: toPreflightAudio(track, byId) }));
}

function toPreflightAudio(
  { audioAssetId }: Track,
  byId: ReadonlyMap<string, SnapshotAsset>,
): PreflightTrack['audio'] {
  const asset = byId.get(audioAssetId ?? '');
  if (asset?.sha256 === undefined || asset.sha256 === null || asset.facts === null) return null;
  return 'durationMs' in asset.facts ? { sha256: asset.sha256, facts: asset.facts } : null;
}

import { findAssets } from '../../assets/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { artistIdsOf, toCreditedArtists } from '../domain/credited-artists.ts';
import type { Release } from '../domain/release.ts';
import type { SnapshotRows } from '../domain/snapshot.ts';
import { findArtistsAndSurvivors } from '../store/artists.ts';
import { listTracksOfRelease } from '../store/tracks.ts';

/** The tracks of a release, every asset it names, and every artist that it and its tracks name. */
export async function findSnapshotRows(tx: Tx, release: Release): Promise<SnapshotRows> {
  const tracks = await listTracksOfRelease(tx, tx.orgId, release.id);
  const assetIds = [release.artworkAssetId, ...tracks.map(({ audioAssetId }) => audioAssetId)];
  const ids = [...new Set(assetIds.flatMap((assetId) => assetId ?? []))];
  const artistIds = artistIdsOf(release, tracks);
  const [assets, artists] = await Promise.all([
    ids.length === 0 ? [] : findAssets(tx, ids),
    findArtistsAndSurvivors(tx, artistIds),
  ]);
  return { tracks, assets, artists: toCreditedArtists(artistIds, artists) };
}

/** The release as partners see it, in answers and in events (contract §2), written out field by field. */

import { sortedPairs } from '../../kernel/pairs.ts';
import type { Artist, ContentField, Release } from './release.ts';
import { presentSubmission } from './submission.ts';

export const presentArtist = ({ name, role, isni, storeProfiles }: Artist) => ({
  name,
  role,
  ...(isni !== undefined && { isni }),
  ...(storeProfiles !== undefined && { store_profiles: sortedPairs(storeProfiles) }),
});

export const presentRelease = (release: Release) => ({
  id: release.id,
  reference: release.reference,
  metadata: sortedPairs(release.metadata),
  title: release.title,
  version: release.version,
  artists: release.artists.map(presentArtist),
  release_date: release.releaseDate,
  original_release_date: release.originalReleaseDate,
  label: release.label,
  upc: release.upc,
  territories: [...release.territories],
  status: release.status,
  type: release.type,
  genre: release.genre,
  language: release.language,
  p_line: release.pLine,
  c_line: release.cLine,
  catalog_number: release.catalogNumber,
  explicit: release.explicit,
  artwork_asset_id: release.artworkAssetId,
  track_count: release.trackCount,
  submission: release.submission === null ? null : presentSubmission(release.submission),
  revision: release.revision,
  created_at: release.createdAt.toISOString(),
  updated_at: release.updatedAt.toISOString(),
});

/** What each field a partner can set is called on the wire. */
export const wireNames: Readonly<Record<ContentField, keyof ReturnType<typeof presentRelease>>> = {
  reference: 'reference',
  metadata: 'metadata',
  title: 'title',
  version: 'version',
  artists: 'artists',
  releaseDate: 'release_date',
  originalReleaseDate: 'original_release_date',
  label: 'label',
  territories: 'territories',
  type: 'type',
  genre: 'genre',
  language: 'language',
  pLine: 'p_line',
  cLine: 'c_line',
  catalogNumber: 'catalog_number',
  explicit: 'explicit',
  artworkAssetId: 'artwork_asset_id',
};

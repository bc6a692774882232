/** The release as partners see it, in answers and in events (contract §2). */

import { sortedPairs } from '../../kernel/pairs.ts';
import { snakeCaseCopier } from '../../kernel/snake-case.ts';
import { presentReleaseAiUse } from './ai-use.ts';
import { canonicalTitles } from './localized-titles.ts';
import { namesOf } from './optional-fields.ts';
import { type Artist, type Release, unsetReleaseFields } from './release.ts';
import { presentSubmission } from './submission.ts';

export const presentArtist = ({ artistId, name, role, isni, storeProfiles }: Artist) => ({
  ...(artistId !== undefined && { artist_id: artistId }),
  name,
  role,
  ...(isni !== undefined && { isni }),
  ...(storeProfiles !== undefined && { store_profiles: sortedPairs(storeProfiles) }),
});

/** Those that `presentRelease` does not write itself. */
const {
  reference: _reference,
  version: _version,
  releaseAt: _releaseAt,
  preOrderDate: _preOrderDate,
  originalReleaseDate: _originalReleaseDate,
  excludedTerritories: _excludedTerritories,
  useTypes: _useTypes,
  artworkAssetId: _artworkAssetId,
  labelId: _labelId,
  ...otherFields
} = unsetReleaseFields;
const copyOtherFields = snakeCaseCopier(namesOf(otherFields));

/** Always in the same order: an ETag is over the bytes. */
export function presentRelease(release: Release) {
  return {
    id: release.id,
    reference: release.reference,
    metadata: sortedPairs(release.metadata),
    title: release.title,
    version: release.version,
    artists: release.artists.map(presentArtist),
    release_date: release.releaseDate,
    release_at: release.releaseAt,
    pre_order_date: release.preOrderDate,
    original_release_date: release.originalReleaseDate,
    label: release.label,
    label_id: release.labelId,
    metadata_language: release.metadataLanguage,
    upc: release.upc,
    territories: [...release.territories],
    excluded_territories: release.excludedTerritories,
    use_types: release.useTypes,
    status: release.status,
    ...copyOtherFields(release),
    // These take the places of their copies.
    ai_use: release.aiUse && presentReleaseAiUse(release.aiUse),
    localized_titles: canonicalTitles(release.localizedTitles),
    artwork_asset_id: release.artworkAssetId,
    track_count: release.trackCount,
    submission: release.submission === null ? null : presentSubmission(release.submission),
    revision: release.revision,
    created_at: release.createdAt.toISOString(),
    updated_at: release.updatedAt.toISOString(),
  };
}

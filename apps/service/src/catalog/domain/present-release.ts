/** The release as partners see it, in answers and in events (contract §2). */

import { sortedPairs } from '../../kernel/pairs.ts';
import { toSnakeCaseKeys } from '../../kernel/snake-case.ts';
import { pickFields } from './optional-fields.ts';
import { type Artist, type Release, unsetReleaseFields } from './release.ts';
import { presentSubmission } from './submission.ts';

export const presentArtist = ({ name, role, isni, storeProfiles }: Artist) => ({
  name,
  role,
  ...(isni !== undefined && { isni }),
  ...(storeProfiles !== undefined && { store_profiles: sortedPairs(storeProfiles) }),
});

/** Always in the same order: an ETag is over the bytes. */
export function presentRelease(release: Release) {
  const { reference, version, originalReleaseDate, ...others } = pickFields(
    release,
    unsetReleaseFields,
  );
  return {
    id: release.id,
    reference,
    metadata: sortedPairs(release.metadata),
    title: release.title,
    version,
    artists: release.artists.map(presentArtist),
    release_date: release.releaseDate,
    original_release_date: originalReleaseDate,
    label: release.label,
    upc: release.upc,
    territories: [...release.territories],
    status: release.status,
    ...toSnakeCaseKeys(others),
    track_count: release.trackCount,
    submission: release.submission === null ? null : presentSubmission(release.submission),
    revision: release.revision,
    created_at: release.createdAt.toISOString(),
    updated_at: release.updatedAt.toISOString(),
  };
}

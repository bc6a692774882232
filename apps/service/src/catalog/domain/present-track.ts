/** The track as partners see it (contract §2). */

import { showIsrc } from '../../kernel/isrc.ts';
import { showIswc } from '../../kernel/iswc.ts';
import { sortedPairs } from '../../kernel/pairs.ts';
import { snakeCaseCopier } from '../../kernel/snake-case.ts';
import { presentTrackAiUse } from './ai-use.ts';
import type { Contributor } from './contributor.ts';
import { canonicalTitles } from './localized-titles.ts';
import { namesOf } from './optional-fields.ts';
import { presentArtist } from './present-release.ts';
import { rightsOfTrack, type TerritoryRights } from './rights.ts';
import { type Track, unsetTrackFields } from './track.ts';

/** Those that `presentTrack` does not write itself. */
const {
  reference: _reference,
  version: _version,
  audioAssetId: _audioAssetId,
  territory: _territory,
  excludedTerritories: _excludedTerritories,
  useTypes: _useTypes,
  previewStartMs: _previewStartMs,
  ...otherFields
} = unsetTrackFields;
const copyOtherFields = snakeCaseCopier(namesOf(otherFields));

export const presentContributor = ({ artistId, name, roles, instruments, ipi }: Contributor) => ({
  ...(artistId !== undefined && { artist_id: artistId }),
  name,
  roles: [...roles],
  ...(instruments !== undefined && { instruments: [...instruments] }),
  ...(ipi !== undefined && { ipi }),
});

/** A track without its own territories shows those of its release. */
export function presentTrack(track: Track, release: TerritoryRights) {
  const { territories, excludedTerritories } = rightsOfTrack(track, release);
  return {
    id: track.id,
    reference: track.reference,
    metadata: sortedPairs(track.metadata),
    release_id: track.releaseId,
    title: track.title,
    version: track.version,
    artists: track.artists.map(presentArtist),
    contributors: track.contributors.map(presentContributor),
    isrc: showIsrc(track.isrc),
    audio_asset_id: track.audioAssetId,
    territory: [...territories],
    excluded_territories: excludedTerritories,
    use_types: track.useTypes,
    disc: track.disc,
    position: track.position,
    duration_ms: track.durationMs,
    preview_start_ms: track.previewStartMs,
    ...copyOtherFields(track),
    // These take the places of their copies.
    ai_use: track.aiUse && presentTrackAiUse(track.aiUse),
    iswc: track.iswc && showIswc(track.iswc),
    localized_titles: canonicalTitles(track.localizedTitles),
    created_at: track.createdAt.toISOString(),
    updated_at: track.updatedAt.toISOString(),
  };
}

/** The track as partners see it (contract §2). */

import { showIsrc } from '../../kernel/isrc.ts';
import { sortedPairs } from '../../kernel/pairs.ts';
import { toSnakeCaseKeys } from '../../kernel/snake-case.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import { pickFields } from './optional-fields.ts';
import { presentArtist } from './present-release.ts';
import { type Track, unsetTrackFields } from './track.ts';

/** A track without its own territories shows those of its release. */
export function presentTrack(track: Track, releaseTerritories: readonly TerritoryCode[]) {
  const { reference, version, audioAssetId, territory, ...others } = pickFields(
    track,
    unsetTrackFields,
  );
  return {
    id: track.id,
    reference,
    metadata: sortedPairs(track.metadata),
    release_id: track.releaseId,
    title: track.title,
    version,
    artists: track.artists.map(presentArtist),
    isrc: showIsrc(track.isrc),
    audio_asset_id: audioAssetId,
    territory: [...(territory ?? releaseTerritories)],
    disc: track.disc,
    position: track.position,
    duration_ms: track.durationMs,
    ...toSnakeCaseKeys(others),
    created_at: track.createdAt.toISOString(),
    updated_at: track.updatedAt.toISOString(),
  };
}

/** The track as partners see it (contract §2). */

import { showIsrc } from '../../kernel/isrc.ts';
import { sortedPairs } from '../../kernel/pairs.ts';
import { snakeCaseCopier } from '../../kernel/snake-case.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import { namesOf } from './optional-fields.ts';
import { presentArtist } from './present-release.ts';
import { type Track, unsetTrackFields } from './track.ts';

/** Those that `presentTrack` does not write itself. */
const {
  reference: _reference,
  version: _version,
  audioAssetId: _audioAssetId,
  territory: _territory,
  ...otherFields
} = unsetTrackFields;
const copyOtherFields = snakeCaseCopier(namesOf(otherFields));

/** A track without its own territories shows those of its release. */
export function presentTrack(track: Track, releaseTerritories: readonly TerritoryCode[]) {
  return {
    id: track.id,
    reference: track.reference,
    metadata: sortedPairs(track.metadata),
    release_id: track.releaseId,
    title: track.title,
    version: track.version,
    artists: track.artists.map(presentArtist),
    isrc: showIsrc(track.isrc),
    audio_asset_id: track.audioAssetId,
    territory: [...(track.territory ?? releaseTerritories)],
    disc: track.disc,
    position: track.position,
    duration_ms: track.durationMs,
    ...copyOtherFields(track),
    created_at: track.createdAt.toISOString(),
    updated_at: track.updatedAt.toISOString(),
  };
}

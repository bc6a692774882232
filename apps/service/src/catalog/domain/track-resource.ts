/** The track as partners see it (contract §2), written out field by field. */

import { showIsrc } from '../../kernel/isrc.ts';
import { sortedPairs } from '../../kernel/pairs.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import { presentArtist } from './release-resource.ts';
import type { Track } from './track.ts';

/** A track that names no territories is wherever its release is, and says so. */
export const presentTrack = (track: Track, releaseTerritories: readonly TerritoryCode[]) => ({
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
  explicit: track.explicit,
  language: track.language,
  genre: track.genre,
  p_line: track.pLine,
  created_at: track.createdAt.toISOString(),
  updated_at: track.updatedAt.toISOString(),
});

/** Between the wire's snake_case and the domain, written out field by field. */

import type { NewTrack } from '../commands/create-tracks.ts';
import type { TrackPatch } from '../commands/edit-track.ts';
import { toArtist } from './release-wire.ts';
import type { CreateTrackRequest, PatchTrackRequest } from './track-schemas.ts';

export const toNewTrack = (body: CreateTrackRequest): NewTrack => ({
  releaseId: body.release_id,
  reference: body.reference ?? null,
  metadata: body.metadata ?? {},
  title: body.title,
  version: body.version ?? null,
  artists: body.artists?.map(toArtist),
  isrc: body.isrc,
  audioAssetId: body.audio_asset_id ?? null,
  territory: body.territory ?? null,
  disc: body.disc ?? 1,
  position: body.position,
  explicit: body.explicit ?? null,
  language: body.language ?? null,
  genre: body.genre ?? null,
  pLine: body.p_line ?? null,
});

/** Only the fields the body includes; null clears one. */
export function toTrackPatch(body: PatchTrackRequest): TrackPatch {
  const patch = {
    reference: body.reference,
    metadata: body.metadata === null ? {} : body.metadata,
    title: body.title,
    version: body.version,
    artists: body.artists?.map(toArtist),
    isrc: body.isrc,
    audioAssetId: body.audio_asset_id,
    territory: body.territory,
    disc: body.disc,
    position: body.position,
    explicit: body.explicit,
    language: body.language,
    genre: body.genre,
    pLine: body.p_line,
  };
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

/** Between the wire's snake_case and the domain. The schemas are closed: a body has no fields but theirs. */

import { toCamelCaseKeys } from '../../kernel/snake-case.ts';
import type { NewTrack } from '../commands/create-tracks.ts';
import type { TrackPatch } from '../commands/edit-tracks.ts';
import { toArtist } from './release-wire.ts';
import type { CreateTrackRequest, PatchTrackRequest } from './track-schemas.ts';

export const toNewTrack = (body: CreateTrackRequest): NewTrack => ({
  ...toCamelCaseKeys(body),
  metadata: body.metadata ?? {},
  artists: body.artists?.map(toArtist),
  disc: body.disc ?? 1,
});

/** Only the fields that the body includes; null clears one. */
export function toTrackPatch(body: PatchTrackRequest): TrackPatch {
  const { metadata, artists, ...fields } = toCamelCaseKeys(body);
  return {
    ...fields,
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    ...(artists !== undefined && { artists: artists.map(toArtist) }),
  };
}

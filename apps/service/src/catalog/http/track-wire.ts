/** Between the wire's snake_case and the domain. The schemas are closed: a body has no fields but theirs. */

import { toCamelCaseKeys } from '../../kernel/snake-case.ts';
import type { NewTrack } from '../commands/create-tracks.ts';
import type { TrackPatch } from '../commands/find-edited-tracks.ts';
import type { ContributorEntry } from '../domain/artist-entries.ts';
import { canonicalize } from './canonical-fields.ts';
import type { WireContributor } from './contributor-schemas.ts';
import { toArtistEntry } from './release-wire.ts';
import type { CreateTrackRequest, PatchTrackRequest } from './track-schemas.ts';

const toContributorEntry = ({
  artist_id,
  name,
  roles,
  instruments,
  ipi,
}: WireContributor): ContributorEntry => ({
  ...(artist_id !== undefined && { artistId: artist_id }),
  ...(name !== undefined && { name }),
  roles,
  ...(instruments !== undefined && { instruments }),
  ...(ipi !== undefined && { ipi }),
});

/** `prefix` is the path of the track in the body. */
export const toNewTrack = (body: CreateTrackRequest, prefix = ''): NewTrack => ({
  ...canonicalize(toCamelCaseKeys(body), prefix),
  metadata: body.metadata ?? {},
  artists: body.artists?.map(toArtistEntry),
  contributors: body.contributors?.map(toContributorEntry) ?? [],
  disc: body.disc ?? 1,
});

/** Only the fields that the body includes; null clears one. */
export function toTrackPatch(body: PatchTrackRequest, prefix = ''): TrackPatch {
  const { metadata, artists, contributors, ...fields } = canonicalize(
    toCamelCaseKeys(body),
    prefix,
  );
  return {
    ...fields,
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    ...(artists !== undefined && { artists: artists.map(toArtistEntry) }),
    ...(contributors !== undefined && { contributors: contributors.map(toContributorEntry) }),
  };
}

/** Between the wire's snake_case and the domain. The schemas are closed: a body has no fields but theirs. */

import type { AssetId } from '../../assets/face.ts';
import { toCamelCaseKeys, toSnakeCase } from '../../kernel/snake-case.ts';
import type { NewRelease } from '../commands/create-release.ts';
import type { ReleasePatch } from '../commands/edit-release.ts';
import type { ArtistEntry } from '../domain/artist-entries.ts';
import type { Revision } from '../store/revisions.ts';
import { canonicalize } from './canonical-fields.ts';
import type { CreateReleaseRequest, PatchReleaseRequest } from './release-schemas.ts';

type WireArtist = CreateReleaseRequest['artists'][number];

export const toArtistEntry = ({
  artist_id,
  name,
  role,
  isni,
  store_profiles,
}: WireArtist): ArtistEntry => ({
  ...(artist_id !== undefined && { artistId: artist_id }),
  ...(name !== undefined && { name }),
  role,
  ...(isni !== undefined && { isni }),
  ...(store_profiles !== undefined && { storeProfiles: store_profiles }),
});

export const toNewRelease = (body: CreateReleaseRequest): NewRelease => ({
  ...canonicalize(toCamelCaseKeys(body)),
  metadata: body.metadata ?? {},
  artists: body.artists.map(toArtistEntry),
});

/** Only the fields that the body includes; null clears one. */
export function toReleaseEdit({ status: _status, ...body }: PatchReleaseRequest): ReleasePatch {
  const { metadata, artists, artworkAssetId, ...fields } = canonicalize(toCamelCaseKeys(body));
  return {
    ...fields,
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    ...(artists !== undefined && { artists: artists.map(toArtistEntry) }),
    // editRelease refuses an id that names no asset.
    ...(artworkAssetId !== undefined && { artworkAssetId: artworkAssetId as AssetId | null }),
  };
}

export const presentRevision = (revision: Revision) => ({
  release_id: revision.releaseId,
  revision: revision.revision,
  changed_fields: revision.changedFields.map((field) => toSnakeCase(field)),
  actor: revision.actor,
  created_at: revision.createdAt.toISOString(),
});

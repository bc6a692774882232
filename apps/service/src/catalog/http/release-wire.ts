/** Between the wire's snake_case and the domain, written out field by field. */

import type { NewRelease } from '../commands/create-release.ts';
import { wireNames } from '../domain/release-resource.ts';
import type { Artist, ReleaseEdit, RevisedField } from '../domain/release.ts';
import type { Revision } from '../store/revisions.ts';
import type { CreateReleaseRequest, PatchReleaseRequest } from './release-schemas.ts';

type WireArtist = CreateReleaseRequest['artists'][number];

export const toArtist = ({ name, role, isni, store_profiles }: WireArtist): Artist => ({
  name,
  role,
  ...(isni !== undefined && { isni }),
  ...(store_profiles !== undefined && { storeProfiles: store_profiles }),
});

export function toNewRelease(body: CreateReleaseRequest): NewRelease {
  return {
    reference: body.reference ?? null,
    metadata: body.metadata ?? {},
    title: body.title,
    version: body.version ?? null,
    artists: body.artists.map(toArtist),
    releaseDate: body.release_date,
    originalReleaseDate: body.original_release_date ?? null,
    label: body.label,
    territories: body.territories,
    upc: body.upc,
    type: body.type ?? null,
    genre: body.genre ?? null,
    language: body.language ?? null,
    pLine: body.p_line ?? null,
    cLine: body.c_line ?? null,
    catalogNumber: body.catalog_number ?? null,
    explicit: body.explicit ?? null,
  };
}

/** Only the fields the body includes; null clears one. */
export function toReleaseEdit(body: PatchReleaseRequest): ReleaseEdit {
  const edit = {
    reference: body.reference,
    metadata: body.metadata === null ? {} : body.metadata,
    title: body.title,
    version: body.version,
    artists: body.artists?.map(toArtist),
    releaseDate: body.release_date,
    originalReleaseDate: body.original_release_date,
    label: body.label,
    territories: body.territories,
    type: body.type,
    genre: body.genre,
    language: body.language,
    pLine: body.p_line,
    cLine: body.c_line,
    catalogNumber: body.catalog_number,
    explicit: body.explicit,
    artworkAssetId: body.artwork_asset_id as ReleaseEdit['artworkAssetId'],
  };
  return Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
}

const wireNameOf = (field: RevisedField): string => (field === 'tracks' ? field : wireNames[field]);

export const presentRevision = (revision: Revision) => ({
  release_id: revision.releaseId,
  revision: revision.revision,
  changed_fields: revision.changedFields.map(wireNameOf),
  actor: revision.actor,
  created_at: revision.createdAt.toISOString(),
});

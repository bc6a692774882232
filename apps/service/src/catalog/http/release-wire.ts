/** Between the wire's snake_case and the domain, written out field by field. */
import type { Artist, ContentField, Release, ReleaseEdit } from '../domain/release.ts';
import type { NewRelease } from '../commands/create-release.ts';
import type { Revision } from '../store/revisions.ts';
import type {
  CreateReleaseRequest,
  PatchReleaseRequest,
  ReleaseOnWire,
} from './release-schemas.ts';

type WireArtist = CreateReleaseRequest['artists'][number];

const toArtist = ({ name, role, isni, store_profiles }: WireArtist): Artist => ({
  name,
  role,
  ...(isni !== undefined && { isni }),
  ...(store_profiles !== undefined && { storeProfiles: store_profiles }),
});

const presentArtist = ({ name, role, isni, storeProfiles }: Artist): WireArtist => ({
  name,
  role,
  ...(isni !== undefined && { isni }),
  ...(storeProfiles !== undefined && { store_profiles: storeProfiles }),
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
export function toEdit(body: PatchReleaseRequest): ReleaseEdit {
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
  };
  return Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
}

export const presentRelease = (release: Release): ReleaseOnWire => ({
  id: release.id,
  reference: release.reference,
  metadata: release.metadata,
  title: release.title,
  version: release.version,
  artists: release.artists.map(presentArtist),
  release_date: release.releaseDate,
  original_release_date: release.originalReleaseDate,
  label: release.label,
  upc: release.upc,
  territories: [...release.territories],
  status: release.status,
  type: release.type,
  genre: release.genre,
  language: release.language,
  p_line: release.pLine,
  c_line: release.cLine,
  catalog_number: release.catalogNumber,
  explicit: release.explicit,
  artwork_asset_id: release.artworkAssetId,
  track_count: release.trackCount,
  revision: release.revision,
  created_at: release.createdAt.toISOString(),
  updated_at: release.updatedAt.toISOString(),
});

const wireNames: Record<ContentField, keyof ReleaseOnWire> = {
  reference: 'reference',
  metadata: 'metadata',
  title: 'title',
  version: 'version',
  artists: 'artists',
  releaseDate: 'release_date',
  originalReleaseDate: 'original_release_date',
  label: 'label',
  territories: 'territories',
  type: 'type',
  genre: 'genre',
  language: 'language',
  pLine: 'p_line',
  cLine: 'c_line',
  catalogNumber: 'catalog_number',
  explicit: 'explicit',
  artworkAssetId: 'artwork_asset_id',
};

export const presentRevision = (revision: Revision) => ({
  release_id: revision.releaseId,
  revision: revision.revision,
  changed_fields: revision.changedFields.map((field) => wireNames[field]),
  actor: revision.actor,
  created_at: revision.createdAt.toISOString(),
});

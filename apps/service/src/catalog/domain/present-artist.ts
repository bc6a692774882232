/** Artists and labels as partners see them (catalogue §3). Always in the same order: an ETag is over the bytes. */

import { sortedPairs } from '../../kernel/pairs.ts';
import type { RegisteredArtist } from './artist.ts';
import type { Label } from './label.ts';

export const presentRegisteredArtist = (artist: RegisteredArtist) => ({
  id: artist.id,
  reference: artist.reference,
  metadata: sortedPairs(artist.metadata),
  name: artist.name,
  isni: artist.isni,
  ipi: artist.ipi,
  localized_names: sortedPairs(artist.localizedNames),
  store_profiles: sortedPairs(artist.storeProfiles),
  merged_into: artist.mergedInto,
  created_at: artist.createdAt.toISOString(),
  updated_at: artist.updatedAt.toISOString(),
});

export const presentLabel = (label: Label) => ({
  id: label.id,
  reference: label.reference,
  metadata: sortedPairs(label.metadata),
  name: label.name,
  p_line_owner: label.pLineOwner,
  c_line_owner: label.cLineOwner,
  default_territories: label.defaultTerritories,
  is_default: label.isDefault,
  created_at: label.createdAt.toISOString(),
  updated_at: label.updatedAt.toISOString(),
});

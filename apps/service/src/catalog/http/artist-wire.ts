/** Between the wire's snake_case and the domain. The schemas are closed: a body has no fields but theirs. */

import { toCamelCaseKeys } from '../../kernel/snake-case.ts';
import type { ArtistEdit } from '../domain/artist.ts';
import type { LabelEdit } from '../domain/label.ts';
import type { PatchArtistRequest } from './artist-schemas.ts';
import type { PatchLabelRequest } from './label-schemas.ts';

/** Only the fields that the body includes; null clears one, and empties a map. */
export function toArtistEdit(body: PatchArtistRequest): ArtistEdit {
  const { metadata, localizedNames, storeProfiles, ...fields } = toCamelCaseKeys(body);
  return {
    ...fields,
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    ...(localizedNames !== undefined && { localizedNames: localizedNames ?? {} }),
    ...(storeProfiles !== undefined && { storeProfiles: storeProfiles ?? {} }),
  };
}

/** Only the fields that the body includes; null clears one, and empties a map. */
export function toLabelEdit(body: PatchLabelRequest): LabelEdit {
  const { metadata, ...fields } = toCamelCaseKeys(body);
  return { ...fields, ...(metadata !== undefined && { metadata: metadata ?? {} }) };
}

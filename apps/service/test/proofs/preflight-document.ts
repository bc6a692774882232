/**
 * The JSON document that pointers and patches refer to, and RFC 6902's `replace`, implemented a second time so that the
 * service's patches are not checked with the service's own code.
 */

import type { PatchOperation } from '../../src/catalog/domain/preflight/json-patch.ts';
import type {
  PreflightInput,
  PreflightTrack,
} from '../../src/catalog/domain/preflight/preflight-input.ts';
import { presentRelease } from '../../src/catalog/domain/present-release.ts';

const trackOnWire = (track: PreflightTrack) => ({
  id: track.id,
  title: track.title,
  version: track.version,
  artists: track.artists.map(({ artistId, name, role, isni, storeProfiles }) => ({
    artist_id: artistId,
    name,
    role,
    isni,
    store_profiles: storeProfiles,
  })),
  contributors: track.contributors.map(({ name, roles, instruments, ipi }) => ({
    name,
    roles,
    instruments,
    ipi,
  })),
  isrc: track.isrc,
  audio_asset_id: track.audioAssetId,
  territory: track.territory,
  excluded_territories: track.excludedTerritories,
  use_types: track.useTypes,
  preview_start_ms: track.previewStartMs,
  explicit: track.explicit,
  language: track.language,
  genre: track.genre,
  p_line: track.pLine,
  ai_use: track.aiUse && {
    recording: track.aiUse.recording ?? null,
    composition: track.aiUse.composition ?? null,
  },
  original_release_date: track.originalReleaseDate,
  iswc: track.iswc,
  recording_country: track.recordingCountry,
  composition: track.composition,
  samples: track.samples,
  mechanical_licence: track.mechanicalLicence,
  lyrics_language: track.lyricsLanguage,
  ugc_policy: track.ugcPolicy,
  localized_titles: track.localizedTitles,
  instant_gratification: track.instantGratification,
  subgenre: track.subgenre,
});

/** As a client would parse it. */
export const documentOf = ({ release, tracks }: PreflightInput): unknown =>
  fromWire({ ...presentRelease(release), tracks: tracks.map(trackOnWire) });

export const fromWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

type Container = Record<string, unknown>;

const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Throws where, by RFC 6901, a pointer does not resolve. */
function stepInto(container: unknown, token: string): unknown {
  if (typeof container !== 'object' || container === null || !Object.hasOwn(container, token)) {
    throw new Error(`nothing at ${token}`);
  }
  return (container as Container)[token];
}

export const valueAt = (document: unknown, pointer: string): unknown =>
  tokensOf(pointer).reduce(stepInto, document);

export function patched(document: unknown, patch: readonly PatchOperation[]): unknown {
  const result = structuredClone(document);
  for (const operation of patch) {
    if (operation.op !== 'replace' || !('value' in operation))
      throw new Error('the operation is not a replace');
    const tokens = tokensOf(operation.path);
    const lastToken = tokens.pop() ?? '';
    const container = tokens.reduce(stepInto, result);
    stepInto(container, lastToken);
    (container as Container)[lastToken] = structuredClone(operation.value);
  }
  return result;
}

/**
 * The document that pointers and patches are about, and RFC 6902's `replace`: written here once more, so
 * that the product's patches are not judged by the product.
 */

import type { PatchOperation } from '../../src/catalog/domain/preflight/json-patch.ts';
import type {
  PreflightInput,
  PreflightTrack,
} from '../../src/catalog/domain/preflight/preflight-input.ts';
import { presentRelease } from '../../src/catalog/domain/release-resource.ts';

const trackOnWire = (track: PreflightTrack) => ({
  id: track.id,
  title: track.title,
  version: track.version,
  artists: track.artists.map(({ name, role, isni, storeProfiles }) => ({
    name,
    role,
    isni,
    store_profiles: storeProfiles,
  })),
  isrc: track.isrc,
  audio_asset_id: track.audioAssetId,
  territory: track.territory,
  explicit: track.explicit,
  language: track.language,
  genre: track.genre,
  p_line: track.pLine,
});

/** As it would be read from the wire. */
export const documentOf = ({ release, tracks }: PreflightInput): unknown =>
  fromWire({ ...presentRelease(release), tracks: tracks.map(trackOnWire) });

export const fromWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

type Container = Record<string, unknown>;

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Throws where RFC 6901 says that a pointer points to nothing. */
function stepInto(container: unknown, step: string): unknown {
  if (typeof container !== 'object' || container === null || !Object.hasOwn(container, step)) {
    throw new Error(`nothing at ${step}`);
  }
  return (container as Container)[step];
}

export const valueAt = (document: unknown, pointer: string): unknown =>
  stepsOf(pointer).reduce(stepInto, document);

export function patched(document: unknown, patch: readonly PatchOperation[]): unknown {
  const result = structuredClone(document);
  for (const operation of patch) {
    if (operation.op !== 'replace' || !('value' in operation)) throw new Error('no replace');
    const steps = stepsOf(operation.path);
    const last = steps.pop() ?? '';
    const container = steps.reduce(stepInto, result);
    stepInto(container, last);
    (container as Container)[last] = structuredClone(operation.value);
  }
  return result;
}

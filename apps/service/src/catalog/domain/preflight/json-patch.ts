/** A fix as RFC 6902 operations, against the release as on the wire with its `tracks`. */

import { showIsrc } from '../../../kernel/isrc.ts';
import { toSnakeCase } from '../../../kernel/snake-case.ts';
import { presentArtist } from '../present-release.ts';
import type { Artist } from '../release.ts';
import type { Fix, PreflightInput } from './preflight-input.ts';

export type PatchOperation = {
  readonly op: 'replace';
  readonly path: string;
  readonly value: unknown;
};

type ContentEdit = NonNullable<Fix['release']> &
  Partial<Omit<NonNullable<Fix['tracks']>[`trk_${string}`], keyof NonNullable<Fix['release']>>>;

export function toJsonPatch(input: PreflightInput, fix: Fix): readonly PatchOperation[] {
  const ofTracks = input.tracks.flatMap(({ id }, index) =>
    toOperations(`/tracks/${index}`, fix.tracks?.[id] ?? {}),
  );
  return [...toOperations('', fix.release ?? {}), ...ofTracks];
}

function toOperations(prefix: string, edit: ContentEdit): PatchOperation[] {
  const { artists, isrc, ...plain } = edit;
  const onWire = {
    ...plain,
    ...(artists !== undefined && {
      artists: artists.map((artist: Artist) => presentArtist(artist)),
    }),
    ...(isrc !== undefined && { isrc: showIsrc(isrc) }),
  };
  return Object.entries(onWire).map(([field, value]) => ({
    op: 'replace',
    path: `${prefix}/${toSnakeCase(field)}`,
    value,
  }));
}

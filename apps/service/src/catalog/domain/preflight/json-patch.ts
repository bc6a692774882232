/** A fix as RFC 6902 operations, against the release as on the wire with its `tracks`. */

import { showIsrc } from '../../../kernel/isrc.ts';
import { toSnakeCase } from '../../../kernel/snake-case.ts';
import { presentArtist } from '../present-release.ts';
import { presentContributor } from '../present-track.ts';
import type { Artist, ReleaseEdit } from '../release.ts';
import type { TrackEdit } from '../track.ts';
import type { Fix, PreflightInput } from './preflight-input.ts';

export type PatchOperation = {
  readonly op: 'replace';
  readonly path: string;
  readonly value: unknown;
};

/** An edit of a release or of a track: `aiUse` has different parts, and is shown as it is. */
type ContentEdit = Omit<ReleaseEdit & TrackEdit, 'aiUse'> & { readonly aiUse?: unknown };

export function toJsonPatch(input: PreflightInput, fix: Fix): readonly PatchOperation[] {
  const ofTracks = input.tracks.flatMap(({ id }, index) =>
    toOperations(`/tracks/${index}`, fix.tracks?.[id] ?? {}),
  );
  return [...toOperations('', fix.release ?? {}), ...ofTracks];
}

function toOperations(prefix: string, edit: ContentEdit): PatchOperation[] {
  const { artists, contributors, isrc, ...plain } = edit;
  const onWire = {
    ...plain,
    ...(artists !== undefined && {
      artists: artists.map((artist: Artist) => presentArtist(artist)),
    }),
    ...(contributors !== undefined && { contributors: contributors.map(presentContributor) }),
    ...(isrc !== undefined && { isrc: showIsrc(isrc) }),
  };
  return Object.entries(onWire).map(([field, value]) => ({
    op: 'replace',
    path: `${prefix}/${toSnakeCase(field)}`,
    value,
  }));
}

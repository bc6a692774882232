import type { Fix, PreflightInput } from './preflight-input.ts';

export function applyFix(input: PreflightInput, { release, tracks = {} }: Fix): PreflightInput {
  return {
    ...input,
    release: release === undefined ? input.release : { ...input.release, ...release },
    // Unchanged tracks stay the same objects: storeFixedContent compares them.
    tracks: input.tracks.map((track) => {
      const edit = tracks[track.id];
      return edit === undefined ? track : { ...track, ...edit };
    }),
  };
}

import type { PreflightInput } from '../preflight-input.ts';

/** From so many tracks on a release is an album, however short. */
export const albumTracksMin = 7;

/** Of the tracks whose audio is ready. */
export const durationsMsOf = ({ tracks }: PreflightInput): number[] =>
  tracks.flatMap(({ audio }) => (audio === null ? [] : [audio.facts.durationMs]));

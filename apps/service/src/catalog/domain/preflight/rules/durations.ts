import type { PreflightInput } from '../preflight-input.ts';

/** From this number of tracks on, a release of any length is an album. */
export const albumTracksMin = 7;

/** Only tracks whose audio is ready have a duration. */
export const durationsMsOf = ({ tracks }: PreflightInput): number[] =>
  tracks.flatMap(({ audio }) => (audio === null ? [] : [audio.facts.durationMs]));

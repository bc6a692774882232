import type { Subject } from '../subject.ts';

/** From so many tracks on a release is an album, however short. */
export const albumTracksMin = 7;

/** Of the tracks whose audio is ready. */
export const durationsMsOf = ({ tracks }: Subject): number[] =>
  tracks.flatMap(({ audio }) => (audio === null ? [] : [audio.facts.durationMs]));

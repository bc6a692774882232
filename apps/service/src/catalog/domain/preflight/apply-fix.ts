import type { Fix, Subject } from './subject.ts';

export function withFix(subject: Subject, { release, tracks = {} }: Fix): Subject {
  return {
    ...subject,
    release: release === undefined ? subject.release : { ...subject.release, ...release },
    // Untouched tracks stay the same objects.
    tracks: subject.tracks.map((track) => {
      const edit = tracks[track.id];
      return edit === undefined ? track : { ...track, ...edit };
    }),
  };
}

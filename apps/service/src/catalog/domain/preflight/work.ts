/** A release or one of its tracks, as far as stores show both alike. */
import type { Artist, ReleaseEdit } from '../release.ts';
import type { Complaint, Rule } from './rule.ts';
import type { Fix, Subject, SubjectTrack } from './subject.ts';

export type Work = {
  /** Undefined for the release. */
  readonly track: SubjectTrack | undefined;
  readonly title: string;
  readonly version: string | null;
  readonly artists: readonly Artist[];
  readonly language: string | null;
  readonly genre: string | null;
  readonly pLine: string | null;
};

const releaseWork = ({ release }: Subject): Work => ({ ...release, track: undefined });

const trackWork = (track: SubjectTrack, subject: Subject): Work => ({
  ...track,
  // Only read of the release by rules that ask for it.
  get language() {
    return languageOf(track, subject);
  },
  track,
});

/** A track that names no language is in its release's. */
export const languageOf = (track: SubjectTrack, { release }: Subject): string | null =>
  track.language ?? release.language;

/** A rule for both. */
export const ofWorks = (
  check: (work: Work, subject: Subject) => readonly Complaint[],
): Required<Pick<Rule, 'release' | 'track'>> => ({
  release: (subject) => check(releaseWork(subject), subject),
  track: (track, subject) => check(trackWork(track, subject), subject),
});

type SharedEdit = Pick<ReleaseEdit, 'title' | 'version' | 'artists' | 'genre' | 'pLine'>;

export const workFix = ({ track }: Work, edit: SharedEdit): Fix =>
  track === undefined ? { release: edit } : { tracks: { [track.id]: edit } };

type TitleEdit = { readonly title: string; readonly version?: string };

/** A release of one track bears its title: where they are equal, both change, or they would part. */
export function titleFix(work: Work, { release, tracks }: Subject, edit: TitleEdit): Fix {
  const [only] = tracks;
  if (only === undefined || tracks.length > 1 || only.title !== release.title) {
    return workFix(work, edit);
  }
  const editOf = ({ version }: Pick<Work, 'version'>): TitleEdit =>
    version === null ? edit : { title: edit.title };
  return { release: editOf(release), tracks: { [only.id]: editOf(only) } };
}

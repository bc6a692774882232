/** The fields that a release and a track share, for rules that check both. */

import type { LocalizedTitles } from '../localized-titles.ts';
import type { Artist, ReleaseEdit } from '../release.ts';
import type { Fix, PreflightInput, PreflightTrack } from './preflight-input.ts';
import type { RawFinding, Rule } from './rule.ts';

export type ReleaseOrTrack = {
  /** Undefined for the release. */
  readonly track: PreflightTrack | undefined;
  readonly title: string;
  readonly version: string | null;
  readonly artists: readonly Artist[];
  readonly language: string | null;
  readonly genre: string | null;
  readonly pLine: string | null;
  readonly subgenre: string | null;
  readonly localizedTitles: LocalizedTitles | null;
};

const fromRelease = ({ release }: PreflightInput): ReleaseOrTrack => ({
  ...release,
  track: undefined,
});

const fromTrack = (track: PreflightTrack, input: PreflightInput): ReleaseOrTrack => ({
  ...track,
  // A getter, so that only a rule that reads the language reads it of the release.
  get language() {
    return languageOf(track, input);
  },
  track,
});

/** A track without a language has that of its release. */
const languageOf = (track: PreflightTrack, { release }: PreflightInput): string | null =>
  track.language ?? release.language;

/** What is sung: without `lyrics_language`, the language of the track. */
export const lyricsLanguageOf = (track: PreflightTrack, input: PreflightInput): string | null =>
  track.lyricsLanguage ?? languageOf(track, input);

/** A check that runs for the release and for each track. */
export const forReleaseAndTracks = (
  check: (entity: ReleaseOrTrack, input: PreflightInput) => readonly RawFinding[],
): Required<Pick<Rule, 'release' | 'track'>> => ({
  release: (input) => check(fromRelease(input), input),
  track: (track, input) => check(fromTrack(track, input), input),
});

type SharedEdit = Pick<
  ReleaseEdit,
  'title' | 'version' | 'artists' | 'genre' | 'pLine' | 'subgenre' | 'localizedTitles'
>;

export const buildFix = ({ track }: ReleaseOrTrack, edit: SharedEdit): Fix =>
  track === undefined ? { release: edit } : { tracks: { [track.id]: edit } };

type TitleEdit = { readonly title: string; readonly version?: string };

/** A single-track release must have the title of its track: where they are equal, the fix changes both. */
export function buildTitleFix(
  entity: ReleaseOrTrack,
  { release, tracks }: PreflightInput,
  edit: TitleEdit,
): Fix {
  const [onlyTrack] = tracks;
  if (onlyTrack === undefined || tracks.length > 1 || onlyTrack.title !== release.title) {
    return buildFix(entity, edit);
  }
  const editOf = ({ version }: Pick<ReleaseOrTrack, 'version'>): TitleEdit =>
    version === null ? edit : { title: edit.title };
  return { release: editOf(release), tracks: { [onlyTrack.id]: editOf(onlyTrack) } };
}

/** A release or one of its tracks, as far as stores show both alike. */

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
};

const fromRelease = ({ release }: PreflightInput): ReleaseOrTrack => ({
  ...release,
  track: undefined,
});

const fromTrack = (track: PreflightTrack, input: PreflightInput): ReleaseOrTrack => ({
  ...track,
  // Only read of the release by rules that ask for it.
  get language() {
    return languageOf(track, input);
  },
  track,
});

/** A track that names no language is in its release's. */
export const languageOf = (track: PreflightTrack, { release }: PreflightInput): string | null =>
  track.language ?? release.language;

/** A rule for both. */
export const forReleaseAndTracks = (
  check: (entity: ReleaseOrTrack, input: PreflightInput) => readonly RawFinding[],
): Required<Pick<Rule, 'release' | 'track'>> => ({
  release: (input) => check(fromRelease(input), input),
  track: (track, input) => check(fromTrack(track, input), input),
});

type SharedEdit = Pick<ReleaseEdit, 'title' | 'version' | 'artists' | 'genre' | 'pLine'>;

export const buildFix = ({ track }: ReleaseOrTrack, edit: SharedEdit): Fix =>
  track === undefined ? { release: edit } : { tracks: { [track.id]: edit } };

type TitleEdit = { readonly title: string; readonly version?: string };

/** A release of one track bears its title: where they are equal, both change, or they would part. */
export function buildTitleFix(
  entity: ReleaseOrTrack,
  { release, tracks }: PreflightInput,
  edit: TitleEdit,
): Fix {
  const [only] = tracks;
  if (only === undefined || tracks.length > 1 || only.title !== release.title) {
    return buildFix(entity, edit);
  }
  const editOf = ({ version }: Pick<ReleaseOrTrack, 'version'>): TitleEdit =>
    version === null ? edit : { title: edit.title };
  return { release: editOf(release), tracks: { [only.id]: editOf(only) } };
}

/** The form of features, brackets and volumes in a title, and titles that must match or differ. */

import type { PreflightInput, PreflightTrack } from '../preflight-input.ts';
import { forReleaseAndTracks, buildTitleFix } from '../release-or-track.ts';
import type { RawFinding, Rule } from '../rule.ts';
import { parseTitle, rewriteGroups } from '../text/bracket-groups.ts';
import { normalizeFeatures } from '../text/featuring.ts';
import { normalizeVolumes } from '../text/volume-forms.ts';
import { collapseSpaces, foldCase } from '../text/words.ts';

type TitleForm = Pick<Rule, 'source' | 'description'> & {
  readonly message: string;
  readonly limit: string;
  /** The corrected title; undefined when the title is already correct. */
  readonly corrected: (title: string) => string | undefined;
};

const formRule = ({ source, description, message, limit, corrected }: TitleForm): Rule => ({
  severity: 'warning',
  description,
  readsFields: ['title'],
  source,
  prevents: 'release_violates_terms_of_service',
  ...forReleaseAndTracks((entity, input) => {
    const title = corrected(entity.title);
    if (title === undefined) return [];
    const fixes = () => [buildTitleFix(entity, input, { title })];
    return [{ track: entity.track, field: 'title', message, measured: entity.title, limit, fixes }];
  }),
});

const changed = (title: string, next: string): string | undefined =>
  next === collapseSpaces(title) ? undefined : next;

/** Offers both titles: the fix that causes no other finding is chosen. */
function checkOnlyTrack({ release, tracks }: PreflightInput): RawFinding[] {
  const [onlyTrack] = tracks;
  if (onlyTrack === undefined || tracks.length > 1 || onlyTrack.title === release.title) return [];
  return [
    {
      field: 'title',
      message:
        'The title of the release is not the title of its only track. Send the same title for both.',
      measured: release.title,
      limit: onlyTrack.title,
      fixes: () => [
        { release: { title: onlyTrack.title } },
        { tracks: { [onlyTrack.id]: { title: release.title } } },
      ],
    },
  ];
}

/** Cached by track, because a fix of one track is verified against all others. */
const titleKeys = new WeakMap<PreflightTrack, string>();

function titleKeyOf(track: PreflightTrack): string {
  const key = titleKeys.get(track) ?? `${foldCase(track.title)}\n${foldCase(track.version ?? '')}`;
  titleKeys.set(track, key);
  return key;
}

function checkRepeated({ tracks }: PreflightInput): RawFinding[] {
  const seen = new Set<string>();
  return tracks.flatMap((track) => {
    const key = titleKeyOf(track);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const message =
      'Another track has the same title and version. Send a different version for one of them.';
    return [{ track, field: 'title', message, measured: track.title, limit: 'unique' }];
  });
}

export const titleFormRules = {
  title_featuring: formRule({
    description:
      'Featured artists in a title should read (feat. X) or (with X), in brackets and lowercase; stores read the names from this form.',
    source: "a major streaming store's style guide, section on featured artists",
    message:
      'The featured artist in the title is not written as (feat. X). Send it in brackets and lowercase.',
    limit: '(feat. X)',
    corrected: normalizeFeatures,
  }),
  title_brackets: formRule({
    description:
      'The first addition to a title should be in ( ) and further ones in [ ]; stores expect this order.',
    source: "a major streaming store's style guide, section on titles",
    message:
      'The additions to the title are in the wrong brackets. Send the first one in ( ) and further ones in [ ].',
    limit: '( ) [ ]',
    corrected: (title) => changed(title, orderBrackets(title)),
  }),
  title_volume: formRule({
    description:
      'Volumes and parts in a title should read Vol. 1 and Pt. 1; stores sort series by this form.',
    source: "a distributor's guide",
    message: 'The volume or part in the title is not abbreviated. Send Vol. 1 or Pt. 1.',
    limit: 'Vol. 1, Pt. 1',
    corrected: (title) => changed(title, normalizeVolumes(title)),
  }),
  title_of_only_track: {
    description:
      'A single-track release should have the title of its track; stores show one title for both.',
    severity: 'warning',
    readsFields: ['title'],
    source: "a distributor's guide",
    prevents: 'release_violates_terms_of_service',
    release: checkOnlyTrack,
  } satisfies Rule,
  title_repeated: {
    description:
      'The tracks of a release should differ in title or version; listeners cannot tell them apart otherwise.',
    severity: 'warning',
    readsFields: ['title', 'version'],
    source: "a distributor's guide",
    prevents: 'release_violates_terms_of_service',
    release: checkRepeated,
  } satisfies Rule,
};

function orderBrackets(title: string): string {
  const parsed = parseTitle(title);
  const isInOrder = parsed.groups.every(({ kind }, at) => kind === (at === 0 ? '(' : '['));
  return isInOrder ? parsed.text : rewriteGroups(parsed, ({ text }) => text);
}

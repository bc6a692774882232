/** What belongs in `version`, and what does not belong in a title. */

import type { PreflightInput } from '../preflight-input.ts';
import {
  forReleaseAndTracks,
  buildTitleFix,
  type ReleaseOrTrack,
  buildFix,
} from '../release-or-track.ts';
import type { RawFinding, Rule } from '../rule.ts';
import { mainArtistNames } from '../text/artist-names.ts';
import { type BracketGroup, parseTitle, rewriteGroups } from '../text/bracket-groups.ts';
import { isForbidden, isVersion, removableGroups } from '../text/version-words.ts';
import { collapseSpaces, foldCase } from '../text/words.ts';

const styleGuide = "a major streaming store's style guide, sections on titles and versions";
/** Without domain endings that are also words. */
const address = /:\/\/|(?<![a-z0-9])www\.|[a-z0-9]\.(?:com|net|org|info|io|fm)(?![a-z0-9])/i;
const numberOnly = /^track ?(?:no\.? ?|# ?)?\d{1,4}$/i;

const titleRule = (
  { source, description }: Pick<Rule, 'source' | 'description'>,
  check: (
    entity: ReleaseOrTrack,
    input: PreflightInput,
  ) => Omit<RawFinding, 'track' | 'field' | 'measured'> | undefined,
): Rule => ({
  severity: 'warning',
  description,
  // The union over all checks; some read only the title.
  readsFields: ['title', 'version', 'artists'],
  source,
  prevents: 'release_violates_terms_of_service',
  ...forReleaseAndTracks((entity, input) => {
    const raw = check(entity, input);
    if (raw === undefined) return [];
    return [{ track: entity.track, field: 'title', measured: entity.title, ...raw }];
  }),
});

function checkVersion(entity: ReleaseOrTrack, input: PreflightInput) {
  const parsed = parseTitle(entity.title);
  const [first, ...others] = entity.version === null ? removableGroups(parsed, isVersion) : [];
  if (first === undefined) return undefined;
  const version = [first.text, ...others.map(({ text }) => `[${text}]`)].join(' ');
  const title = rewriteGroups(parsed, (group) => (isVersion(group) ? undefined : group.text));
  return {
    message: 'The title contains the version. Send it in version instead.',
    limit: 'version',
    fixes: () => [buildTitleFix(entity, input, { title, version })],
  };
}

const isForbiddenGroup = ({ text }: BracketGroup): boolean => isForbidden(text);

function checkForbidden(entity: ReleaseOrTrack, input: PreflightInput) {
  const parsed = parseTitle(entity.title);
  const [first] = removableGroups(parsed, isForbiddenGroup);
  if (first === undefined) return undefined;
  const title = rewriteGroups(parsed, (group) =>
    isForbiddenGroup(group) ? undefined : group.text,
  );
  return {
    message: `The title contains “${first.text}”, which stores do not allow. Remove it.`,
    limit: 'not in a title',
    fixes: () => [buildTitleFix(entity, input, { title })],
  };
}

function checkArtistName({ title, artists }: ReleaseOrTrack) {
  const names = mainArtistNames(artists);
  const text = foldCase(title);
  const isInTitle =
    parseTitle(text).groups.some((group) => names.has(group.text)) ||
    [...names].some((name) => text.startsWith(`${name} - `) || text.endsWith(` - ${name}`));
  if (!isInTitle) return undefined;
  return {
    message: 'The title contains the name of the artist. Remove it.',
    limit: 'no artist name',
  };
}

export const titleVersionRules = {
  title_version: titleRule(
    {
      source: styleGuide,
      description:
        'The version of a recording should be in version and not in the title; stores show the two apart.',
    },
    checkVersion,
  ),
  title_forbidden_word: titleRule(
    {
      source: `${styleGuide}; a distributor's guide`,
      description:
        'A title should not have words such as Exclusive, Album Version, Explicit or a format; stores remove releases for advertising.',
    },
    checkForbidden,
  ),
  version_forbidden_word: {
    description:
      'A version should not have words such as Exclusive, Original Mix or a format; stores remove the release for advertising.',
    severity: 'warning',
    readsFields: ['version'],
    source: `${styleGuide}; a distributor's guide`,
    prevents: 'release_violates_terms_of_service',
    ...forReleaseAndTracks((entity) => {
      const { track, version } = entity;
      if (version === null || !isForbidden(version)) return [];
      const message = 'The version contains words that stores do not allow. Remove them.';
      const fixes = () => [buildFix(entity, { version: null })];
      return [
        { track, field: 'version', message, measured: version, limit: 'not in a version', fixes },
      ];
    }),
  } satisfies Rule,
  title_address: titleRule(
    {
      source: "a distributor's guide",
      description:
        'A title should not have the address of a website; stores take it for advertising.',
    },
    ({ title }) =>
      address.test(title)
        ? { message: 'The title contains the address of a website. Remove it.', limit: 'no URL' }
        : undefined,
  ),
  title_artist_name: titleRule(
    {
      source: `${styleGuide}; a distributor's guide`,
      description:
        'A title should not repeat the name of the artist; stores show the name beside the title.',
    },
    checkArtistName,
  ),
  title_track_number: titleRule(
    {
      source: "a distributor's guide",
      description:
        'A title such as “Track 1” looks like a placeholder; stores ask for the real title.',
    },
    ({ title }) =>
      numberOnly.test(collapseSpaces(title))
        ? {
            message: `"${title}" looks like a placeholder. Send the real title.`,
            limit: 'a title',
          }
        : undefined,
  ),
};

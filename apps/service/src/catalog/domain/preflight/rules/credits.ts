/** Contributors of a track: who must be credited, and instrumentals. */

import type { ContributorRole, RoleGroup } from '../../contributor-roles.ts';
import { type Contributor, hasRoleOf } from '../../contributor.ts';
import type { PreflightInput, PreflightTrack, RulePack } from '../preflight-input.ts';
import { lyricsLanguageOf } from '../release-or-track.ts';
import type { RawFinding, Rule } from '../rule.ts';
import { parseTitle } from '../text/bracket-groups.ts';
import { isJoined, splitJoinedContributors } from '../text/contributor-names.ts';
import { splitWords } from '../text/words.ts';
import { storeIdsWithRulePack } from './stores-with-rule-pack.ts';

/** ISO 639-2: no linguistic content. */
const instrumental = 'zxx';
const source = "a distributor's guide";
const prevents = 'metadata_missing';
const field = 'contributors';

const isSung = (track: PreflightTrack, input: PreflightInput): boolean =>
  lyricsLanguageOf(track, input) !== instrumental;

const rulePacks: readonly RulePack[] = ['a'];

/** Rule pack A: a track must have a contributor of one of these groups. */
const requiredCredit = (
  credit: string,
  groups: readonly RoleGroup[],
  isNeeded: (track: PreflightTrack) => boolean = () => true,
): Rule => ({
  description: `A track must credit a ${credit}; stores show the credits and refuse a track without them.`,
  severity: 'error',
  rulePacks,
  readsFields: ['contributors'],
  source: "a major streaming store's credit requirements",
  prevents,
  track: (track, input) => {
    const stores = storeIdsWithRulePack(input, rulePacks);
    if (stores.length === 0 || !isNeeded(track)) return [];
    if (track.contributors.some((contributor) => hasRoleOf(contributor, ...groups))) return [];
    const message = `The track credits no ${credit}. Add a contributor with a role of the group ${groups.join(' or ')} (GET /v1/contributor_roles).`;
    return [{ track, field, message, measured: null, limit: groups.join(', '), stores }];
  },
});

/** `composer_lyricist` is both. */
const composers: readonly ContributorRole[] = ['composer', 'composer_lyricist'];
const lyricists: readonly ContributorRole[] = ['lyricist', 'composer_lyricist'];

const hasAnyRole = ({ roles }: Contributor, wanted: readonly ContributorRole[]): boolean =>
  roles.some((role) => wanted.includes(role));

function checkWriters(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  const isCredited = (roles: readonly ContributorRole[]) =>
    track.contributors.some((contributor) => hasAnyRole(contributor, roles));
  const credited = { composer: isCredited(composers), lyricist: isCredited(lyricists) };
  if (!isSung(track, input) || (credited.composer && credited.lyricist)) return [];
  const missing = Object.entries(credited).flatMap(([role, isThere]) => (isThere ? [] : [role]));
  const present = Object.entries(credited).flatMap(([role, isThere]) => (isThere ? [role] : []));
  return [
    {
      track,
      field,
      message: `The track credits no ${missing.join(' and no ')}. Add a contributor with this role.`,
      measured: present[0] ?? null,
      limit: 'composer, lyricist',
    },
  ];
}

function checkLyricist(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  const lyricist = track.contributors.find((contributor) => hasAnyRole(contributor, lyricists));
  if (isSung(track, input) || lyricist === undefined) return [];
  const contributors = track.contributors.flatMap(withoutLyrics);
  return [
    {
      track,
      field,
      message:
        'The track is an instrumental but credits a lyricist. Remove the lyricist, or correct the language.',
      measured: lyricist.name,
      limit: 'no lyricist',
      fixes: () => [{ tracks: { [track.id]: { contributors } } }],
    },
  ];
}

/** A contributor keeps the other roles; without any, the entry is removed. */
function withoutLyrics(contributor: Contributor): readonly Contributor[] {
  if (!hasAnyRole(contributor, lyricists)) return [contributor];
  const others = contributor.roles.flatMap((role): readonly ContributorRole[] => {
    if (role === 'lyricist') return [];
    return role === 'composer_lyricist' ? ['composer'] : [role];
  });
  const roles = [...new Set(others)];
  return roles.length === 0 ? [] : [{ ...contributor, roles }];
}

function checkLanguage(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  const additions = [
    track.version ?? '',
    ...parseTitle(track.title).groups.map(({ text }) => text),
  ];
  const isCalledInstrumental = additions.some((text) => splitWords(text).includes('instrumental'));
  if (!isSung(track, input) || !isCalledInstrumental) return [];
  const isOwn = track.lyricsLanguage !== null;
  return [
    {
      track,
      field: isOwn ? 'lyrics_language' : 'language',
      message: `The track is called instrumental, but its language is not ${instrumental}. Send the language ${instrumental}.`,
      measured: lyricsLanguageOf(track, input),
      limit: instrumental,
      fixes: () => [
        { tracks: { [track.id]: { [isOwn ? 'lyricsLanguage' : 'language']: instrumental } } },
      ],
    },
  ];
}

function checkJoined(track: PreflightTrack): RawFinding[] {
  const joined = track.contributors.find(isJoined);
  if (joined === undefined) return [];
  const fixes = () => {
    const contributors = splitJoinedContributors(track.contributors);
    return contributors === undefined ? [] : [{ tracks: { [track.id]: { contributors } } }];
  };
  const message =
    'An entry of contributors names more than one person or group. Send one entry for each.';
  const [measured, limit] = [joined.name, 'one name per entry'];
  return [{ track, field, message, measured, limit, fixes }];
}

export const creditRules = {
  credits_performer: {
    // With ai_use.recording `all`, ai_use_performers refuses every performer.
    ...requiredCredit('performer', ['performer'], ({ aiUse }) => aiUse?.recording !== 'all'),
    readsFields: ['contributors', 'aiUse'],
  } satisfies Rule,
  credits_writer: requiredCredit('writer', ['writer']),
  credits_production: requiredCredit('producer or engineer', ['production', 'engineering']),
  credits_missing: {
    description:
      'A track with words should name a composer and a lyricist; stores show the credits and collecting societies need them.',
    severity: 'warning',
    readsFields: ['contributors', 'language', 'lyricsLanguage'],
    inheritedFields: ['language'],
    source,
    prevents,
    track: checkWriters,
  } satisfies Rule,
  credits_instrumental: {
    description: 'An instrumental should not name a lyricist; it has no words.',
    severity: 'warning',
    readsFields: ['contributors', 'language', 'lyricsLanguage'],
    inheritedFields: ['language'],
    source,
    prevents,
    track: checkLyricist,
  } satisfies Rule,
  language_instrumental: {
    description:
      'A track that is called instrumental should have the language zxx; otherwise stores ask for its lyrics and writers.',
    severity: 'warning',
    readsFields: ['title', 'version', 'language', 'lyricsLanguage'],
    inheritedFields: ['language'],
    source,
    prevents,
    track: checkLanguage,
  } satisfies Rule,
  contributor_joined: {
    description:
      'Each contributor should have an entry of their own; stores link each name to one person or group.',
    severity: 'warning',
    readsFields: ['contributors'],
    source: "a distributor's guide",
    prevents: 'release_violates_terms_of_service',
    track: checkJoined,
  } satisfies Rule,
};

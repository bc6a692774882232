/** Which brackets contain a version, and which words stores reject in a title or a version. */

import { type BracketGroup, textOutsideGroups, type ParsedTitle } from './bracket-groups.ts';
import { isFeatureGroup } from './featuring.ts';
import { splitWords } from './words.ts';

/** As the last word: "(Club Mix)". */
const versionEndings: ReadonlySet<string> = new Set(
  (
    'acoustic bootleg demo dub edit edition instrumental karaoke mix remaster remastered remix ' +
    'reprise rework session sessions unplugged version'
  ).split(' '),
);
/** "(Live)" and "(Live at Wembley)", not "(Live and Let Die)". */
const afterLive: ReadonlySet<string | undefined> = new Set([
  undefined,
  ...'at from in on'.split(' '),
]);
const remasters: ReadonlySet<string> = new Set(['remaster', 'remastered']);

const forbiddenPhrases: ReadonlySet<string> = new Set([
  'album version',
  'limited edition',
  'original mix',
  'original version',
]);
const forbiddenWords: ReadonlySet<string> = new Set(
  'cassette cd clean exclusive explicit flac mp3 vinyl wav'.split(' '),
);
/** Words that add nothing to a forbidden one: "(Explicit Version)" is forbidden, "(Keep It Clean)" is not. */
const fillers: ReadonlySet<string> = new Set(
  'album audio content download edit edition limited lyrics mix only original release rip single version'.split(
    ' ',
  ),
);

export function isForbidden(text: string): boolean {
  const words = splitWords(text);
  if (forbiddenPhrases.has(words.join(' '))) return true;
  const areForbidden = words.every((word) => forbiddenWords.has(word) || fillers.has(word));
  return areForbidden && words.some((word) => forbiddenWords.has(word));
}

export function isVersion(group: BracketGroup): boolean {
  if (isFeatureGroup(group) || isForbidden(group.text)) return false;
  const words = splitWords(group.text);
  const [first, second] = words;
  if (first === 'live') return afterLive.has(second);
  return versionEndings.has(words.at(-1) ?? '') || words.some((word) => remasters.has(word));
}

/** The groups to remove; none when the title would be empty without its groups. */
export const removableGroups = (
  parsed: ParsedTitle,
  isUnwanted: (group: BracketGroup) => boolean,
): readonly BracketGroup[] =>
  textOutsideGroups(parsed).trim() === '' ? [] : parsed.groups.filter(isUnwanted);

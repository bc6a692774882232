/** `(feat. X)` and `(with X)`: lower case, in brackets. */

import {
  type BracketGroup,
  textOutsideGroups,
  type ParsedTitle,
  parseTitle,
  rewriteGroups,
} from './bracket-groups.ts';

const inGroup = /^(?:feat\.?|ft\.?|featuring) (?=\S)/i;
const withInGroup = /^with (?=\S)/i;
/** Without brackets only unambiguous words: "A Feat of Strength" and "Six ft Under" are titles. */
const bare = /(?<=\S) (?:- )?(?:feat\.|ft\.|featuring) (?=\S)/i;

export const isFeatureGroup = ({ text }: Pick<BracketGroup, 'text'>): boolean =>
  inGroup.test(text) || withInGroup.test(text);

const normalizeFeature = (text: string): string =>
  text.replace(inGroup, 'feat. ').replace(withInGroup, 'with ');

/** The index at which a feature without brackets begins. */
export function bareFeatureIndex(parsed: ParsedTitle): number | undefined {
  return bare.exec(textOutsideGroups(parsed))?.index;
}

/** The title with its features corrected; undefined when they are already correct. */
export function normalizeFeatures(title: string): string | undefined {
  const parsed = parseTitle(title);
  const isBare = bareFeatureIndex(parsed) !== undefined;
  const isCorrect = parsed.groups.every(({ text }) => normalizeFeature(text) === text);
  if (isCorrect && !isBare) return undefined;
  const bracketed = isBare ? parseTitle(bracketBareFeature(parsed)) : parsed;
  return rewriteGroups(bracketed, ({ text }) => normalizeFeature(text));
}

function bracketBareFeature(parsed: ParsedTitle): string {
  const { text, groups } = parsed;
  const mark = bare.exec(textOutsideGroups(parsed));
  if (mark === null) return text;
  const nameAt = mark.index + mark[0].length;
  const group = groups.find(({ start }) => start >= nameAt);
  const dash = text.indexOf(' - ', nameAt);
  const end = Math.min(group?.start ?? text.length, dash === -1 ? text.length : dash);
  const name = text.slice(nameAt, end).trim();
  return `${text.slice(0, mark.index)} (feat. ${name}) ${text.slice(end)}`;
}

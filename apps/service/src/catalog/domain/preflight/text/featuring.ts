/** `(feat. X)` and `(with X)`: lower case, in brackets. */
import { type Group, outsideOf, type Parts, partsOf, withGroups } from './bracket-groups.ts';

const inGroup = /^(?:feat\.?|ft\.?|featuring) (?=\S)/i;
const withInGroup = /^with (?=\S)/i;
/** Without brackets only what is no other word: "A Feat of Strength" and "Six ft Under" are titles. */
const bare = /(?<=\S) (?:- )?(?:feat\.|ft\.|featuring) (?=\S)/i;

export const isFeature = ({ text }: Pick<Group, 'text'>): boolean =>
  inGroup.test(text) || withInGroup.test(text);

const inForm = (text: string): string =>
  text.replace(inGroup, 'feat. ').replace(withInGroup, 'with ');

/** Where a feature without brackets begins. */
export function bareFeatureAt(parts: Parts): number | undefined {
  return bare.exec(outsideOf(parts))?.index;
}

/** The title with its features in form; undefined where they are. */
export function withFeaturesInForm(title: string): string | undefined {
  const parts = partsOf(title);
  const isBare = bareFeatureAt(parts) !== undefined;
  const isInForm = parts.groups.every(({ text }) => inForm(text) === text);
  if (isInForm && !isBare) return undefined;
  const bracketed = isBare ? partsOf(withBrackets(parts)) : parts;
  return withGroups(bracketed, ({ text }) => inForm(text));
}

function withBrackets(parts: Parts): string {
  const { text, groups } = parts;
  const mark = bare.exec(outsideOf(parts));
  if (mark === null) return text;
  const nameAt = mark.index + mark[0].length;
  const group = groups.find(({ start }) => start >= nameAt);
  const dash = text.indexOf(' - ', nameAt);
  const end = Math.min(group?.start ?? text.length, dash === -1 ? text.length : dash);
  const name = text.slice(nameAt, end).trim();
  return `${text.slice(0, mark.index)} (feat. ${name}) ${text.slice(end)}`;
}

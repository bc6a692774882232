/** The outermost brackets of a title: `Song (feat. B) [Live]` has two groups. */

import { memoizeByText } from './memoize-by-text.ts';
import { collapseSpaces } from './words.ts';

export type BracketGroup = {
  readonly kind: '(' | '[';
  /** What is inside, without spaces around it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

/** A title taken apart; where brackets do not match, they are only characters of it. */
export type ParsedTitle = { readonly text: string; readonly groups: readonly BracketGroup[] };

const closerOf = { '(': ')', '[': ']' } as const;

export const parseTitle = memoizeByText((title: string): ParsedTitle => {
  const text = collapseSpaces(title);
  const groups: BracketGroup[] = [];
  const closers: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '(' || character === '[') {
      if (closers.length === 0) start = at;
      closers.push(closerOf[character]);
    } else if (character === ')' || character === ']') {
      if (closers.pop() !== character) return { text, groups: [] };
      if (closers.length === 0) groups.push(groupAt(text, start, at + 1));
    }
  }
  return { text, groups: closers.length === 0 ? groups : [] };
});

const groupAt = (text: string, start: number, end: number): BracketGroup => ({
  kind: text.charAt(start) === '(' ? '(' : '[',
  text: text.slice(start + 1, end - 1).trim(),
  start,
  end,
});

type TitleWriter = {
  /** With its brackets; empty leaves the group out. */
  readonly group: (group: BracketGroup) => string;
  readonly outside?: (piece: string) => string;
};

/** The title written again, piece by piece. */
export function rewriteTitle({ text, groups }: ParsedTitle, write: TitleWriter): string {
  const outside = write.outside ?? ((piece) => piece);
  let result = '';
  let at = 0;
  for (const group of groups) {
    result += outside(text.slice(at, group.start)) + write.group(group);
    at = group.end;
  }
  return collapseSpaces(result + outside(text.slice(at)));
}

export const wrapInBrackets = (kind: BracketGroup['kind'], text: string): string =>
  `${kind}${text}${closerOf[kind]}`;

/** Style guides: the first group in ( ), further ones in [ ]. Undefined leaves a group out. */
export function rewriteGroups(
  parsed: ParsedTitle,
  change: (group: BracketGroup) => string | undefined,
): string {
  let kept = 0;
  return rewriteTitle(parsed, {
    group: (group) => {
      const text = change(group);
      return text === undefined ? '' : wrapInBrackets(kept++ === 0 ? '(' : '[', text);
    },
  });
}

/** What is left of the title without its groups, which leave blanks of their length. */
export function textOutsideGroups({ text, groups }: ParsedTitle): string {
  let result = '';
  let at = 0;
  for (const { start, end } of groups) {
    result += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return result + text.slice(at);
}

/** The outermost brackets of a title: `Night (feat. B) [Live]` has two groups. */

import { memoizeByText } from '../../../../kernel/memoize-by-text.ts';
import { collapseSpaces } from './words.ts';

export type BracketGroup = {
  readonly kind: '(' | '[';
  /** The text between the brackets, trimmed. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

/** A title and its groups; there are none when the brackets do not match. */
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
  /** Returns the group with its brackets; an empty text removes it. */
  readonly group: (group: BracketGroup) => string;
  readonly outside?: (piece: string) => string;
};

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

/** Style guides: the first group in ( ), further ones in [ ]. Undefined removes a group. */
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

/** The title with spaces in place of its groups, so that indexes stay the same. */
export function textOutsideGroups({ text, groups }: ParsedTitle): string {
  let result = '';
  let at = 0;
  for (const { start, end } of groups) {
    result += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return result + text.slice(at);
}

import { memoizeByText } from '../../../../kernel/memoize-by-text.ts';

/**
 * Titles and names are untrusted texts of up to 500 characters. Every pattern of the rules takes linear time: spaces are
 * collapsed first, so that no pattern needs to repeat them.
 */
export const collapseSpaces = memoizeByText((text: string): string =>
  text.replaceAll(/\s+/g, ' ').trim(),
);

/** For comparisons: names and titles that differ only in case and spaces are equal. */
export const foldCase = (text: string): string => collapseSpaces(text).toLowerCase();

export const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

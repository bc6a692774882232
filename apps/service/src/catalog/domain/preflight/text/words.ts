import { memoizeByText } from './memoize-by-text.ts';

/**
 * Titles and names are hostile text of up to 500 characters. Every pattern of these rules takes time in
 * proportion to its text: spaces are collapsed first, so that no pattern needs to repeat them.
 */
export const collapseSpaces = memoizeByText((text: string): string =>
  text.replaceAll(/\s+/g, ' ').trim(),
);

/** Names and titles that differ only in case and spaces are the same to a listener. */
export const foldCase = (text: string): string => collapseSpaces(text).toLowerCase();

export const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

import { remembered } from './remembered.ts';

/**
 * Titles and names are hostile text of up to 500 characters. Every pattern of these rules takes time in
 * proportion to its text: spaces are collapsed first, so that no pattern needs to repeat them.
 */
export const collapsed = remembered((text: string): string => text.replaceAll(/\s+/g, ' ').trim());

/** Names and titles that differ only in case and spaces are the same to a listener. */
export const folded = (text: string): string => collapsed(text).toLowerCase();

export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

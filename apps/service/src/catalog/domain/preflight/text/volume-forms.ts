/** "Vol. 1" and "Pt. 1", in any spelling. */

import { collapseSpaces } from './words.ts';

/** A single letter is a number only at the end: "The Best Part I Know" has none. */
const number = String.raw`(\d{1,4}(?![\p{L}\p{N}])|[IVX]{2,6}(?![\p{L}\p{N}])|[IVX](?=$|[)\]:,]))`;
const volumePattern = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(volume|vol|part|pt)\.? ?${number}`,
  'giu',
);

export const normalizeVolumes = (title: string): string =>
  collapseSpaces(title).replaceAll(
    volumePattern,
    (_, word: string, count: string) =>
      `${word.toLowerCase().startsWith('v') ? 'Vol.' : 'Pt.'} ${count.toUpperCase()}`,
  );

/** Words and numbers of a volume have a fixed case, which the rule on casing does not check. */
export const removeVolumes = (text: string): string => text.replaceAll(volumePattern, ' ');

/** "Vol. 1" and "Pt. 1", however they were written. */
import { collapsed } from './words.ts';

/** A single letter is a number only at an end: "The Best Part I Know" has none. */
const number = String.raw`(\d{1,4}(?![\p{L}\p{N}])|[IVX]{2,6}(?![\p{L}\p{N}])|[IVX](?=$|[)\]:,]))`;
const forms = new RegExp(String.raw`(?<![\p{L}\p{N}])(volume|vol|part|pt)\.? ?${number}`, 'giu');

export const withVolumesInForm = (title: string): string =>
  collapsed(title).replaceAll(
    forms,
    (_, word: string, count: string) =>
      `${word.toLowerCase().startsWith('v') ? 'Vol.' : 'Pt.'} ${count.toUpperCase()}`,
  );

/** Both words and numbers have a case of their own. */
export const withoutVolumes = (text: string): string => text.replaceAll(forms, ' ');

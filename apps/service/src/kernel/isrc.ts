/**
 * ISRC (ISO 3901): two letters of country, three of registrant, two digits of year, five of designation.
 * Stored and sent to stores without hyphens; shown to partners with hyphens (contract §2).
 */
export type Isrc = string;

const compact = /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/;
const hyphenated = /^[A-Z]{2}-[A-Z0-9]{3}-\d{2}-\d{5}$/;

/** Accepts `CC-XXX-YY-NNNNN` or the same without any hyphen; undefined for anything else. */
export function parseIsrc(text: string): Isrc | undefined {
  if (hyphenated.test(text)) return text.replaceAll('-', '');
  return compact.test(text) ? text : undefined;
}

export const isIsrc = (text: string): boolean => compact.test(text);

export const showIsrc = (isrc: Isrc): string =>
  `${isrc.slice(0, 2)}-${isrc.slice(2, 5)}-${isrc.slice(5, 7)}-${isrc.slice(7)}`;

/** Country and registrant: the code that an agency assigns to an organization. */
export const isRegistrant = (text: string): boolean => /^[A-Z]{2}[A-Z0-9]{3}$/.test(text);

/** One cell of a sheet as a value of the API, or what is wrong with it. */

import type { FieldKind } from './columns.ts';

export type Read<T = unknown> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

const good = <T>(value: T): Read<T> => ({ ok: true, value });
const bad = (problem: string): Read<never> => ({ ok: false, problem });

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  const isReal = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime());
  // 2027-02-30 would become the second of March.
  return isReal && date.toISOString().startsWith(text);
}

const isInstant = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text));

/** GS1: the last digit makes the weighted sum a multiple of 10, with weights 1 and 3 from the right. */
function hasCheckDigit(digits: string): boolean {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

function readCode(text: string, length: number, name: string): Read {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d+$/.test(digits)) return bad(`${name} has ${length} digits`);
  if (digits.length !== length) {
    // Spreadsheets turn a code into a number, and a number has no leading zero.
    const hint = digits.length === length - 1 ? ': the sheet may have lost a leading 0' : '';
    return bad(`${name} has ${length} digits, this one has ${digits.length}${hint}`);
  }
  return hasCheckDigit(digits) ? good(digits) : bad(`the check digit of ${digits} is wrong`);
}

const parts = (text: string): string[] =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');

type Artist = { readonly name: string; readonly role: string };

/** `Aurora Díaz; Kofi Mensah (featured)` */
function readArtists(text: string): Read<Artist[]> {
  const artists = parts(text).map((part) => {
    const [, name = part, role = 'main'] =
      /^(.*\S)\s*\((main|featured|remixer)\)$/.exec(part) ?? [];
    return { name, role };
  });
  return artists.length === 0 ? bad('at least one name is needed') : good(artists);
}

/** `Aurora Díaz (synthesizer, piano); Mette Krogh` */
export const readContributors = (text: string): { name: string; instruments: string[] }[] =>
  parts(text).map((part) => {
    const [, name = part, instruments = ''] = /^(.*\S)\s*\(([^()]*)\)$/.exec(part) ?? [];
    return {
      name,
      instruments: instruments
        .split(',')
        .map((each) =>
          each
            .trim()
            .toLowerCase()
            .replaceAll(/[\s-]+/g, '_'),
        )
        .filter((each) => each !== ''),
    };
  });

function readJson(text: string): Read {
  try {
    return good(JSON.parse(text));
  } catch {
    return bad('it must be JSON, for example {"de": {"title": "Nachtfahrt"}}');
  }
}

function readChoice(values: readonly string[], text: string): Read {
  const value = text.toLowerCase().replaceAll(' ', '_');
  return values.includes(value) ? good(value) : bad(`use one of: ${values.join(', ')}`);
}

function readYesOrNo(text: string): Read {
  const word = text.toLowerCase();
  if (['true', 'yes'].includes(word)) return good(true);
  return ['false', 'no'].includes(word) ? good(false) : bad('use true or false');
}

const matching =
  (isGood: (text: string) => boolean, problem: string) =>
  (text: string): Read =>
    isGood(text) ? good(text) : bad(problem);

const readers: Readonly<Record<Exclude<FieldKind['type'], 'choice'>, (text: string) => Read>> = {
  text: good,
  date: matching(isDate, 'a date is YYYY-MM-DD, for example 2027-01-15'),
  instant: matching(isInstant, 'a time is RFC 3339, for example 2027-01-15T18:00:00Z'),
  integer: (text) =>
    /^\d{1,9}$/.test(text) ? good(Number(text)) : bad('a whole number is needed'),
  boolean: readYesOrNo,
  list: (text) => good(parts(text)),
  artists: readArtists,
  json: readJson,
  upc: (text) => readCode(text, 12, 'a UPC'),
  ean: (text) => readCode(text, 13, 'an EAN'),
  isrc: matching(
    (text) => /^[A-Z]{2}-?[A-Z0-9]{3}-?\d{2}-?\d{5}$/.test(text),
    'an ISRC is like QZ-ABC-26-00001',
  ),
};

export const readField = (kind: FieldKind, text: string): Read =>
  kind.type === 'choice' ? readChoice(kind.values, text) : readers[kind.type](text);

/** A value of a JSON sheet, which has its type already: texts are checked as those of a CSV sheet are. */
export function checkJsonField(kind: FieldKind, value: unknown): Read {
  if (value === null) return good(value);
  if (kind.type === 'integer') {
    return Number.isInteger(value) ? good(value) : bad('a whole number is needed');
  }
  if (kind.type === 'boolean') {
    return typeof value === 'boolean' ? good(value) : bad('true or false is needed');
  }
  if (kind.type === 'list' || kind.type === 'artists') {
    return Array.isArray(value) ? good(value) : bad('a list is needed');
  }
  if (kind.type === 'json') {
    return typeof value === 'object' ? good(value) : bad('an object is needed');
  }
  return typeof value === 'string' && value.trim() !== ''
    ? readField(kind, value)
    : bad('a text is needed');
}

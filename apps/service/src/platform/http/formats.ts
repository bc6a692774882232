/** The formats that schemas may name, each with what it accepts and what a refusal says. */

import { Format } from 'typebox/format';
import { isCalendarDate } from '../../kernel/calendar-date.ts';
import { parseIsrc } from '../../kernel/isrc.ts';
import { parseIswc } from '../../kernel/iswc.ts';
import { canonicalLanguage } from '../../kernel/language.ts';
import { isEan } from '../../kernel/product-code.ts';
import { isTerritoryCode } from '../../kernel/territory.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { isUpc } from '../../kernel/upc.ts';

type TextFormat = { readonly accepts: (text: string) => boolean; readonly issue: string };

const formats: Readonly<Record<string, TextFormat>> = {
  date: { accepts: isCalendarDate, issue: 'must be a calendar date, YYYY-MM-DD' },
  'date-time': {
    accepts: (text) => parseTimestamp(text) !== undefined,
    issue: 'must be a timestamp such as 2026-11-15T09:30:00.000Z',
  },
  ean: {
    accepts: isEan,
    issue: 'must be an EAN: 13 digits, of which the last is the GS1 check digit',
  },
  isrc: {
    accepts: (text) => parseIsrc(text) !== undefined,
    issue: 'must be an ISRC such as QZ-ABC-26-00001 or QZABC2600001',
  },
  iswc: {
    accepts: (text) => parseIswc(text) !== undefined,
    issue:
      'must be an ISWC such as T-034.524.680-1 or T0345246801, of which the last is the check digit',
  },
  language: {
    accepts: (text) => canonicalLanguage(text) !== undefined,
    issue: 'must be a BCP 47 language tag such as en, pt-BR or zh-Hant',
  },
  'territory-code': {
    accepts: isTerritoryCode,
    issue: 'must be an ISO 3166-1 alpha-2 code such as DE',
  },
  upc: {
    accepts: isUpc,
    issue: 'must be a UPC: 12 digits, of which the last is the GS1 check digit',
  },
};

export function registerFormats(): void {
  for (const [name, { accepts }] of Object.entries(formats)) Format.Set(name, accepts);
}

export const issueOfFormat = (format: string): string =>
  formats[format]?.issue ?? `must be a valid ${format}`;

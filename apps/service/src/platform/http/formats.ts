/** The formats that schemas may name, each with what it accepts and what a refusal says. */

import { Format } from 'typebox/format';
import { isCalendarDate } from '../../kernel/calendar-date.ts';
import { isCurrency } from '../../kernel/currency.ts';
import { isEmail } from '../../kernel/email.ts';
import { parseIsrc } from '../../kernel/isrc.ts';
import { parseIswc } from '../../kernel/iswc.ts';
import { canonicalLanguage } from '../../kernel/language.ts';
import { isEan } from '../../kernel/product-code.ts';
import { isTerritoryCode, nearTerritory } from '../../kernel/territory.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { isUpc } from '../../kernel/upc.ts';

type TextFormat = {
  readonly accepts: (text: string) => boolean;
  readonly issue: string;
  /** The value that was probably meant, as the end of the sentence. */
  readonly near?: (text: string) => string;
};

const formats: Readonly<Record<string, TextFormat>> = {
  currency: { accepts: isCurrency, issue: 'must be an ISO 4217 code such as "EUR"' },
  date: {
    accepts: isCalendarDate,
    issue: 'must be a date of the calendar such as "2027-01-15" (YYYY-MM-DD)',
  },
  'date-time': {
    accepts: (text) => parseTimestamp(text) !== undefined,
    issue: 'must be a timestamp such as "2026-11-15T09:30:00.000Z" (RFC 3339)',
  },
  ean: {
    accepts: isEan,
    issue:
      'must be an EAN such as "4006381333931": 13 digits, of which the last is the GS1 check digit',
  },
  email: { accepts: isEmail, issue: 'must be an email address such as "name@partner.example"' },
  isrc: {
    accepts: (text) => parseIsrc(text) !== undefined,
    issue: 'must be an ISRC such as "QZ-ABC-26-00001" or "QZABC2600001"',
  },
  iswc: {
    accepts: (text) => parseIswc(text) !== undefined,
    issue:
      'must be an ISWC such as "T-034.524.680-1" or "T0345246801", of which the last digit is the check digit',
  },
  language: {
    accepts: (text) => canonicalLanguage(text) !== undefined,
    issue: 'must be a BCP 47 language tag such as "en", "pt-BR" or "zh-Hant"',
  },
  'territory-code': {
    accepts: isTerritoryCode,
    issue: 'must be an ISO 3166-1 alpha-2 code such as "DE"',
    near: nearTerritory,
  },
  upc: {
    accepts: isUpc,
    issue:
      'must be a UPC such as "860001000009": 12 digits, of which the last is the GS1 check digit',
  },
};

export function registerFormats(): void {
  for (const [name, { accepts }] of Object.entries(formats)) Format.Set(name, accepts);
}

export function issueOfFormat(name: string, value: unknown): string {
  const format = formats[name];
  if (format === undefined) return `must be a valid ${name}`;
  return `${format.issue}${(typeof value === 'string' && format.near?.(value)) || ''}`;
}

/** The types of flags that several commands have. */

import { type CalendarDate, isCalendarDate } from '../../kernel/calendar-date.ts';
import { type Currency, isCurrency } from '../../kernel/currency.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import { type Isrc, parseIsrc } from '../../kernel/isrc.ts';
import { type FxRate, type Micros, parseFxRate, parseMicros } from '../../kernel/money.ts';
import { isMonth, type Month } from '../../kernel/month.ts';
import { didYouMean } from '../../kernel/near-name.ts';
import { scopes } from '../../kernel/scope.ts';
import { isTerritoryCode, nearTerritory, type TerritoryCode } from '../../kernel/territory.ts';
import { type FlagType, optional, required } from './flag.ts';

export const text = (placeholder = 'TEXT'): FlagType<string> => ({
  placeholder,
  is: 'text',
  parse: (given) => given,
});

export const multilineText: FlagType<string> = { ...text(), allows: 'lines' };

/** A path may have characters that a partner's text must not have. */
export const file = (placeholder = 'FILE'): FlagType<string> => ({
  ...text(placeholder),
  is: 'the path of a file',
  allows: 'every character',
});

export const id = <Prefix extends string>(prefix: Prefix): FlagType<Id<Prefix>> => ({
  placeholder: `${prefix}_…`,
  is: `given by its id (${prefix}_… id)`,
  parse: (given) => parseId(prefix, given),
});

/** A long list of values needs a placeholder of its own. */
export const choice = <const Value extends string>(
  values: readonly Value[],
  placeholder: string = values.join('|'),
): FlagType<Value> => ({
  placeholder,
  is: `one of: ${values.join(', ')}`,
  parse: (given) => values.find((value) => value === given),
  near: (given) => didYouMean(given, values),
});

export const onOff: FlagType<boolean> = {
  ...choice(['on', 'off']),
  parse: (given) => (given === 'on' || given === 'off' ? given === 'on' : undefined),
};

export const list = <Value>(
  item: FlagType<Value>,
  placeholder = `${item.placeholder},…`,
): FlagType<readonly Value[]> => ({
  placeholder,
  is: `a list separated by commas, each ${item.is}`,
  parse: (given) => {
    const values = given.split(',').map((each) => item.parse(each.trim()));
    const known = values.filter((value) => value !== undefined);
    return known.length === values.length ? known : undefined;
  },
  near: (given) => {
    const wrong = given.split(',').find((each) => item.parse(each.trim()) === undefined);
    return item.near?.(wrong ?? '') ?? '';
  },
});

export const integer = (placeholder: string, max: number): FlagType<number> => ({
  placeholder,
  is: `a whole number from 0 to ${max}`,
  parse: (given) => (/^\d{1,15}$/.test(given) && Number(given) <= max ? Number(given) : undefined),
});

export const amount: FlagType<Micros> = {
  placeholder: 'AMOUNT',
  is: 'an amount with a decimal point and at most six decimals, such as 12.34',
  parse: parseMicros,
};

export const fxRate: FlagType<FxRate> = {
  placeholder: 'RATE',
  is: 'a decimal above zero such as 0.92',
  parse: parseFxRate,
};

export const currency: FlagType<Currency> = {
  placeholder: 'CURRENCY',
  is: 'an ISO 4217 code such as EUR',
  parse: (given) => (isCurrency(given) ? given : undefined),
};

export const date: FlagType<CalendarDate> = {
  placeholder: 'DATE',
  is: 'a date of the calendar such as 2027-01-31',
  parse: (given) => (isCalendarDate(given) ? given : undefined),
};

export const month: FlagType<Month> = {
  placeholder: 'MONTH',
  is: 'a month such as 2026-11',
  parse: (given) => (isMonth(given) ? given : undefined),
};

export const isrc: FlagType<Isrc> = {
  placeholder: 'ISRC',
  is: 'an ISRC such as QZ-ABC-26-00001',
  parse: parseIsrc,
};

export const territory: FlagType<TerritoryCode> = {
  placeholder: 'TERRITORY',
  is: 'an ISO 3166-1 alpha-2 code such as US',
  parse: (given) => (isTerritoryCode(given) ? given : undefined),
  near: nearTerritory,
};

export const storeId = text('STORE_ID');

export const orgFlag = required(id('org'));

export const scopeList = optional(
  list(choice(scopes), 'releases:read,…'),
  'without it, every scope',
);
